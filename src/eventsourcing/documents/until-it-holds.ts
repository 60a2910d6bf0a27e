import { StoreUnavailableError } from '#kernel/errors/store.errors.js';

/** Returned by an attempt if another writer was faster. */
export const OVERTAKEN = Symbol('overtaken');

/** Each lost attempt means that another writer succeeded. So many in a row cannot be normal. */
const MOST_ATTEMPTS = 100;

/**
 * Repeats a compare-and-set until it succeeds. The attempt must read, decide and write again each time.
 * @throws StoreUnavailableError after 100 attempts: the request may be sent again
 */
export async function untilItHolds<T>(attempt: () => Promise<T | typeof OVERTAKEN>): Promise<T> {
  for (let number = 1; number <= MOST_ATTEMPTS; number += 1) {
    const result = await attempt();
    if (result !== OVERTAKEN) return result;
  }
  throw new StoreUnavailableError(`Another writer was first ${MOST_ATTEMPTS} times in a row.`, true);
}

/** The same for several items. The attempt gets the open items, and returns those for which another writer was faster. */
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
