import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { type Mutant, MUTANTS } from './mutants.js';

/** What became of a mutant. */
interface Caught {
  readonly mutant: Mutant;
  /** Operations that were played until it was found; undefined where it lived. */
  readonly steps: number | undefined;
  readonly message: string;
}

const ROOT = join(__dirname, '..', '..', '..', '..');
const SEEDS = 60;
const STEPS = 300;

/** Plays every mutant in a process of its own and prints how long each lived. @returns whether all were found */
export function huntMutants(say: (line: string) => void): boolean {
  say('| mutant | what is wrong | found after (steps) | by |');
  say('| --- | --- | ---: | --- |');
  const results = MUTANTS.map((mutant) => {
    const caught = hunt(mutant);
    say(`| ${mutant.name} | ${mutant.fault} | ${caught.steps ?? 'LIVES'} | ${caught.message} |`);
    return caught;
  });
  const found = results.filter(({ steps }) => steps !== undefined).length;
  say(`\n${found} of ${results.length} mutants were found.`);
  return found === results.length;
}

function hunt(mutant: Mutant): Caught {
  const child = spawnSync(
    process.execPath,
    [
      ...['-r', join(ROOT, 'test/support/swc-register.cjs'), join(ROOT, 'test/campaigns/simulation/main.ts')],
      ...['--mutant', mutant.name, '--seeds', String(SEEDS), '--steps', String(STEPS), '--no-shrink'],
    ],
    { cwd: ROOT, encoding: 'utf8' },
  );
  const lines = child.stdout.split('\n');
  const steps = lines.reduce((sum, line) => sum + Number(/: (\d+) steps/.exec(line)?.[1] ?? 0), 0);
  const failure = lines.find((line) => line.startsWith('Seed '));
  if (failure === undefined) return { mutant, steps: undefined, message: child.stderr.split('\n')[0] ?? '' };
  const message = failure.replace(/^Seed (\d+) fails at step \d+: /, 'seed $1: ').replaceAll('|', ' ');
  return { mutant, steps, message: message.length > 110 ? `${message.slice(0, 110)}…` : message };
}
