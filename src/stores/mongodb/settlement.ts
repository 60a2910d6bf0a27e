import type { DocumentWrite, WriteOutcome } from '#eventsourcing/documents/document-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { type CollectionPlan, type StoredRecord, writerField } from './collection-plan.js';
import { creates, guardOf, isCounted, isCreator, type PendingWrite } from './pending-write.js';

interface SettlementContext {
  readonly plan: CollectionPlan;
  readonly now: number;
  /** How many counted writes found the document to replace. */
  readonly matched: number;
}

/**
 * The result of comparing a write with the stored document. `overtaken_or_refused`: a later document of another writer is
 * stored, so this write was replaced by it, or was refused.
 */
type Verdict = WriteOutcome | 'send_again' | 'overtaken_or_refused';

type Replacement = Extract<DocumentWrite, { kind: 'compare_and_set' }>;

const written: WriteOutcome = { kind: 'written' };
const versionConflict: WriteOutcome = { kind: 'version_conflict' };
const unclear: WriteOutcome = { kind: 'unclear' };

/** The fields of a stored document that `settle` needs. A document may have megabytes. */
export function judgedFields({ expiry }: Pick<CollectionPlan, 'expiry'>): Record<string, 1> {
  return { [writerField]: 1, version: 1, revision: 1, ...(expiry !== undefined && { [expiry]: 1 }) };
}

/**
 * Sets the outcomes of writes by the stored documents. A write that must be sent again gets none.
 * @throws StoreUnavailableError if neither documents nor totals show whether an unanswered attempt was applied
 */
export function settle(
  open: readonly PendingWrite[],
  stored: ReadonlyMap<string, StoredRecord>,
  context: SettlementContext,
): void {
  const doubtful: PendingWrite[] = [];
  let ours = 0;
  for (const pending of open) {
    const verdict = judge(pending, stored.get(pending.id), context);
    if (isCounted(pending) && verdict === written) ours += 1;
    if (verdict === 'overtaken_or_refused') doubtful.push(pending);
    else if (verdict !== 'send_again') pending.outcome = verdict;
  }
  settleByCount(doubtful, Math.max(0, context.matched - ours));
}

/**
 * @param overtaken number of doubtful writes that were stored and then replaced. Only "all" or "none" gives certainty.
 */
function settleByCount(doubtful: readonly PendingWrite[], overtaken: number): void {
  if (doubtful.some(({ isUncertain }) => isUncertain)) {
    const text = 'MongoDB cannot tell whether a write was stored, because a later one replaced its document.';
    throw new StoreUnavailableError(text, true);
  }
  let outcome = unclear;
  if (overtaken === 0) outcome = versionConflict;
  else if (overtaken === doubtful.length) outcome = written;
  for (const pending of doubtful) pending.outcome = outcome;
}

function judge(
  pending: PendingWrite,
  record: StoredRecord | undefined,
  { plan, now }: SettlementContext,
): Verdict {
  if (record !== undefined && record[writerField] === pending.writer) return written;
  const alive = record === undefined || plan.isExpired(record, now) ? undefined : record;
  // Sent again, the write creates an absent document and replaces an expired one.
  pending.mode = record === undefined ? 'first' : 'guarded';
  const { write } = pending;
  if (creates(write)) return judgeCreation(pending, alive);
  switch (write.kind) {
    case 'put_if_newer':
      return judgeNewer(alive, write.document.revision);
    case 'compare_and_set':
      return judgeReplacement(alive, write);
    case 'delete':
      return judgeRemoval(alive, guardOf(write), write.expected);
    default:
      return 'send_again';
  }
}

function judgeNewer(alive: StoredRecord | undefined, revision: number): Verdict {
  const stored = alive?.['revision'];
  return typeof stored === 'number' && stored >= revision ? { kind: 'not_newer' } : 'send_again';
}

function judgeCreation({ write, isUncertain }: PendingWrite, alive: StoredRecord | undefined): Verdict {
  if (alive === undefined) return 'send_again';
  // The stored document may have replaced this write's document, unless its own write created it.
  if (isUncertain && !isCreator(alive[writerField])) return 'overtaken_or_refused';
  return write.kind === 'insert' ? { kind: 'duplicate', index: '_id' } : versionConflict;
}

function judgeReplacement(alive: StoredRecord | undefined, write: Replacement): Verdict {
  const { expected } = write;
  const version: unknown = alive?.[guardOf(write)];
  const next = write.field === 'revision' ? write.document.revision : write.document.version;
  // Either the version was set back, or the majority read is late. Another attempt finds out.
  if (version === expected) return 'send_again';
  // A later writer who had replaced this write's document would have stored a greater version.
  if (typeof version === 'number' && version <= next) return versionConflict;
  return 'overtaken_or_refused';
}

function judgeRemoval(
  alive: StoredRecord | undefined,
  guard: 'version' | 'revision',
  expected: number | undefined,
): Verdict {
  if (alive === undefined) return written;
  return alive[guard] === expected ? 'send_again' : versionConflict;
}
