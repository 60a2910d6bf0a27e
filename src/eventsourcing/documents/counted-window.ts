import type { Clock } from '#kernel/clock.js';

/** The count under one name, until the window ends. */
export interface CountedWindow {
  readonly count: number;
  /** Milliseconds since the epoch. */
  readonly ends_at: number;
}

/** Adds a count to a window by the rules of the port's `count`. */
export function countedWindow(
  stored: CountedWindow | undefined,
  by: number,
  now: number,
  milliseconds: number,
): CountedWindow {
  const isOpen = stored !== undefined && now < stored.ends_at;
  const { count, ends_at } = isOpen ? stored : { count: 0, ends_at: now + milliseconds };
  return { count: count + by < 0 ? count : count + by, ends_at };
}

/** The port's `count` in memory, for windows that may end with the process. */
export class MemoryCounters {
  /** By length in milliseconds. Windows of one length end in the order in which they began. */
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
