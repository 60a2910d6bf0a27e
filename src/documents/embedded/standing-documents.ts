import type { CollectionState, StoredJson } from './collection-state.js';
import type { ByteString } from '../../storage/key-encoding.js';
import type { WriteGroup } from '../../storage/write-group.js';

/** Beyond this many the cache begins anew: it only spares reading and parsing what was written before. */
const mostRemembered = 16_384;

interface Remembered {
  readonly state: CollectionState;
  readonly fields: StoredJson;
}

/**
 * Of documents replaced lately, the fields that the next write of them is judged by: guards, expiry and indexed fields.
 * Nobody else writes the store, so what was committed last still stands.
 */
export class StandingDocuments {
  private readonly committed = new Map<ByteString, Remembered>();
  private group: WriteGroup | undefined;
  /** What the group under evaluation would leave; null where it removes the document. */
  private staged = new Map<ByteString, Remembered | null>();

  /** undefined where nothing is remembered, null where the group has removed the document. */
  get(group: WriteGroup, state: CollectionState, key: ByteString): StoredJson | null | undefined {
    const staged = this.group === group ? this.staged.get(key) : undefined;
    if (staged === null) return null;
    const remembered = staged ?? this.committed.get(key);
    // A collection that was declared anew may have other indexes.
    return remembered?.state === state ? remembered.fields : undefined;
  }

  written(group: WriteGroup, state: CollectionState, key: ByteString, document: StoredJson): void {
    this.stagedIn(group).set(key, { state, fields: state.judgedFields(document) });
  }

  removed(group: WriteGroup, key: ByteString): void {
    this.stagedIn(group).set(key, null);
  }

  private stagedIn(group: WriteGroup): Map<ByteString, Remembered | null> {
    if (this.group === group) return this.staged;
    const staged = new Map<ByteString, Remembered | null>();
    this.group = group;
    this.staged = staged;
    group.afterCommit(() => this.remember(staged));
    // Whether the former versions still stand is not known.
    group.afterFailure(() => this.committed.clear());
    return staged;
  }

  private remember(staged: ReadonlyMap<ByteString, Remembered | null>): void {
    if (this.committed.size + staged.size > mostRemembered) this.committed.clear();
    for (const [key, remembered] of staged) {
      if (remembered === null) this.committed.delete(key);
      else this.committed.set(key, remembered);
    }
  }
}
