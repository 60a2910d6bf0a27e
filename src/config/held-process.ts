/** Above what a timer takes, Node would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/**
 * Keeps the process alive until `work` has settled: the timers of waits do not hold it, and a process that has nothing
 * else to do would end in their midst, with status 0 and without a word.
 */
export async function heldProcess<T>(work: () => Promise<T>): Promise<T> {
  const hold = setInterval(() => undefined, LONGEST_TIMER);
  try {
    return await work();
  } finally {
    clearInterval(hold);
  }
}
