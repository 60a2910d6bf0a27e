import type { DocumentWrite, WriteOutcome } from '#eventsourcing/documents/document-store.js';
import {
  assertIndexable,
  assertSoundId,
  indexKeys,
  sameIndexValues,
  type CollectionState,
  type IndexState,
  type StoredJson,
} from './collection-state.js';
import type { EmbeddedDatabase } from '../database/embedded-database.js';
import { frozenJson, type FrozenObject } from '../database/json-object.js';
import { type ByteString, fittingKey, utf8Bytes } from '../database/key-encoding.js';
import type { StoreTable } from '../database/table.js';
import type { WriteGroup } from '../database/group-commit.js';

/** A checked write with a frozen document, before it joins a commit. */
export interface PreparedWrite {
  readonly write: DocumentWrite;
  readonly state: CollectionState;
  readonly idBytes: ByteString;
}

/** @throws TypeError for a document that the port does not allow */
export function prepareWrite(write: DocumentWrite, state: CollectionState): PreparedWrite {
  if (write.kind === 'delete') return { write, state, idBytes: utf8Bytes(write.id) };
  const document = frozenJson(write.document);
  assertSoundId(document._id);
  assertIndexable(state, document as StoredJson);
  return { write: { ...write, document } as DocumentWrite, state, idBytes: utf8Bytes(document._id) };
}

/** The present document under an id, in the group or in the file, and its keys. */
interface CurrentDocument {
  readonly key: ByteString;
  readonly idBytes: ByteString;
  readonly stored: StoredJson | undefined;
}

/** The keys of a document in an index, before and after a write that changes them. */
interface ChangedKeys {
  readonly index: IndexState;
  readonly before: readonly ByteString[];
  readonly after: readonly ByteString[];
}

/** Checks the conditions of writes, and changes documents together with their index and expiry entries. */
export class DocumentWriter {
  readonly #documents: StoreTable<FrozenObject>;
  readonly #indexes: StoreTable;
  readonly #expiry: StoreTable;

  constructor(database: EmbeddedDatabase) {
    this.#documents = database.table('documents');
    this.#indexes = database.table('indexes');
    this.#expiry = database.table('expiry');
  }

  apply(group: WriteGroup, prepared: PreparedWrite, now: number): WriteOutcome {
    const { write, state, idBytes } = prepared;
    const current = this.#find(group, state, idBytes);
    const refusal = refuse(write, alive(state, current.stored, now));
    if (refusal !== undefined) return refusal;
    if (write.kind === 'delete') {
      this.#remove(group, state, current);
      return written;
    }
    const next = write.document as StoredJson;
    const changed = changedKeys(state, current, next);
    const taken = this.#takenIndex(group, state, { changed, next, now });
    if (taken !== undefined) return { kind: 'duplicate', index: taken };
    for (const { before, after } of changed) {
      // A list may have hundreds of elements.
      const kept = new Set(after);
      const known = new Set(before);
      for (const key of before) if (!kept.has(key)) group.remove(this.#indexes, key);
      for (const key of after) if (!known.has(key)) group.put(this.#indexes, key, next._id);
    }
    if (state.record.expiry !== null) this.#replaceExpiry(group, state, current, next);
    group.put(this.#documents, current.key, next);
    return written;
  }

  /** The document as the group sees it; undefined if there is none or it has expired. */
  current(group: WriteGroup, state: CollectionState, idBytes: ByteString, now: number): unknown {
    return alive(state, this.#find(group, state, idBytes).stored, now);
  }

  /** Removes a document if it has expired by now: a later write may have extended it. */
  removeExpired(group: WriteGroup, state: CollectionState, idBytes: ByteString, now: number): void {
    const current = this.#find(group, state, idBytes);
    if (current.stored !== undefined && state.isExpired(current.stored, now))
      this.#remove(group, state, current);
  }

  /** Adds a document to an index that was declared after the document was stored. */
  addToIndex(group: WriteGroup, index: IndexState, document: StoredJson): void {
    for (const key of indexKeys(index, document, utf8Bytes(document._id))) {
      const owner = index.unique ? group.get(this.#indexes, key) : undefined;
      if (owner !== undefined && owner !== document._id) {
        throw new Error(`Index ${index.name} cannot be unique: ${owner} and ${document._id} share a key.`);
      }
      group.put(this.#indexes, key, document._id);
    }
  }

  #find(group: WriteGroup, state: CollectionState, idBytes: ByteString): CurrentDocument {
    const key = fittingKey(state.prefix + idBytes);
    return { key, idBytes, stored: group.get(this.#documents, key) as StoredJson | undefined };
  }

  /** The first unique index in which another document already has one of the new keys. Removes expired owners. */
  #takenIndex(
    group: WriteGroup,
    state: CollectionState,
    { changed, next, now }: { changed: readonly ChangedKeys[]; next: StoredJson; now: number },
  ): string | undefined {
    for (const { index, after } of changed) {
      if (!index.unique) continue;
      for (const key of after) {
        const owner = group.get(this.#indexes, key);
        if (owner === undefined || owner === next._id) continue;
        this.removeExpired(group, state, utf8Bytes(owner), now);
        if (group.get(this.#indexes, key) !== undefined) return index.name;
      }
    }
    return undefined;
  }

  #replaceExpiry(
    group: WriteGroup,
    state: CollectionState,
    { stored, key }: CurrentDocument,
    next: StoredJson,
  ): void {
    const before = stored === undefined ? undefined : state.expiryKey(stored, key);
    const after = state.expiryKey(next, key);
    if (before === after) return;
    if (before !== undefined) group.remove(this.#expiry, before);
    if (after !== undefined) group.put(this.#expiry, after, '1');
  }

  #remove(group: WriteGroup, state: CollectionState, { stored, idBytes, key }: CurrentDocument): void {
    if (stored === undefined) return;
    for (const index of state.indexes) {
      for (const entry of indexKeys(index, stored, idBytes)) group.remove(this.#indexes, entry);
    }
    const expiryKey = state.expiryKey(stored, key);
    if (expiryKey !== undefined) group.remove(this.#expiry, expiryKey);
    group.remove(this.#documents, key);
  }
}

function changedKeys(
  state: CollectionState,
  { stored, idBytes }: CurrentDocument,
  next: StoredJson,
): ChangedKeys[] {
  const changed: ChangedKeys[] = [];
  for (const index of state.indexes) {
    if (stored !== undefined && sameIndexValues(index, stored, next)) continue;
    const before = stored === undefined ? [] : indexKeys(index, stored, idBytes);
    changed.push({ index, before, after: indexKeys(index, next, idBytes) });
  }
  return changed;
}

const written: WriteOutcome = { kind: 'written' };
const duplicate: WriteOutcome = { kind: 'duplicate', index: '_id' };
const notNewer: WriteOutcome = { kind: 'not_newer' };
const versionConflict: WriteOutcome = { kind: 'version_conflict' };

function refuse(write: DocumentWrite, current: StoredJson | undefined): WriteOutcome | undefined {
  switch (write.kind) {
    case 'put':
      return undefined;
    case 'insert':
      return current === undefined ? undefined : duplicate;
    case 'put_if_newer':
      return isAtLeast(current, write.document.revision) ? notNewer : undefined;
    case 'compare_and_set':
      return isAt(current, write) ? undefined : versionConflict;
    case 'delete':
      return allowsDelete(current, write) ? undefined : versionConflict;
  }
}

function alive(state: CollectionState, stored: StoredJson | undefined, now: number): StoredJson | undefined {
  return stored === undefined || state.isExpired(stored, now) ? undefined : stored;
}

function isAtLeast(current: StoredJson | undefined, offered: number): boolean {
  const revision = current?.['revision'];
  return typeof revision === 'number' && revision >= offered;
}

type Guard = Pick<Extract<DocumentWrite, { kind: 'delete' }>, 'field'> & {
  readonly expected?: number | null;
};

function isAt(current: StoredJson | undefined, { expected, field = 'version' }: Guard): boolean {
  return expected === null ? current === undefined : current?.[field] === expected;
}

function allowsDelete(current: StoredJson | undefined, guard: Guard): boolean {
  return current === undefined || guard.expected === undefined || isAt(current, guard);
}
