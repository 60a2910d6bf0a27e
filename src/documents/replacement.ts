import type { DocumentStore } from './document-store.js';

/** Makes a document store beside the one in service, to be filled and put in its place. One at a time. */
export interface StoreReplacement {
  /**
   * A store with nothing in it; what an earlier one left is removed first.
   * @throws StoreUnavailableError also where the disk has no room for as much as the one in service holds
   */
  open(): Promise<NextStore>;
}

/** A store that nobody reads from yet. Either it takes over or it is discarded. */
export interface NextStore {
  readonly store: DocumentStore;
  /**
   * Resolves when no process writes to the one in service any more, nor answers what was written to it: what the log holds
   * by then is all that the next one has to hold. Until it has taken over or is discarded.
   * @throws StoreUnavailableError
   */
  announce(): Promise<void>;
  /**
   * Puts it in the place of the one in service, for those who use that now and for every later start. Rejects only where
   * nothing has changed.
   * @returns closes the former one, once nobody reads from it any more, and removes it; never rejects
   * @throws StoreUnavailableError
   */
  takeOver(): Promise<() => Promise<void>>;
  /** Closes and removes it, unless it has taken over. */
  discard(): Promise<void>;
}
