import { setTimeout as pause } from 'node:timers/promises';
import { groupBy, percentile } from '../../../tools/bench/statistics.js';
import { type Lane, type Outcome, TurnedAway } from './lane.js';

/** Latencies of one stretch of time. */
export interface Window {
  readonly second: number;
  readonly requests: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface LoadResult {
  readonly seconds: number;
  readonly requests: number;
  readonly windows: readonly Window[];
  /** For each kind of request: number, 50th and 99th percentile. */
  readonly kinds: Readonly<
    Record<string, { readonly requests: number; readonly p50: number; readonly p99: number }>
  >;
  readonly errors: readonly string[];
  /** Lanes that a draining service has turned away. */
  readonly turnedAway: number;
}

export interface LoadPlan {
  readonly lanes: readonly Lane[];
  readonly seconds: number;
  /** Requests a second; as many as there can be where absent. */
  readonly rate?: number;
  readonly windowSeconds?: number;
}

const MOST_ERRORS = 20;

/**
 * Keeps the lanes at work. With a rate, requests become due evenly, and their time counts from then, even if no lane
 * is free. So a service that stalls is measured with all requests it would have met.
 */
export async function runLoad({ lanes, seconds, rate, windowSeconds = 10 }: LoadPlan): Promise<LoadResult> {
  const began = performance.now();
  const ends = began + seconds * 1_000;
  const done: (Outcome & { readonly at: number })[] = [];
  const errors: string[] = [];
  let due = 0;
  let turnedAway = 0;

  const work = async (lane: Lane): Promise<void> => {
    for (;;) {
      const dueAt = rate === undefined ? performance.now() : began + (due++ * 1_000) / rate;
      if (dueAt >= ends || errors.length >= MOST_ERRORS) return;
      const early = dueAt - performance.now();
      if (early > 0) await pause(early);
      const { kind } = await lane.next();
      const at = performance.now();
      done.push({ kind, milliseconds: at - dueAt, at: at - began });
    }
  };
  const guarded = (lane: Lane) =>
    work(lane).catch((error: unknown) => {
      if (error instanceof TurnedAway) turnedAway++;
      else errors.push(error instanceof Error ? error.message : String(error));
    });
  await Promise.all(lanes.map(guarded));
  const taken = (performance.now() - began) / 1_000;
  const windows = windowsOf(done, windowSeconds);
  return { seconds: taken, requests: done.length, windows, kinds: kindsOf(done), errors, turnedAway };
}

function windowsOf(done: readonly (Outcome & { readonly at: number })[], length: number): Window[] {
  const groups = groupBy(done, ({ at }) => Math.floor(at / (length * 1_000)));
  return [...groups].map(([index, group]) => {
    const times = group.map(({ milliseconds }) => milliseconds);
    return {
      second: index * length,
      requests: group.length,
      p50: percentile(times, 0.5),
      p99: percentile(times, 0.99),
      max: percentile(times, 1),
    };
  });
}

function kindsOf(done: readonly Outcome[]): LoadResult['kinds'] {
  const groups = groupBy(done, ({ kind }) => kind);
  return Object.fromEntries(
    [...groups].map(([kind, group]) => {
      const times = group.map(({ milliseconds }) => milliseconds);
      return [kind, { requests: group.length, p50: percentile(times, 0.5), p99: percentile(times, 0.99) }];
    }),
  );
}
