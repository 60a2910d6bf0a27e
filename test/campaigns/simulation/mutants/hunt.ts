import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Campaign } from '../../campaign.js';
import { type Mutant, MUTANTS } from './mutants.js';

/** How a mutant was found. */
export interface Caught {
  /** Operations that were played until then. */
  readonly steps: number;
  readonly seed: number;
  /** Steps that are needed to see it. */
  readonly shrunk: number;
  readonly message: string;
}

const ROOT = join(__dirname, '..', '..', '..', '..');

export const mutants: Campaign = {
  name: 'mutants',
  about: 'faults put into the source, one at a time, that the simulation must find',
  onlyByName: true,
  play({ say }) {
    say('| mutant | what is wrong | found after (steps) | by |');
    say('| --- | --- | ---: | --- |');
    const living = MUTANTS.filter((mutant) => {
      const caught = hunt(mutant);
      const by = caught && `seed ${caught.seed}: ${caught.message.replaceAll(/[|\s]+/g, ' ').slice(0, 110)}`;
      say(`| ${mutant.name} | ${mutant.fault} | ${caught?.steps ?? 'LIVES'} | ${by ?? ''} |`);
      return caught === undefined;
    });
    if (living.length > 0)
      return Promise.reject(new Error(`Not found: ${living.map(({ name }) => name).join()}`));
    return Promise.resolve(`all ${MUTANTS.length} were found`);
  },
};

/**
 * Plays a mutant in a process of its own.
 * @returns undefined where it lived @throws Error if the seed that found it fails without the mutant, too
 */
export function hunt({ name }: Mutant): Caught | undefined {
  const caught = play('--mutant', name);
  if (caught === undefined) return undefined;
  const unmutated = play('--seed', String(caught.seed));
  if (unmutated === undefined) return caught;
  throw new Error(`Seed ${caught.seed} fails without the mutant ${name}, too: ${unmutated.message}`);
}

function play(...args: readonly string[]): Caught | undefined {
  const register = join(ROOT, 'scripts/run-typescript.cjs');
  const hunted = join(__dirname, 'hunted.ts');
  const { stdout, stderr, status } = spawnSync(process.execPath, ['-r', register, hunted, ...args], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  return stdout === '' ? undefined : (JSON.parse(stdout) as Caught);
}
