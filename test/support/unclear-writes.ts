import type { DocumentStore, DocumentWrite } from '#eventsourcing/documents/document-store.js';

/** Whether the write replaces a document that was read: of several such in one call MongoDB tells only how many it did. */
export function isReplacement(write: DocumentWrite): boolean {
  return write.kind === 'compare_and_set' && write.expected !== null;
}

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
  const isMeant = (one: DocumentWrite) => one.collection === collection && isReplacement(one);
  store.write = async (writes) => {
    const replacements = writes.filter(isMeant);
    if (replacements.length < 2 || met.times > 0) return write(writes);
    met.times += 1;
    await write(writes.filter((one) => !isMeant(one) || mayStore(replacements.indexOf(one))));
    return writes.map(() => ({ kind: 'unclear' }));
  };
  return met;
}
