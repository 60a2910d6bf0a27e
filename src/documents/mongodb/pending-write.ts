import { randomUUID } from 'node:crypto';
import type { AnyBulkWriteOperation, Filter } from 'mongodb';
import type { DocumentWrite, WriteOutcome } from '../document-store.js';
import { type CollectionPlan, idOf, type StoredRecord } from './collection-plan.js';

/** A write on its way to an outcome, which may take it several commands. */
export interface PendingWrite {
  readonly write: DocumentWrite;
  readonly id: string;
  /** Names this write in the document that it stores. */
  readonly writer: string;
  readonly record: StoredRecord | undefined;
  /**
   * `first` stores where nothing stands, too. `guarded` only replaces: an older document where an upsert was refused,
   * an expired one where an insert was.
   */
  mode: 'first' | 'guarded';
  /** An attempt was cut off and may have been applied, or may yet be. */
  isUncertain: boolean;
  outcome: WriteOutcome | undefined;
}

type Operation = AnyBulkWriteOperation<StoredRecord>;
type Conditions = Record<string, unknown>;

const creatorPrefix = 'i-';

/** @throws TypeError for a document that the port does not allow. */
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

/** Whether the write demands that there is no document yet. */
export function creates(write: DocumentWrite): boolean {
  return write.kind === 'insert' || (write.kind === 'compare_and_set' && write.expected === null);
}

/** Whether a document was created by the write that it names: then no earlier one was there to be replaced. */
export function isCreator(writer: unknown): boolean {
  return typeof writer === 'string' && writer.startsWith(creatorPrefix);
}

/** Whether the bulk tells only by a count if the write found what it replaces. */
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

export function operationOf(plan: CollectionPlan, pending: PendingWrite, now: number): Operation {
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
      return mode === 'first' ? older(write.document) : { $or: weaker(plan, write.document, now) };
    default:
      return {};
  }
}

function older(document: { readonly revision: number }): Conditions {
  return { revision: { $lt: document.revision } };
}

/** The documents that a newer one may replace: older ones, those without a revision, expired ones. */
function weaker(plan: CollectionPlan, document: { readonly revision: number }, now: number): Conditions[] {
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
