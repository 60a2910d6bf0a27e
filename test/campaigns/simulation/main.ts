import './mutants/install.js';
import 'reflect-metadata';
import { parseArgs } from 'node:util';
import { runCommand, wholeNumber } from '../../support/command-line.js';
import { huntMutants } from './mutants/hunt.js';
import { type Failure, type Outcome, playSeed } from './run.js';
import { shrink } from './shrink.js';

const USAGE = `Usage: npm run simulate -- [options]; see docs/reliability.md
  --seed N      the first seed (1)
  --steps N     operations of each seed, at least (400)
  --seeds N     how many seeds (1)
  --minutes N   goes on to further seeds for so long
  --no-shrink   leaves a failure as long as it is
  --mutants     puts faults into the source, one at a time, and tells how long each lives
  --mutant M    plays with one of them`;

const SHRINKING = 90_000;

interface Options {
  readonly seed: number;
  readonly seeds: number;
  readonly steps: number;
  /** Goes on to further seeds for so long. */
  readonly minutes: number | undefined;
  readonly shrink: boolean;
  readonly mutants: boolean;
}

/** `--mutant` is read by what puts it in (mutants/install.ts), before anything else is loaded. */
function readOptions(): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const options = { seed: text, seeds: text, steps: text, minutes: text, mutant: text };
  const { values } = parseArgs({ options: { ...options, mutants: flag, 'no-shrink': flag } });
  return {
    seed: wholeNumber('seed', values.seed ?? '1', 0),
    seeds: wholeNumber('seeds', values.seeds ?? '1'),
    steps: wholeNumber('steps', values.steps ?? '400'),
    minutes: values.minutes === undefined ? undefined : wholeNumber('minutes', values.minutes),
    shrink: !values['no-shrink'],
    mutants: values.mutants,
  };
}

async function main(): Promise<void> {
  const options = readOptions();
  if (options.mutants) {
    if (!huntMutants(say)) process.exitCode = 1;
    return;
  }
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

runCommand(USAGE, main);
