import type { Clock } from './clock.js';

export class DeadlinePassedError extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
  }
}

/** The promise's own outcome, or a `DeadlinePassedError` after the time. A later outcome is ignored. */
export function within<Value>(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  promise: Promise<Value>,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => reject(new DeadlinePassedError(milliseconds)));
    promise.then(resolve, reject).finally(cancel);
  });
}

/** Runs `work` with a signal that is aborted after `milliseconds`. @param late makes the reason of the abort */
export async function underTimeLimit<Value>(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  late: () => unknown,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const ending = new AbortController();
  const cancel = clock.after(milliseconds, () => ending.abort(late()));
  try {
    return await work(ending.signal);
  } finally {
    cancel();
  }
}
