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
import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import { frozenJson, type JsonObject } from '../../storage/json-object.js';
import { type ByteString, fittingKey, utf8Bytes } from '../../storage/key-encoding.js';
import type { Table } from '../../storage/table.js';
import type { WriteGroup } from '../../storage/write-group.js';

/** A write that was checked and encoded before it waits for its group. */
export interface PreparedWrite {
  readonly write: DocumentWrite;
  /** Asked when the write is decided: another declaration may have come between. */
  readonly state: () => CollectionState;
  readonly idBytes: ByteString;
}

/** @throws TypeError for a document that the port does not allow. */
export function prepareWrite(write: DocumentWrite, state: () => CollectionState): PreparedWrite {
  if (write.kind === 'delete') return { write, state, idBytes: utf8Bytes(write.id) };
  const document = frozenJson(write.document);
  demandSoundId(document._id);
  demandIndexable(state(), document as StoredJson);
  return { write: { ...write, document } as DocumentWrite, state, idBytes: utf8Bytes(document._id) };
}

/** A document as it stands for a group, with what is needed to take it away again. */
interface Standing {
  readonly key: ByteString;
  readonly idBytes: ByteString;
  readonly stored: StoredJson | undefined;
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
    const { write, idBytes } = prepared;
    const state = prepared.state();
    const standing = this.standing(group, state, idBytes);
    const { stored } = standing;
    const current = stored === undefined || state.isExpired(stored, now) ? undefined : stored;
    const refusal = refuse(write, current);
    if (refusal !== undefined) return refusal;
    if (write.kind === 'delete') {
      if (stored !== undefined) this.remove(group, state, standing);
      return written;
    }
    const next = write.document as StoredJson;
    const taken = this.takenIndex(group, state, { standing, next, now });
    if (taken !== undefined) return { kind: 'duplicate', index: taken };
    this.replace(group, state, standing, next);
    group.put(this.documents, standing.key, next);
    return written;
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

  /** The first unique index in which a key of the next document belongs to another that has not expired. */
  private takenIndex(
    group: WriteGroup,
    state: CollectionState,
    change: { standing: Standing; next: StoredJson; now: number },
  ): string | undefined {
    const { standing, next, now } = change;
    for (const index of state.indexes) {
      if (!index.unique) continue;
      if (standing.stored !== undefined && sameIndexValues(index, standing.stored, next)) continue;
      for (const key of indexKeys(index, next, standing.idBytes)) {
        const owner = group.get(this.indexes, key);
        if (owner === undefined || owner === next._id) continue;
        this.removeExpired(group, state, utf8Bytes(owner), now);
        if (group.get(this.indexes, key) !== undefined) return index.name;
      }
    }
    return undefined;
  }

  /** Rewrites only the entries whose key changes. */
  private replace(group: WriteGroup, state: CollectionState, standing: Standing, next: StoredJson): void {
    const { stored, idBytes } = standing;
    for (const index of state.indexes) {
      if (stored !== undefined && sameIndexValues(index, stored, next)) continue;
      const before = stored === undefined ? [] : indexKeys(index, stored, idBytes);
      const after = indexKeys(index, next, idBytes);
      for (const entry of before) if (!after.includes(entry)) group.remove(this.indexes, entry);
      for (const entry of after) if (!before.includes(entry)) group.put(this.indexes, entry, next._id);
    }
    this.replaceExpiry(group, state, standing, next);
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

const written: WriteOutcome = { kind: 'written' };
const duplicateId: WriteOutcome = { kind: 'duplicate', index: '_id' };
const notNewer: WriteOutcome = { kind: 'not_newer' };
const versionConflict: WriteOutcome = { kind: 'version_conflict' };

function refuse(write: DocumentWrite, current: StoredJson | undefined): WriteOutcome | undefined {
  switch (write.kind) {
    case 'put':
      return undefined;
    case 'insert':
      return unless(current === undefined, duplicateId);
    case 'put_if_newer':
      return unless(!isAtLeast(current?.['revision'], write.document.revision), notNewer);
    case 'compare_and_set':
      return unless(isAtVersion(current, write.expected), versionConflict);
    case 'delete':
      return unless(allowsDelete(current, write.expected), versionConflict);
  }
}

function unless(isAllowed: boolean, refusal: WriteOutcome): WriteOutcome | undefined {
  return isAllowed ? undefined : refusal;
}

function isAtLeast(revision: unknown, offered: number): boolean {
  return typeof revision === 'number' && revision >= offered;
}

function isAtVersion(current: StoredJson | undefined, expected: number | null): boolean {
  return expected === null ? current === undefined : current?.['version'] === expected;
}

function allowsDelete(current: StoredJson | undefined, expected: number | undefined): boolean {
  return current === undefined || expected === undefined || current['version'] === expected;
}
