import { setTimeout as pause } from 'node:timers/promises';
import type { BulkWriteResult, Collection, WriteError } from 'mongodb';
import { backOff } from '#kernel/core/back-off.js';
import type { Logger } from '#kernel/logger.js';
import { TURNS } from '#kernel/turns.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { CollectionPlan, IndexPlan, StoredRecord } from './collection-plan.js';
import {
  duplicateIndex,
  isAnsweredBulk,
  isDuplicateKey,
  RefusedCallError,
  unavailable,
} from './mongodb-errors.js';
import type { CallDeadline } from './call-deadline.js';
import { creates, isCounted, isUpsert, operationOf, type PendingWrite } from './pending-write.js';
import { judgedFields, settle } from './settlement.js';

/** The part of the driver's collection that writes need. */
export type WritableCollection = Pick<Collection<StoredRecord>, 'bulkWrite' | 'deleteMany' | 'find'>;

/** The server's answer to a bulk: an error for each refused write, and only totals for the others. */
interface Answer {
  readonly errors: ReadonlyMap<PendingWrite, WriteError>;
  readonly result: Pick<BulkWriteResult, 'matchedCount' | 'upsertedCount' | 'deletedCount'>;
}

const maximumRounds = 30;
const pauses = { first: 40, longest: 200 };
const written = { kind: 'written' } as const;

/**
 * Sends writes to different documents of one collection in an unordered bulk, until each has an outcome. Sending a write
 * again is safe: it has a condition, or it stores the same document once more.
 */
export class BulkWriter {
  /** True if something may have been stored. A failure then must not claim that nothing was. */
  hasWritten = false;
  #isShared = false;

  constructor(
    private readonly collection: WritableCollection,
    private readonly plan: CollectionPlan,
    private readonly now: () => number,
    private readonly deadline: CallDeadline,
    private readonly logger?: Pick<Logger, 'warn'>,
  ) {}

  /**
   * @param isShared true if several calls share the bulk: a refusal then throws at once, and each call is sent again alone
   * @throws StoreUnavailableError, RefusedCallError if the server refuses although the connection works
   */
  async write(wave: readonly PendingWrite[], isShared = false): Promise<void> {
    this.#isShared = isShared;
    // Two bulks that write the same documents in different orders could deadlock on servers that use transactions.
    let open = [...wave].sort((left, right) => (left.id < right.id ? -1 : 1));
    for (let round = 0; open.length > 0; round += 1) {
      if (round === maximumRounds || (round > 0 && this.deadline.isOver))
        throw this.deadline.passedError(true);
      // The first retry usually ends a race, so it does not wait.
      if (round > 1) await pause(backOff(round - 1, pauses));
      await this.#round(open);
      open = open.filter(({ outcome }) => outcome === undefined);
    }
  }

  async #round(open: readonly PendingWrite[]): Promise<void> {
    const answer = await this.#send(open);
    if (answer === undefined) return;
    const { matchedCount, upsertedCount, deletedCount } = answer.result;
    const unclear: PendingWrite[] = [];
    for (const [pending, error] of answer.errors) {
      if (await this.#isUnclearRefusal(pending, error)) unclear.push(pending);
    }
    const accepted = open.filter((pending) => !answer.errors.has(pending));
    const matched = matchedCount - (accepted.filter(isUpsert).length - upsertedCount);
    unclear.push(...acceptAll(accepted, matched, deletedCount));
    if (unclear.length > 0) await this.#settleByReading(unclear, matched);
  }

  /** Undefined if the outcome is unknown: the same writes are then sent again. */
  async #send(open: readonly PendingWrite[]): Promise<Answer | undefined> {
    // The driver encodes all documents at once. One of a megabyte costs it 10 ms.
    const turn = TURNS.pauseIfLong();
    if (turn !== undefined) await turn;
    const now = this.now();
    const operations = open.map((pending) => operationOf(this.plan, pending, now));
    try {
      const result = await this.deadline.race('write', () =>
        this.collection.bulkWrite(operations, { ordered: false }),
      );
      this.hasWritten = true;
      return { result, errors: new Map() };
    } catch (error) {
      if (!isAnsweredBulk(error)) return this.#interrupted(open, error);
      const { result } = error;
      const refusals = result.getWriteErrors();
      this.hasWritten ||= refusals.length < open.length;
      return { result, errors: new Map(refusals.map((refusal) => [open[refusal.index]!, refusal])) };
    }
  }

  #interrupted(open: readonly PendingWrite[], error: unknown): undefined {
    const failure = unavailable(error, 'write');
    const isUncertain = failure.outcomeUnknown || open.some((pending) => pending.isUncertain);
    if (!isUncertain) throw failure;
    this.hasWritten = true;
    if (this.#isShared && failure instanceof RefusedCallError) throw failure;
    if (this.deadline.isOver) throw new StoreUnavailableError(failure.message, true);
    const details = { collection: this.plan.name, writes: open.length, reason: failure.message };
    this.logger?.warn(details, 'A write was interrupted; its outcome is being settled.');
    for (const pending of open) pending.isUncertain = true;
  }

  /** True if the stored document must be read to understand a refusal. @throws StoreUnavailableError */
  async #isUnclearRefusal(pending: PendingWrite, error: WriteError): Promise<boolean> {
    const name = isDuplicateKey(error.code) ? duplicateIndex(error) : undefined;
    if (name === '_id_') {
      // A `put` that lost a race is sent again. An insert may have stored the document itself, in an earlier attempt. What is
      // not newer need not be sent again.
      return creates(pending.write) || pending.write.kind === 'put_if_newer';
    }
    const index = this.plan.indexes.find((candidate) => candidate.name === name);
    if (index === undefined) {
      throw new RefusedCallError(
        `MongoDB refused a write to ${this.plan.name}: ${error.errmsg ?? ''} (${error.code})`,
        this.hasWritten,
      );
    }
    if (!(await this.#freeExpired(index, pending)))
      pending.outcome = { kind: 'duplicate', index: index.name };
    return false;
  }

  /** Removes an expired document that has the key. False if there is none. */
  async #freeExpired(index: IndexPlan, { record }: PendingWrite): Promise<boolean> {
    const expired = this.plan.expired(this.now());
    if (expired === undefined || record === undefined) return false;
    const key = index.fields.map((field): [string, unknown] => {
      const value = record[field];
      return [field, Array.isArray(value) ? { $in: value } : value];
    });
    const filter = { ...Object.fromEntries(key), $and: [expired] };
    const { deletedCount } = await this.deadline.call('write', () => this.collection.deleteMany(filter));
    return deletedCount > 0;
  }

  async #settleByReading(unclear: readonly PendingWrite[], matched: number): Promise<void> {
    const ids = unclear.map(({ id }) => id);
    const fields = { projection: judgedFields(this.plan), batchSize: ids.length + 1 };
    let stored: StoredRecord[];
    try {
      stored = await this.deadline.call('read', () =>
        this.collection.find<StoredRecord>({ _id: { $in: ids } }, fields).toArray(),
      );
    } catch (error) {
      this.#interrupted(unclear, new StoreUnavailableError((error as Error).message, true));
      return;
    }
    const byId = new Map(stored.map((record) => [record._id, record]));
    settle(unclear, byId, { plan: this.plan, now: this.now(), matched });
  }
}

/** Sets the outcomes that follow from the totals. Returns the writes whose outcome does not. */
function acceptAll(accepted: readonly PendingWrite[], matched: number, deleted: number): PendingWrite[] {
  const counted = accepted.filter(isCounted);
  const deletes = accepted.filter(({ write }) => write.kind === 'delete');
  const unclear = new Set([
    ...(matched === counted.length ? [] : counted),
    ...(deleted === deletes.length ? [] : deletes.filter(isGuardedDelete)),
  ]);
  for (const pending of accepted) if (!unclear.has(pending)) pending.outcome = written;
  return [...unclear];
}

function isGuardedDelete({ write }: PendingWrite): boolean {
  return write.kind === 'delete' && write.expected !== undefined;
}
