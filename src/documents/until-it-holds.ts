import { StoreUnavailableError } from '../storage/store.errors.js';

/** The result of an attempt that another writer overtook. */
export const OVERTAKEN = Symbol('overtaken');

/** Every lost attempt is another writer's success. So many in a row are a fault. */
const MOST_ATTEMPTS = 100;

/**
 * Repeats a compare-and-set until no other writer is faster. The attempt reads, decides and writes anew each time.
 * @throws StoreUnavailableError after 100 attempts: the request may be sent again
 */
export async function untilItHolds<T>(attempt: () => Promise<T | typeof OVERTAKEN>): Promise<T> {
  for (let number = 1; number <= MOST_ATTEMPTS; number += 1) {
    const result = await attempt();
    if (result !== OVERTAKEN) return result;
  }
  throw new StoreUnavailableError(`Another writer was first ${MOST_ATTEMPTS} times in a row.`, true);
}

/** The same for at least one thing. The attempt gets those that are open, and answers those that others overtook. */
export async function untilAllHold<T>(
  all: readonly T[],
  attempt: (open: readonly T[]) => Promise<readonly T[]>,
): Promise<void> {
  let open = all;
  await untilItHolds(async () => {
    open = await attempt(open);
    return open.length === 0 ? undefined : OVERTAKEN;
  });
}
