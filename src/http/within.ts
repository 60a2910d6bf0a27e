import type { Clock } from '../config/clock.js';

/** Answers `ask`, or `otherwise` if it fails or takes longer than `milliseconds`. Its errors stay here: they may name hosts. */
export async function within<T>(
  clock: Clock,
  milliseconds: number,
  ask: () => Promise<T>,
  otherwise: T,
): Promise<T> {
  let cancel: () => void = () => undefined;
  const late = new Promise<T>((resolve) => {
    cancel = clock.after(milliseconds, () => resolve(otherwise));
  });
  try {
    return await Promise.race([ask(), late]);
  } catch {
    return otherwise;
  } finally {
    cancel();
  }
}
