import type { DocumentWrite, WriteOutcome } from '../document-store.js';
import {
  demandIndexable,
  demandSoundId,
  indexKeys,
  sameIndexValues,
  type CollectionState,
  type IndexState,
  type StoredJson,
} from './collection-state.js';
import { type EmbeddedDatabase, frozenJson, type JsonObject } from '../../storage/embedded-database.js';
import { type ByteString, fittingKey, utf8Bytes } from '../../storage/key-encoding.js';
import type { Table } from '../../storage/table.js';
import type { WriteGroup } from '../../storage/group-commit.js';

/** A write that was checked and encoded before it waits for its group. */
export interface PreparedWrite {
  readonly write: DocumentWrite;
  readonly state: CollectionState;
  readonly idBytes: ByteString;
}

/** @throws TypeError for a document that the port does not allow. */
export function prepareWrite(write: DocumentWrite, state: CollectionState): PreparedWrite {
  if (write.kind === 'delete') return { write, state, idBytes: utf8Bytes(write.id) };
  const document = frozenJson(write.document);
  demandSoundId(document._id);
  demandIndexable(state, document as StoredJson);
  return { write: { ...write, document } as DocumentWrite, state, idBytes: utf8Bytes(document._id) };
}

/** A document as a group sees it, with what is needed to remove it. */
interface Standing {
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

/** Decides writes upon what stands and keeps documents, indexes and expiry in step. */
export class DocumentWriter {
  private readonly documents: Table<JsonObject>;
  private readonly indexes: Table;
  private readonly expiry: Table;

  constructor(database: EmbeddedDatabase) {
    this.documents = database.table('documents');
    this.indexes = database.table('indexes');
    this.expiry = database.table('expiry');
  }

  apply(group: WriteGroup, prepared: PreparedWrite, now: number): WriteOutcome {
    const { write, state, idBytes } = prepared;
    const standing = this.standing(group, state, idBytes);
    const { stored } = standing;
    const refusal = refuse(write, alive(state, stored, now));
    if (refusal !== undefined) return refusal;
    if (write.kind === 'delete') {
      this.remove(group, state, standing);
      return written;
    }
    const next = write.document as StoredJson;
    const changed = changedKeys(state, standing, next);
    const taken = this.takenIndex(group, state, { changed, next, now });
    if (taken !== undefined) return { kind: 'duplicate', index: taken };
    for (const { before, after } of changed) {
      for (const key of before) if (!after.includes(key)) group.remove(this.indexes, key);
      for (const key of after) if (!before.includes(key)) group.put(this.indexes, key, next._id);
    }
    if (state.record.expiry !== null) this.replaceExpiry(group, state, standing, next);
    group.put(this.documents, standing.key, next);
    return written;
  }

  /** The document as it stands for the group; undefined where there is none or its time has come. */
  current(group: WriteGroup, state: CollectionState, idBytes: ByteString, now: number): unknown {
    return alive(state, this.standing(group, state, idBytes).stored, now);
  }

  /** Removes a document whose time has come; a later write may have given it more. */
  removeExpired(group: WriteGroup, state: CollectionState, idBytes: ByteString, now: number): void {
    const standing = this.standing(group, state, idBytes);
    const { stored } = standing;
    if (stored !== undefined && state.isExpired(stored, now)) this.remove(group, state, standing);
  }

  /** Enters a stored document into an index that is newer than it. */
  enter(group: WriteGroup, index: IndexState, document: StoredJson): void {
    for (const key of indexKeys(index, document, utf8Bytes(document._id))) {
      const owner = index.unique ? group.get(this.indexes, key) : undefined;
      if (owner !== undefined && owner !== document._id) {
        throw new Error(`Index ${index.name} cannot be unique: ${owner} and ${document._id} share a key.`);
      }
      group.put(this.indexes, key, document._id);
    }
  }

  private standing(group: WriteGroup, state: CollectionState, idBytes: ByteString): Standing {
    const key = fittingKey(state.prefix + idBytes);
    return { key, idBytes, stored: group.get(this.documents, key) as StoredJson | undefined };
  }

  /** The first unique index in which a new key belongs to another document that has not expired. */
  private takenIndex(
    group: WriteGroup,
    state: CollectionState,
    { changed, next, now }: { changed: readonly ChangedKeys[]; next: StoredJson; now: number },
  ): string | undefined {
    for (const { index, after } of changed) {
      if (!index.unique) continue;
      for (const key of after) {
        const owner = group.get(this.indexes, key);
        if (owner === undefined || owner === next._id) continue;
        this.removeExpired(group, state, utf8Bytes(owner), now);
        if (group.get(this.indexes, key) !== undefined) return index.name;
      }
    }
    return undefined;
  }

  private replaceExpiry(
    group: WriteGroup,
    state: CollectionState,
    standing: Standing,
    next: StoredJson,
  ): void {
    const { stored, key } = standing;
    const before = stored === undefined ? undefined : state.expiryKey(stored, key);
    const after = state.expiryKey(next, key);
    if (before === after) return;
    if (before !== undefined) group.remove(this.expiry, before);
    if (after !== undefined) group.put(this.expiry, after, '1');
  }

  private remove(group: WriteGroup, state: CollectionState, standing: Standing): void {
    const { stored, idBytes, key } = standing;
    if (stored === undefined) return;
    for (const index of state.indexes) {
      for (const entry of indexKeys(index, stored, idBytes)) group.remove(this.indexes, entry);
    }
    const expiryKey = state.expiryKey(stored, key);
    if (expiryKey !== undefined) group.remove(this.expiry, expiryKey);
    group.remove(this.documents, key);
  }
}

function changedKeys(state: CollectionState, standing: Standing, next: StoredJson): ChangedKeys[] {
  const { stored, idBytes } = standing;
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
