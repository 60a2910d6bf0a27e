import type { Clock } from './clock.js';

/** Resolves after `milliseconds`, or when the signal is aborted. */
export function pause(
  clock: Pick<Clock, 'after'>,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(milliseconds, end);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
}
