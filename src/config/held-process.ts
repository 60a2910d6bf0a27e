/** Above what a timer takes, Node would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Keeps the process alive until `work` has settled. Timers of waits do not hold it, so it would end in their midst
 * with status 0 and no message.
 */
export async function heldProcess<T>(work: () => Promise<T>): Promise<T> {
  const hold = setInterval(() => undefined, LONGEST_TIMER);
  try {
    return await work();
  } finally {
    clearInterval(hold);
  }
}
