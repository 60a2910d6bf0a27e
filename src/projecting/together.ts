/**
 * What is made of each, in their order; to be awaited. Waits only where one has to be waited for: a promise for each of
 * thousands costs more than what most of them do. What making one throws is thrown at once.
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
