import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import type { DocumentWrite, WriteOutcome } from '#eventsourcing/documents/document-store.js';
import { type CollectionPlan, idOf, type StoredRecord } from './collection-plan.js';

/** A write that has no outcome yet. It may take several commands. */
export interface PendingWrite {
  readonly write: DocumentWrite;
  readonly id: string;
  /** Id of this write. The stored document contains it. */
  readonly writer: string;
  readonly record: StoredRecord | undefined;
  /**
   * `first` may create the document. `guarded` only replaces: an older document after a refused upsert, or an expired
   * one after a refused insert.
   */
  mode: 'first' | 'guarded';
  /** An attempt got no answer. The server may have applied it, or may still do so. */
  isUncertain: boolean;
  outcome: WriteOutcome | undefined;
}

type BulkOperation = AnyBulkWriteOperation<StoredRecord>;
type Conditions = Record<string, unknown>;

const creatorPrefix = 'i-';

/** @throws TypeError for a document that the port does not allow */
export function prepare(plan: CollectionPlan, write: DocumentWrite): PendingWrite {
  const writer = (creates(write) ? creatorPrefix : 'r-') + randomUUID();
  return {
    write,
    id: idOf(write),
    writer,
    record: write.kind === 'delete' ? undefined : plan.encode(write.document, writer),
    mode: 'first',
    isUncertain: false,
    outcome: undefined,
  };
}

/** True if the write demands that there is no document. */
export function creates(write: DocumentWrite): boolean {
  return write.kind === 'insert' || (write.kind === 'compare_and_set' && write.expected === null);
}

/** True if this id belongs to a write that created its document and replaced none. */
export function isCreator(writer: unknown): boolean {
  return typeof writer === 'string' && writer.startsWith(creatorPrefix);
}

/** True if only the bulk's total shows whether the write found the document to replace. */
export function isCounted(pending: PendingWrite): boolean {
  const { write, mode } = pending;
  return (
    (mode === 'guarded' && write.kind !== 'delete') ||
    (write.kind === 'compare_and_set' && write.expected !== null)
  );
}

export function isUpsert({ write, mode }: PendingWrite): boolean {
  return write.kind === 'put' || (write.kind === 'put_if_newer' && mode === 'first');
}

export function operationOf(plan: CollectionPlan, pending: PendingWrite, now: number): BulkOperation {
  const { write, id, mode, record } = pending;
  if (record === undefined) return { deleteOne: { filter: filter(id, expectedVersion(write)) } };
  if (creates(write) && mode === 'first') return { insertOne: { document: record } };
  const conditions = replaceConditions(plan, pending, now);
  return {
    replaceOne: {
      filter: filter(id, conditions),
      replacement: record,
      ...(isUpsert(pending) ? { upsert: true } : {}),
    },
  };
}

function replaceConditions(plan: CollectionPlan, { write, mode }: PendingWrite, now: number): Conditions {
  if (creates(write)) return plan.expired(now) ?? {};
  switch (write.kind) {
    case 'compare_and_set':
      return { ...expectedVersion(write), $and: [plan.alive(now) ?? {}] };
    case 'put_if_newer':
      return mode === 'first' ? older(write.document) : { $or: replaceable(plan, write.document, now) };
    default:
      return {};
  }
}

function older(document: { readonly revision: number }): Conditions {
  return { revision: { $lt: document.revision } };
}

/** Filters for documents that this one may replace: older ones, those without a revision, expired ones. */
function replaceable(
  plan: CollectionPlan,
  document: { readonly revision: number },
  now: number,
): Conditions[] {
  const expired = plan.expired(now);
  return [older(document), { revision: null }, ...(expired === undefined ? [] : [expired])];
}

function expectedVersion(write: DocumentWrite): Conditions {
  const expected = 'expected' in write ? write.expected : undefined;
  return expected === undefined ? {} : { [guardOf(write)]: expected };
}

/** The field that `expected` is compared with. */
export function guardOf(write: DocumentWrite): 'version' | 'revision' {
  return ('field' in write ? write.field : undefined) ?? 'version';
}

function filter(id: string, conditions: Conditions): Filter<StoredRecord> {
  return { _id: id, ...conditions };
}
