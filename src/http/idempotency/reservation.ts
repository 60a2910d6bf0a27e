import type { Clock } from '../../config/clock.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { CommandReservation } from '../../writing/write-context.js';
import type { IdempotencyRecord, StoredAnswer } from './idempotency-record.js';
import { IDEMPOTENCY_RECORDS } from './idempotency-record.js';

/** How long a reservation holds unless it is renewed (decisions §4). */
export const LEASE = 30_000;
/** Two renewals may be late before the lease is over. */
const RENEWAL = 10_000;

/** How a reservation ended: with the answer that retries get, or without one. */
export type Ending = StoredAnswer | undefined;

/** What a reservation works with. */
export interface ReservationPorts {
  readonly store: DocumentStore;
  readonly clock: Clock;
  /**
   * The records commit in the order asked, and no other process works beside this one: nothing is reserved before there is
   * something to append, and no lease need be kept.
   */
  readonly joins: boolean;
  /**
   * What a retry would find in the log need not be kept before it is sent: one store holds both, and fails for both. Where it
   * could not be kept, the retry is answered all the same, but not told that this is a replay.
   */
  readonly keepsBehind: boolean;
}

/**
 * The right to execute a command, held by this process. It is renewed until it ends in one of three ways, each of which
 * is the last: `answer`, `release`, `abandon`.
 */
export class Reservation implements CommandReservation {
  /** The record's last write that was asked for. */
  private pending: Promise<unknown> = Promise.resolve();
  private reserving: Promise<void> | undefined;
  private cancelRenewal: () => void = () => undefined;
  private isInLog: boolean | undefined;

  /** @param isReserved whether the record is stored as it is */
  constructor(
    private readonly ports: ReservationPorts,
    private record: IdempotencyRecord,
    /** Whether an earlier attempt may have been done: the log is asked first. */
    readonly recovering: boolean,
    isReserved: boolean,
    private readonly ended: (ending: Ending, settled: Promise<unknown>) => void,
  ) {
    if (isReserved) this.reserving = Promise.resolve();
    if (!ports.joins) this.renewLater();
  }

  get commandId(): string {
    return this.record.command_id;
  }

  reserve(): Promise<void> {
    this.reserving ??= this.insert(this.record);
    return this.reserving;
  }

  wrote(isInLog: boolean): void {
    this.isInLog = isInLog && this.isInLog !== false;
  }

  /**
   * Keeps the answer for retries. It may be sent once the promise resolves, and resolves with what is to be sent: the
   * answer of another process where that one took the lease over and was first. What a retry would find in the log all the
   * same is not waited for.
   * @throws StoreUnavailableError
   */
  async answer(answer: StoredAnswer): Promise<StoredAnswer> {
    const keeping = this.keep(answer);
    if (this.ports.keepsBehind && this.isInLog === true) {
      this.end(answer, keeping);
      return answer;
    }
    let kept: Ending;
    try {
      kept = await keeping;
      return kept;
    } finally {
      this.end(kept);
    }
  }

  /** Gives the key back as if it had never been used. For refusals before anything could have been appended. */
  async release(): Promise<void> {
    try {
      await this.settlePending();
      const { _id: id, version: expected } = this.record;
      const write = { kind: 'delete', collection: IDEMPOTENCY_RECORDS.name, id, expected } as const;
      if (this.reserving !== undefined) await this.ports.store.write([write]);
    } catch {
      // The lease ends by itself; until then a retry is told to come back.
    } finally {
      this.end(undefined);
    }
  }

  /** Lets a retry take over at once, under the same command id: whether anything was appended is not known. */
  async abandon(): Promise<void> {
    try {
      // A retry must find what was reserved, also where the append that it was to join failed before it.
      if (this.ports.joins) await this.settlePending();
      else await this.replace({ lease_until: 0 });
    } catch {
      // As above.
    } finally {
      this.end(undefined);
    }
  }

  private async keep(answer: StoredAnswer): Promise<StoredAnswer> {
    if (this.reserving !== undefined) {
      return (await this.replace({ answer })) ? answer : this.storedAnswer(answer);
    }
    await this.insert({ ...this.record, answer });
    return answer;
  }

  private end(ending: Ending, settled: Promise<unknown> = Promise.resolve()): void {
    this.cancelRenewal();
    this.ended(ending, settled);
  }

  private async insert(document: IdempotencyRecord): Promise<void> {
    const write = { kind: 'insert', collection: IDEMPOTENCY_RECORDS.name, document } as const;
    const [outcome] = await this.ports.store.write([write]);
    if (outcome?.kind !== 'written') throw new Error('A key was reserved twice in one process.');
  }

  /** Waits for a write under way, so that versions follow each other. */
  private async settlePending(): Promise<void> {
    this.cancelRenewal();
    await this.reserving;
    await this.pending;
  }

  private async replace(change: Partial<IdempotencyRecord>): Promise<boolean> {
    await this.settlePending();
    return this.compareAndSet(change);
  }

  private async compareAndSet(change: Partial<IdempotencyRecord>): Promise<boolean> {
    const expected = this.record.version;
    const document = { ...this.record, ...change, version: expected + 1 };
    const [outcome] = await this.ports.store.write([
      { kind: 'compare_and_set', collection: IDEMPOTENCY_RECORDS.name, expected, document },
    ]);
    if (outcome?.kind !== 'written') return false;
    this.record = document;
    return true;
  }

  private async storedAnswer(own: StoredAnswer): Promise<StoredAnswer> {
    const records = await this.ports.store.collection(IDEMPOTENCY_RECORDS);
    return (await records.get(this.record._id))?.answer ?? own;
  }

  private renewLater(): void {
    this.cancelRenewal = this.ports.clock.after(RENEWAL, () => {
      this.pending = this.pending
        .then(() => this.compareAndSet({ lease_until: this.ports.clock.now() + LEASE }))
        .then((held) => {
          if (held) this.renewLater();
        });
      // A renewal that failed is a lease that may run out; the end finds out and is told so.
      this.pending = this.pending.catch(() => undefined);
    });
  }
}
