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

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, task) {
    const timer = setTimeout(task, milliseconds);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/** Formats an instant as the service shows every timestamp: ISO 8601 UTC with milliseconds. */
export function toTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}
