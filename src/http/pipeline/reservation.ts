import type { Clock } from '../../config/clock.js';
import type { DocumentStore, WriteOptions } from '../../documents/document-store.js';
import type { CommandReservation } from '../../writing/write-context.js';
import type { IdempotencyRecord, StoredAnswer } from './idempotency-record.js';
import { IDEMPOTENCY_RECORDS } from './idempotency-record.js';

/** How long a reservation holds unless it is renewed (decisions §4). */
export const LEASE = 12_000;
/** Two renewals may fail before the lease is over. */
const RENEWAL = 4_000;

/** How a reservation ended: with the answer that retries get, or without one. */
export type Ending = StoredAnswer | undefined;

/** The ports of a reservation. */
export interface ReservationPorts {
  readonly store: DocumentStore;
  readonly clock: Clock;
  /**
   * The records commit in the order asked, and no other process works beside this one: nothing is reserved before there is
   * something to append, and no lease need be kept. An answer that a retry would find in the log may be kept after it was
   * sent: one store holds both, and fails for both.
   */
  readonly joins: boolean;
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
  private hasEnded = false;
  /** Whether an earlier attempt may have been done: the log is asked first. */
  readonly recovering: boolean;

  /** @param isReserved whether the record is stored as it is */
  constructor(
    private readonly ports: ReservationPorts,
    private record: IdempotencyRecord,
    { recovering, isReserved }: { recovering: boolean; isReserved: boolean },
    private readonly ended: (ending: Ending, settled: Promise<unknown>) => void,
    /** Its time is over once the lease is lost: nothing more is appended in its name. */
    private readonly request: { isOver: boolean },
  ) {
    this.recovering = recovering;
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
    if (this.ports.joins && this.isInLog === true) {
      this.end(answer, this.keep(answer, { lazy: true }));
      return answer;
    }
    let kept: Ending;
    try {
      kept = await this.keep(answer);
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

  private async keep(answer: StoredAnswer, options?: WriteOptions): Promise<StoredAnswer> {
    if (this.reserving !== undefined) {
      return (await this.replace({ answer }, options)) ? answer : this.storedAnswer(answer);
    }
    await this.insert({ ...this.record, answer });
    return answer;
  }

  private end(ending: Ending, settled: Promise<unknown> = Promise.resolve()): void {
    this.hasEnded = true;
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

  private async replace(change: Partial<IdempotencyRecord>, options?: WriteOptions): Promise<boolean> {
    await this.settlePending();
    return this.compareAndSet(change, options);
  }

  private async compareAndSet(change: Partial<IdempotencyRecord>, options?: WriteOptions): Promise<boolean> {
    const expected = this.record.version;
    const document = { ...this.record, ...change, version: expected + 1 };
    const collection = IDEMPOTENCY_RECORDS.name;
    const write = { kind: 'compare_and_set', collection, expected, document } as const;
    const [outcome] = await this.ports.store.write([write], options);
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
      this.pending = this.pending.then(() => this.renew());
    });
  }

  private async renew(): Promise<void> {
    try {
      const held = await this.compareAndSet({ lease_until: this.ports.clock.now() + LEASE });
      if (!held) return this.lose();
    } catch {
      // The store may be back before the lease ends.
      if (this.ports.clock.now() + RENEWAL >= this.record.lease_until) return this.lose();
    }
    if (!this.hasEnded) this.renewLater();
  }

  private lose(): void {
    this.request.isOver = true;
  }
}
