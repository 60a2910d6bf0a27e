import type { FaultRates } from './faults.js';

/** A write to units, with the key it is sent under. */
export interface PlannedCall {
  readonly op: string;
  readonly args: unknown;
  readonly key: string | null;
  /** Sent twice at once. Only with a key. */
  readonly twin: boolean;
}

export type LostViews = 'kept' | 'earlier' | 'deleted';

/** What happens together. Plain data: a list of these, and a seed, is a run. */
export interface Step {
  readonly id: number;
  /** How long the clock jumps before. */
  readonly wait: number;
  readonly faults: FaultRates;
  /** After so many turns of the world a process ends, and another begins. */
  readonly crash: { readonly turn: number; readonly views: LostViews; readonly all: boolean } | null;
  readonly calls: readonly PlannedCall[];
  /** The calls come one after another, each when the one before it was answered or given up. */
  readonly inTurn: boolean;
  readonly flow: { readonly name: string; readonly args: unknown } | null;
}

/** How many operations a step stands for: what is counted as steps outside. */
export function weightOf({ calls, flow, crash }: Step): number {
  return calls.length + (flow === null ? 0 : 1) + (crash === null ? 0 : 1);
}
