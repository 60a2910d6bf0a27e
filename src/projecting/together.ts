/**
 * Calls `of` for each item. Returns the results in order: as a promise if one of them is a promise, at once otherwise. Thousands
 * of promises would cost more than the work itself. An error is thrown at once.
 */
export function together<Item, One>(
  items: readonly Item[],
  of: (item: Item) => One | Promise<One>,
): readonly One[] | Promise<readonly One[]> {
  const begun: (One | Promise<One>)[] = [];
  try {
    for (const item of items) begun.push(of(item));
  } catch (error) {
    // Nobody awaits these promises now. An unhandled rejection would end the process.
    for (const one of begun) if (one instanceof Promise) one.catch(() => undefined);
    throw error;
  }
  return begun.some((one) => one instanceof Promise) ? Promise.all(begun) : (begun as readonly One[]);
}
