/** With a longer delay Node fires at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Keeps the process alive until `work` has settled. The timers of the system clock do not. */
export async function keepProcessAlive<T>(work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, LONGEST_TIMER);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
