import type { Clock } from '../config/clock.js';

/** The count under one name, until the window ends. */
export interface CountedWindow {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly ends_at: number;
}

/** The window after a count, as the document store port describes it. */
export function countedWindow(
  standing: CountedWindow | undefined,
  by: number,
  now: number,
  milliseconds: number,
): CountedWindow {
  const isOpen = standing !== undefined && now < standing.ends_at;
  const { count, ends_at } = isOpen ? standing : { count: 0, ends_at: now + milliseconds };
  return { count: count + by < 0 ? count : count + by, ends_at };
}

/** Counts in memory: the port's `count` for windows that may end with the process. */
export class MemoryCounters {
  /** By length, so that the first of each is the first to end. */
  readonly #windows = new Map<number, Map<string, CountedWindow>>();

  constructor(private readonly clock: Pick<Clock, 'now'>) {}

  count(name: string, by: number, milliseconds: number): Promise<CountedWindow> {
    const now = this.clock.now();
    let windows = this.#windows.get(milliseconds);
    if (windows === undefined) this.#windows.set(milliseconds, (windows = new Map<string, CountedWindow>()));
    for (const [ended, { ends_at }] of windows) {
      if (now < ends_at) break;
      windows.delete(ended);
    }
    const window = countedWindow(windows.get(name), by, now, milliseconds);
    if (by > 0 || windows.has(name)) windows.set(name, window);
    return Promise.resolve(window);
  }
}
