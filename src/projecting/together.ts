/**
 * Results in order, to be awaited. It waits only for promises: one for each of thousands would cost more than most of
 * the work. An error is thrown at once.
 */
export function together<Item, One>(
  items: readonly Item[],
  of: (item: Item) => One | Promise<One>,
): readonly One[] | Promise<readonly One[]> {
  const begun: (One | Promise<One>)[] = [];
  try {
    for (const item of items) begun.push(of(item));
  } catch (error) {
    // Nobody waits for these any more, and one that rejects without that ends the process.
    for (const one of begun) if (one instanceof Promise) one.catch(() => undefined);
    throw error;
  }
  return begun.some((one) => one instanceof Promise) ? Promise.all(begun) : (begun as readonly One[]);
}
