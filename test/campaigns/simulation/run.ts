import { Simulation } from './simulation.js';
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
  readonly faults: ReadonlyMap<string, number>;
  /** How often each kind of write and flow was played. */
  readonly acts: ReadonlyMap<string, number>;
  readonly fingerprint: string;
  readonly failure: Failure | undefined;
}

/** Plays a seed until so many operations are done or something does not fit, and then what every run ends with. */
export async function playSeed(seed: string, wanted: number): Promise<Outcome> {
  const simulation = await Simulation.open(seed);
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
  const { deployment, requests, crashes, faultCounts: faults, fingerprint } = simulation;
  return { seed, deployment, played, requests, crashes, faults, acts: actsOf(steps), fingerprint, failure };
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
export async function playSteps(seed: string, steps: readonly Step[]): Promise<string | undefined> {
  const simulation = await Simulation.open(seed);
  try {
    for (const step of steps) await simulation.replay(step);
    await simulation.finish();
  } catch (error) {
    return textOf(error);
  }
  return undefined;
}

function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.name === 'Mismatch' ? error.message : (error.stack ?? error.message);
}
