import type { DocumentWrite, WriteOutcome } from '../document-store.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import { type CollectionPlan, type StoredRecord, writerField } from './collection-plan.js';
import { creates, guardOf, isCounted, isCreator, type PendingWrite } from './pending-write.js';

interface Circumstances {
  readonly plan: CollectionPlan;
  readonly now: number;
  /** How many of the counted writes found what they replace. */
  readonly matched: number;
}

/**
 * The document's evidence about a write. `overtaken_or_refused`: another writer's later document is there. This write
 * may have been stored before it, or not.
 */
type Verdict = WriteOutcome | 'send_again' | 'overtaken_or_refused';

type Replacement = Extract<DocumentWrite, { kind: 'compare_and_set' }>;

const written: WriteOutcome = { kind: 'written' };
const versionConflict: WriteOutcome = { kind: 'version_conflict' };
const unclear: WriteOutcome = { kind: 'unclear' };

/**
 * Gives writes their outcomes by the documents that stand, or leaves them open to be sent again.
 * @throws StoreUnavailableError where neither documents nor counts can tell what became of an attempt that was cut off
 */
export function settle(
  open: readonly PendingWrite[],
  standing: ReadonlyMap<string, StoredRecord>,
  circumstances: Circumstances,
): void {
  const doubtful: PendingWrite[] = [];
  let ours = 0;
  for (const pending of open) {
    const verdict = judge(pending, standing.get(pending.id), circumstances);
    if (isCounted(pending) && verdict === written) ours += 1;
    if (verdict === 'overtaken_or_refused') doubtful.push(pending);
    else if (verdict !== 'send_again') pending.outcome = verdict;
  }
  settleByCount(doubtful, Math.max(0, circumstances.matched - ours));
}

/** Writes that matched and are not found any more were stored, then replaced. Only "all" or "none" is certain. */
function settleByCount(doubtful: readonly PendingWrite[], overtaken: number): void {
  if (doubtful.some(({ isUncertain }) => isUncertain)) {
    throw new StoreUnavailableError('MongoDB stored other writes over those whose outcome was asked.', true);
  }
  let outcome = unclear;
  if (overtaken === 0) outcome = versionConflict;
  else if (overtaken === doubtful.length) outcome = written;
  for (const pending of doubtful) pending.outcome = outcome;
}

function judge(
  pending: PendingWrite,
  record: StoredRecord | undefined,
  { plan, now }: Circumstances,
): Verdict {
  if (record !== undefined && record[writerField] === pending.writer) return written;
  const alive = record === undefined || plan.isExpired(record, now) ? undefined : record;
  // If nothing stands there, it is stored as the first. It replaces an expired document.
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
  const standing = alive?.['revision'];
  return typeof standing === 'number' && standing >= revision ? { kind: 'not_newer' } : 'send_again';
}

function judgeCreation({ write, isUncertain }: PendingWrite, alive: StoredRecord | undefined): Verdict {
  if (alive === undefined) return 'send_again';
  // Another may have replaced the document that this write created, unless it was itself created there.
  if (isUncertain && !isCreator(alive[writerField])) return 'overtaken_or_refused';
  return write.kind === 'insert' ? { kind: 'duplicate', index: '_id' } : versionConflict;
}

function judgeReplacement(alive: StoredRecord | undefined, write: Replacement): Verdict {
  const { expected } = write;
  const version: unknown = alive?.[guardOf(write)];
  const next = write.field === 'revision' ? write.document.revision : write.document.version;
  // The expected version came back, or a read of the majority lags behind: another attempt tells.
  if (version === expected) return 'send_again';
  // A writer who replaced this write's document would have stored a later version.
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
