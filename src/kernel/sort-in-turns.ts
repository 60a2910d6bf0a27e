import type { Yielder } from './yielder.js';

/** Items that are sorted or merged without a look at the time: with a slow comparison some milliseconds. */
const RUN = 256;

/**
 * Sorts a copy, equal items in their order, as `toSorted` does. It leaves the event loop to others in between.
 * @throws GivenUpError after the deadline
 */
export async function sortInTurns<One>(
  all: readonly One[],
  compare: (one: One, other: One) => number,
  yielder: Yielder,
): Promise<One[]> {
  let runs: One[][] = [];
  for (let from = 0; from < all.length; from += RUN) {
    runs.push(all.slice(from, from + RUN).sort(compare));
    await yielder.after(RUN);
  }
  while (runs.length > 1) {
    const merged: One[][] = [];
    for (let place = 0; place < runs.length; place += 2)
      merged.push(await merge(runs[place]!, runs[place + 1] ?? [], compare, yielder));
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<One>(
  left: readonly One[],
  right: readonly One[],
  compare: (one: One, other: One) => number,
  yielder: Yielder,
): Promise<One[]> {
  const merged: One[] = [];
  let ofLeft = 0;
  let ofRight = 0;
  while (ofLeft < left.length || ofRight < right.length) {
    const isLeftNext =
      ofRight === right.length || (ofLeft < left.length && compare(left[ofLeft]!, right[ofRight]!) <= 0);
    if (isLeftNext) {
      merged.push(left[ofLeft]!);
      ofLeft += 1;
    } else {
      merged.push(right[ofRight]!);
      ofRight += 1;
    }
    if (merged.length % RUN === 0) await yielder.after(RUN);
  }
  return merged;
}
