import type { Clock } from '../../config/clock.js';

/** The adapter's own deadline passed: the client has not answered and may never do so. */
export class DeadlinePassedError extends Error {
  constructor(milliseconds: number) {
    super(`no answer within ${milliseconds} ms`);
    this.name = 'DeadlinePassedError';
  }
}

/** Resolves after `milliseconds`. */
export function pause(clock: Clock, milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    clock.after(milliseconds, resolve);
  });
}

/**
 * The promise's own outcome, or a `DeadlinePassedError`. What is decided later is ignored, a rejection too: the client
 * settles abandoned calls whenever the connection breaks.
 */
export function within<Value>(clock: Clock, milliseconds: number, promise: Promise<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(milliseconds, () => reject(new DeadlinePassedError(milliseconds)));
    promise.then(resolve, reject).finally(cancel);
  });
}
