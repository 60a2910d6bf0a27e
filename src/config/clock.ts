/** The only source of time. Injected everywhere, so that tests and simulations own the calendar. */
export interface Clock {
  /** The current instant, in milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Runs `task` once after `milliseconds`, unless cancelled by the returned function.
   * The task's rejections are its own business: a caller that cares catches inside.
   */
  after(milliseconds: number, task: () => void): () => void;
}

/** Milliseconds. Node takes a longer delay for none, and fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, task) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const next = Math.min(left, LONGEST_TIMER);
      timer = setTimeout(() => (left > next ? wait(left - next) : task()), next);
      timer.unref();
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
};

/** Formats an instant as the service shows every timestamp: ISO 8601 UTC with milliseconds. */
export function toTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}

/** The same of an instant that may be none. */
export function timestampOrNull(instant: number | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}
