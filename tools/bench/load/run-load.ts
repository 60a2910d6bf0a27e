import { Connection } from './connection.js';
import { toWire, type WireRequest } from './wire.js';

export interface LoadPlan {
  readonly port: number;
  readonly connections: number;
  readonly seconds: number;
  /** The allowed status codes. Any other answer ends the measurement with an error. */
  readonly expected: readonly number[];
  /** Returns the next request. */
  readonly next: () => WireRequest;
}

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  /** The time of each request. */
  readonly milliseconds: readonly number[];
}

/** Keeps every connection busy for the given time, then waits for the open requests. */
export async function runLoad(plan: LoadPlan): Promise<LoadResult> {
  const milliseconds: number[] = [];
  const began = performance.now();
  const ends = began + plan.seconds * 1000;
  let fault: string | undefined;
  const listener = {
    answered(status: number, taken: number, answer: () => string): string | undefined {
      milliseconds.push(taken);
      if (!plan.expected.includes(status)) fault ??= answer();
      return fault !== undefined || performance.now() >= ends ? undefined : toWire(plan.next());
    },
  };
  const connections = Array.from(
    { length: plan.connections },
    () => new Connection(plan.port, toWire(plan.next()), listener),
  );
  await Promise.all(connections.map(({ ended }) => ended));
  if (fault !== undefined) throw new Error(`An answer was not as expected:\n${fault.slice(0, 1000)}`);
  return { requests: milliseconds.length, seconds: (performance.now() - began) / 1000, milliseconds };
}
