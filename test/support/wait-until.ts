import { setTimeout as pause } from 'node:timers/promises';

/** Milliseconds. Nothing takes so long on any machine: what does has hung, and is to be named. */
export const HUNG = 60_000;

/**
 * Waits until `isDone` accepts what `look` returns, and returns it. Throws with the last value seen, so that a failing
 * test says what it was waiting on.
 * @param progressOf where what it returns changes, nothing hangs, and the wait begins anew
 */
export async function waitUntil<T>(
  look: () => T | Promise<T>,
  isDone: (value: T) => boolean = Boolean,
  progressOf: (value: T) => unknown = () => undefined,
): Promise<T> {
  let until = Date.now() + HUNG;
  let progress: unknown;
  for (;;) {
    const value = await look();
    if (isDone(value)) return value;
    const before = progress;
    progress = progressOf(value);
    if (progress !== before) until = Date.now() + HUNG;
    if (Date.now() > until) throw new Error(`Waited ${HUNG} ms in vain; last seen: ${describe(value)}`);
    await pause(5);
  }
}

function describe(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'bigint' ? String(part) : part,
  );
  return text === undefined ? String(value) : text.slice(0, 2_000);
}
