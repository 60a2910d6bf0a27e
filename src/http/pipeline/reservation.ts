import type { Clock } from '../../config/clock.js';
import type { DocumentStore, WriteOptions } from '../../documents/document-store.js';
import type { CommandReservation } from '../../writing/write-context.js';
import type { IdempotencyRecord, StoredAnswer } from './idempotency-record.js';
import { IDEMPOTENCY_RECORDS } from './idempotency-record.js';

/** Milliseconds that a reservation holds unless it is renewed (decisions §4). */
export const LEASE = 12_000;
/** Milliseconds. Two renewals may fail before the lease ends. */
const RENEWAL = 4_000;

/** The answer that retries get; undefined: none. */
export type Ending = StoredAnswer | undefined;

interface ReservationPorts {
  readonly store: DocumentStore;
  readonly clock: Clock;
  /**
   * True on embedded stores: the records commit in order, together with the log, for one process. So the reservation is
   * written with the append and needs no lease. An answer that a retry could find in the log may be stored after it was sent.
   */
  readonly joins: boolean;
}

/**
 * This process's right to execute a command. It is renewed until exactly one of `answer`, `release` and `abandon` ends it.
 */
export class Reservation implements CommandReservation {
  /** The last write of the record. */
  private pending: Promise<unknown> = Promise.resolve();
  private reserving: Promise<void> | undefined;
  private cancelRenewal: () => void = () => undefined;
  private isInLog: boolean | undefined;
  private hasEnded = false;
  /** True: an earlier attempt may have been executed, so the log must be read first. */
  readonly recovering: boolean;

  /** @param isReserved true: the record is stored already */
  constructor(
    private readonly ports: ReservationPorts,
    private record: IdempotencyRecord,
    { recovering, isReserved }: { recovering: boolean; isReserved: boolean },
    private readonly ended: (ending: Ending, settled: Promise<unknown>) => void,
    /** `isOver` is set if the lease is lost: then nothing more may be appended. */
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
   * Stores the answer for retries. Send the answer that the promise resolves with: if another process took over the lease
   * and was first, it is that process's answer. Does not wait for the store if a retry could find the result in the log.
   * @throws StoreUnavailableError
   */
  async answer(answer: StoredAnswer): Promise<StoredAnswer> {
    if (this.ports.joins && this.isInLog === true) {
      this.end(answer, this.keep(answer, { lazy: true }));
      return answer;
    }
    let stored: Ending;
    try {
      stored = await this.keep(answer);
      return stored;
    } finally {
      this.end(stored);
    }
  }

  /** Frees the key as if it was never used. For refusals before an append was possible. */
  async release(): Promise<void> {
    try {
      await this.settlePending();
      const { _id: id, version: expected } = this.record;
      const write = { kind: 'delete', collection: IDEMPOTENCY_RECORDS.name, id, expected } as const;
      if (this.reserving !== undefined) await this.ports.store.write([write]);
    } catch {
      // The lease ends by itself. Until then a retry gets 503.
    } finally {
      this.end(undefined);
    }
  }

  /** Lets a retry take over at once, with the same command id, because events may have been appended. */
  async abandon(): Promise<void> {
    try {
      // A retry must find the reservation, even if the append that should store it has failed.
      if (this.ports.joins) await this.settlePending();
      else await this.replace({ lease_until: 0 });
    } catch {
      // The lease ends by itself. Until then a retry gets 503.
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

  /** Waits for the running write, because its version must be known. */
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
