import { TURNS } from './turns.js';

/** Items at the same time. */
const AT_ONCE = 16;

/** Runs `work` for all items, a few at the same time. @returns results in the order of `all` */
export async function inBatches<One, Result>(
  all: readonly One[],
  work: (one: One) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    results.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(work))));
    const pause = TURNS.pauseIfLong();
    if (pause !== undefined) await pause;
  }
  return results;
}
