import type { Clock } from '../config/clock.js';

/** No answer came in time, and there may never be one. */
export class DeadlinePassedError extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
    this.name = 'DeadlinePassedError';
  }
}

/** The promise's own outcome, or a `DeadlinePassedError`. What comes later is ignored, a rejection too. */
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
