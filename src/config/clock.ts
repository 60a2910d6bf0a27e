/** The only source of time. It is injected, so tests can set it. */
export interface Clock {
  /** The current instant, in milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `task` once after `milliseconds`. The returned function cancels it. */
  after(milliseconds: number, task: () => void): () => void;
}

/** Milliseconds. With a longer delay Node fires at once. */
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

/** ISO 8601 UTC with milliseconds, the form of all timestamps of the service. */
export function toTimestamp(instant: number): string {
  return new Date(instant).toISOString();
}

export function timestampOrNull(instant: number | null): string | null {
  return instant === null ? null : toTimestamp(instant);
}

/** Whether a text is YYYY-MM-DD and an existing day, in the years 0001 to 9999. */
export function isCalendarDate(text: string): boolean {
  if (!/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  // `Date` turns 30 February into a day of March, so the day is compared.
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8));
}
