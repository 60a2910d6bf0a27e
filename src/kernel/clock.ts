/** The only source of time. It is injected, so tests can set it. */
export interface Clock {
  /** The current instant, in milliseconds since the Unix epoch. */
  now(): number;
  /** Runs `task` once after `milliseconds`. The returned function cancels it. */
  after(milliseconds: number, task: () => void): () => void;
}

/** With a longer delay Node fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's clock. Its timers do not keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, task) {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      const next = Math.min(left, LONGEST_TIMER_MS);
      timer = setTimeout(() => (left > next ? wait(left - next) : task()), next);
      timer.unref();
    };
    wait(milliseconds);
    return () => clearTimeout(timer);
  },
};
