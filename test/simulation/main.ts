import './mutants/install.js';
import 'reflect-metadata';
import { huntMutants } from './mutants/hunt.js';
import { type Failure, type Outcome, playSeed } from './run.js';
import { shrink } from './shrink.js';

/** `npm run simulate -- --seed N --steps M --seeds K`; see docs/reliability.md. */

const SHRINKING = 90_000;

export interface Options {
  readonly seed: number;
  readonly seeds: number;
  readonly steps: number;
  /** Goes on to further seeds for so long. */
  readonly minutes: number | undefined;
  readonly shrink: boolean;
}

export function readOptions(given: readonly string[]): Options {
  const number = (name: string): number | undefined => {
    const place = given.indexOf(`--${name}`);
    return place === -1 ? undefined : Number(given[place + 1]);
  };
  return {
    seed: number('seed') ?? 1,
    seeds: number('seeds') ?? 1,
    steps: number('steps') ?? 400,
    minutes: number('minutes'),
    shrink: !given.includes('--no-shrink'),
  };
}

async function main(): Promise<void> {
  if (process.argv.includes('--mutants')) {
    if (!huntMutants(say)) process.exitCode = 1;
    return;
  }
  const options = readOptions(process.argv.slice(2));
  const begun = Date.now();
  const isOver = (done: number): boolean =>
    options.minutes === undefined ? done >= options.seeds : Date.now() - begun > options.minutes * 60_000;
  let [steps, requests, done, crashes] = [0, 0, 0, 0];
  const faults = new Map<string, number>();
  for (; !isOver(done); done += 1) {
    const outcome = await playSeed(String(options.seed + done), options.steps);
    steps += outcome.played;
    requests += outcome.requests;
    crashes += outcome.crashes;
    for (const [name, count] of outcome.faults) faults.set(name, (faults.get(name) ?? 0) + count);
    if (options.minutes === undefined) say(lineOf(outcome));
    if (outcome.failure === undefined) continue;
    process.exitCode = 1;
    await report(outcome.failure, options);
    return;
  }
  const seconds = (Date.now() - begun) / 1000;
  say(
    `${done} seeds, ${steps} steps, ${requests} requests, ${crashes} crashes in ${seconds.toFixed(1)} s: ` +
      `${(steps / seconds).toFixed(0)} steps/s, ${(requests / seconds).toFixed(0)} requests/s.`,
  );
  say(`Faults: ${[...faults].map(([name, count]) => `${name} ${count}`).join(', ')}.`);
}

function lineOf({ seed, deployment, played, requests, fingerprint, failure }: Outcome): string {
  const verdict = failure === undefined ? 'holds' : 'FAILS';
  return `seed ${seed} (${deployment}): ${played} steps, ${requests} requests, ${verdict}, trace ${fingerprint.slice(0, 16)}`;
}

async function report(failure: Failure, { steps, shrink: wanted }: Options): Promise<void> {
  say(`\nSeed ${failure.seed} fails at step ${failure.steps.length}: ${failure.message}`);
  say(`Again: npm run simulate -- --seed ${failure.seed} --steps ${steps}`);
  if (!wanted) return;
  const shortest = await shrink(failure, SHRINKING);
  say(`\nShrunk from ${failure.steps.length} to ${shortest.steps.length} steps: ${shortest.message}\n`);
  for (const step of shortest.steps) say(JSON.stringify(step));
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

void main();
