import type { Clock } from '#kernel/clock.js';
import type { DocumentStore, WriteOptions } from '#eventsourcing/documents/document-store.js';
import type { CommandReservation } from '#eventsourcing/writing/write-context.js';
import type { IdempotencyRecord, StoredAnswer } from './idempotency-record.js';
import { IDEMPOTENCY_RECORDS, packed, sizeOf, unpacked } from './idempotency-record.js';

/** Milliseconds that a reservation holds unless it is renewed (decisions §4). */
export const LEASE_MS = 12_000;
/** Two renewals may fail before the lease ends. */
const RENEW_EVERY_MS = 4_000;

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
  /** Counts the bytes of answers. */
  readonly kept?: { add(record_id: string, bytes: number): Promise<void> } | undefined;
}

/**
 * This process's right to execute a command, until exactly one of `answer`, `release` and `abandon` ends it. On servers it is
 * a lease, and renewed until then.
 */
export class Reservation implements CommandReservation {
  /** The last write of the record. */
  #pending: Promise<unknown> = Promise.resolve();
  #reserving: Promise<void> | undefined;
  #cancelRenewal: () => void = () => undefined;
  /** Undefined: nothing was written. True: all that was written is in the log, where a retry finds it. */
  #isInLog: boolean | undefined;
  #hasEnded = false;
  /** True: an earlier attempt may have been executed, so the log must be read first. */
  readonly recovering: boolean;

  /** @param isReserved true: the record is stored already */
  constructor(
    private readonly ports: ReservationPorts,
    private record: IdempotencyRecord,
    { recovering, isReserved }: { recovering: boolean; isReserved: boolean },
    /** Called once, with the answer that was stored or undefined. */
    private readonly ended: (ending: Ending, settled: Promise<unknown>) => void,
    /** Given up if the lease is lost: then nothing more may be appended. */
    private readonly request: { giveUp(): void },
  ) {
    this.recovering = recovering;
    if (isReserved) this.#reserving = Promise.resolve();
    if (!ports.joins) this.#renewLater();
  }

  get commandId(): string {
    return this.record.command_id;
  }

  reserve(): Promise<void> {
    this.#reserving ??= this.#insert(this.record);
    return this.#reserving;
  }

  /** Called at the end of each write of the request. */
  wrote(isInLog: boolean): void {
    this.#isInLog = isInLog && this.#isInLog !== false;
  }

  /**
   * Stores the answer for retries. Send the answer that the promise resolves with: if another process took over the lease
   * and was first, it is that process's answer. Does not wait for the store if a retry could find the result in the log.
   * @throws StoreUnavailableError
   */
  async answer(answer: StoredAnswer): Promise<StoredAnswer> {
    if (this.ports.joins && this.#isInLog === true) {
      this.#end(answer, this.#keep(answer, { lazy: true }));
      return answer;
    }
    let stored: Ending;
    try {
      stored = await this.#keep(answer);
      return stored;
    } finally {
      this.#end(stored);
    }
  }

  /** Frees the key as if it was never used. For refusals before an append was possible. */
  async release(): Promise<void> {
    try {
      await this.#stopRenewal();
      const { _id: id, version: expected } = this.record;
      const write = { kind: 'delete', collection: IDEMPOTENCY_RECORDS.name, id, expected } as const;
      if (this.#reserving !== undefined) await this.ports.store.write([write]);
    } catch {
      // The lease ends by itself. Until then a retry that reaches another process waits.
    } finally {
      this.#end(undefined);
    }
  }

  /** Lets a retry take over at once, with the same command id, because events may have been appended. */
  async abandon(): Promise<void> {
    try {
      // A retry must find the reservation. Its insert was begun together with the append (`commitTogether`).
      if (this.ports.joins) await this.#stopRenewal();
      else await this.#replace({ lease_until: 0 });
    } catch {
      // The lease ends by itself. Until then a retry that reaches another process waits.
    } finally {
      this.#end(undefined);
    }
  }

  async #keep(answer: StoredAnswer, options?: WriteOptions): Promise<StoredAnswer> {
    const kept = packed(answer);
    void this.ports.kept?.add(this.record._id, sizeOf(kept));
    if (this.#reserving !== undefined) {
      return (await this.#replace({ answer: kept }, options)) ? answer : this.#storedAnswer(answer);
    }
    await this.#insert({ ...this.record, answer: kept });
    return answer;
  }

  #end(ending: Ending, settled: Promise<unknown> = Promise.resolve()): void {
    this.#hasEnded = true;
    this.#cancelRenewal();
    this.ended(ending, settled);
  }

  async #insert(document: IdempotencyRecord): Promise<void> {
    const write = { kind: 'insert', collection: IDEMPOTENCY_RECORDS.name, document } as const;
    const [outcome] = await this.ports.store.write([write]);
    if (outcome?.kind !== 'written') throw new Error('A key was reserved twice in one process.');
  }

  /** Ends the renewal and waits for the running write, because the next one needs its version. */
  async #stopRenewal(): Promise<void> {
    this.#cancelRenewal();
    await this.#reserving;
    await this.#pending;
  }

  async #replace(change: Partial<IdempotencyRecord>, options?: WriteOptions): Promise<boolean> {
    await this.#stopRenewal();
    return this.#compareAndSet(change, options);
  }

  async #compareAndSet(change: Partial<IdempotencyRecord>, options?: WriteOptions): Promise<boolean> {
    const expected = this.record.version;
    const document = { ...this.record, ...change, version: expected + 1 };
    const collection = IDEMPOTENCY_RECORDS.name;
    const write = { kind: 'compare_and_set', collection, expected, document } as const;
    const [outcome] = await this.ports.store.write([write], options);
    if (outcome?.kind !== 'written') return false;
    this.record = document;
    return true;
  }

  async #storedAnswer(own: StoredAnswer): Promise<StoredAnswer> {
    const records = await this.ports.store.collection(IDEMPOTENCY_RECORDS);
    const stored = (await records.get(this.record._id))?.answer;
    return stored == null ? own : unpacked(stored);
  }

  #renewLater(): void {
    this.#cancelRenewal = this.ports.clock.after(RENEW_EVERY_MS, () => {
      this.#pending = this.#pending.then(() => this.#renew());
    });
  }

  async #renew(): Promise<void> {
    try {
      const held = await this.#compareAndSet({ lease_until: this.ports.clock.now() + LEASE_MS });
      if (!held) return this.#lose();
    } catch {
      // The store may be back before the lease ends.
      if (this.ports.clock.now() + RENEW_EVERY_MS >= this.record.lease_until) return this.#lose();
    }
    if (!this.#hasEnded) this.#renewLater();
  }

  #lose(): void {
    this.request.giveUp();
  }
}
