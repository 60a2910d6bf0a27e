import type { DocumentStore, DocumentWrite } from '../../src/documents/document-store.js';

/**
 * Has the store answer the next call that replaces several documents of a collection as MongoDB may: some were replaced,
 * and the store cannot say which.
 * @param mayStore whether the replacement at this place among them is stored.
 * @returns how many calls were answered so.
 */
export function makeUnclear(
  store: DocumentStore,
  collection: string,
  mayStore: (place: number) => boolean,
): { times: number } {
  const met = { times: 0 };
  const write = store.write.bind(store);
  const isReplacement = (one: DocumentWrite) =>
    one.collection === collection && one.kind === 'compare_and_set' && one.expected !== null;
  store.write = async (writes) => {
    const replacements = writes.filter(isReplacement);
    if (replacements.length < 2 || met.times > 0) return write(writes);
    met.times += 1;
    await write(writes.filter((one) => !isReplacement(one) || mayStore(replacements.indexOf(one))));
    return writes.map(() => ({ kind: 'unclear' }));
  };
  return met;
}
