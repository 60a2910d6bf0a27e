import { TURNS } from '#kernel/turns.js';
import { Simulation, type SimulationOptions } from './simulation.js';
import { type Step, weightOf } from './step.js';

export interface Failure {
  readonly seed: string;
  readonly message: string;
  /** All that was played up to the failure, the failing step last. */
  readonly steps: readonly Step[];
}

export interface Outcome {
  readonly seed: string;
  readonly deployment: string;
  /** Operations that were played: writes, flows and crashes. */
  readonly played: number;
  readonly requests: number;
  readonly crashes: number;
  /** Messages that came to receivers. */
  readonly messages: number;
  /** Texts that tenants were sent about their access. */
  readonly texts: number;
  readonly faults: ReadonlyMap<string, number>;
  /** How often each kind of write and flow was played. */
  readonly acts: ReadonlyMap<string, number>;
  readonly fingerprint: string;
  readonly failure: Failure | undefined;
}

/** Plays a seed until so many operations are done or something does not fit, and then what every run ends with. */
export function playSeed(seed: string, wanted: number, options: SimulationOptions = {}): Promise<Outcome> {
  return inSimulatedTurns(() => playNewSteps(seed, wanted, options));
}

async function playNewSteps(seed: string, wanted: number, options: SimulationOptions): Promise<Outcome> {
  const simulation = await Simulation.open(seed, options);
  const steps: Step[] = [];
  let played = 0;
  let failure: Failure | undefined;
  try {
    for (let id = 1; played < wanted; id += 1) {
      await simulation.playNew(id, steps);
      played += weightOf(steps.at(-1)!);
    }
    await simulation.finish();
  } catch (error) {
    failure = { seed, message: textOf(error), steps };
  }
  const { deployment, requests, crashes, messages, texts, faultCounts: faults, fingerprint } = simulation;
  const counts = { played, requests, crashes, messages, texts, faults, acts: actsOf(steps) };
  return { seed, deployment, ...counts, fingerprint, failure };
}

function actsOf(steps: readonly Step[]): Map<string, number> {
  const acts = new Map<string, number>();
  for (const { calls, flow } of steps) {
    const names = [...calls.map(({ op }) => op), ...(flow === null ? [] : [flow.name])];
    for (const name of names) acts.set(name, (acts.get(name) ?? 0) + 1);
  }
  return acts;
}

/** Plays given steps. @returns what did not fit; undefined where everything did */
export function playSteps(
  seed: string,
  steps: readonly Step[],
  options: SimulationOptions = {},
): Promise<string | undefined> {
  return inSimulatedTurns(() => replaySteps(seed, steps, options));
}

async function replaySteps(
  seed: string,
  steps: readonly Step[],
  options: SimulationOptions,
): Promise<string | undefined> {
  const simulation = await Simulation.open(seed, options);
  try {
    for (const step of steps) await simulation.replay(step);
    await simulation.finish();
  } catch (error) {
    return textOf(error);
  }
  return undefined;
}

/** All suites of a worker share the turns of their process. */
async function inSimulatedTurns<Result>(play: () => Promise<Result>): Promise<Result> {
  TURNS.simulate();
  try {
    return await play();
  } finally {
    TURNS.endSimulation();
  }
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Mismatch' ? error.message : (error.stack ?? error.message);
}
