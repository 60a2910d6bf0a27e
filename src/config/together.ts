/**
 * All of them, in their order; to be awaited. Waits only where one has to be waited for: a promise for each of thousands
 * costs more than what most of them do.
 */
export function together<One>(
  all: readonly (One | Promise<One>)[],
): readonly One[] | Promise<readonly One[]> {
  return all.some((one) => one instanceof Promise) ? Promise.all(all) : (all as readonly One[]);
}
