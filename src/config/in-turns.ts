/** Items in work at once: enough that they do not wait for each other. */
const AT_ONCE = 16;

/** Works on all, some at a time. @returns results in the order of `all` */
export async function inTurns<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
  }
  return results;
}
