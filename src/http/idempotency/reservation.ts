import type { Clock } from '../../config/clock.js';
import type { DocumentStore, WriteOutcome } from '../../documents/document-store.js';
import type { IdempotencyRecord, StoredAnswer } from './idempotency-record.js';
import { IDEMPOTENCY_RECORDS } from './idempotency-record.js';

/** How long a reservation holds unless it is renewed (decisions §4). */
export const LEASE = 30_000;
/** Two renewals may be late before the lease is over. */
const RENEWAL = 10_000;

/** How a reservation ended: with the answer that retries get, or without one. */
export type Ending = StoredAnswer | undefined;

/**
 * The right to execute a command, held by this process. It is renewed until it ends in one of three ways, each of which
 * is the last: `answer`, `release`, `abandon`.
 */
export class Reservation {
  /** Set while a takeover's or the first reservation's own write is under way. */
  private pending: Promise<WriteOutcome | undefined>;
  private cancelRenewal: () => void = () => undefined;
  private refusal: { readonly error: unknown } | undefined;

  constructor(
    private readonly ports: { readonly store: DocumentStore; readonly clock: Clock },
    private record: IdempotencyRecord,
    /** Whether an earlier attempt may have been done: the log is asked first. */
    readonly recovering: boolean,
    private readonly ended: (ending: Ending) => void,
    reserved?: Promise<WriteOutcome | undefined>,
  ) {
    this.pending = reserved ?? Promise.resolve(undefined);
    // Looked at before an append and when the reservation ends; a failure is nobody's unhandled rejection.
    this.pending.catch((error: unknown) => (this.refusal = { error }));
    this.renewLater();
  }

  get commandId(): string {
    return this.record.command_id;
  }

  /**
   * For a command that did not wait for its reservation: what it appended now would be unknown to a retry.
   * @throws what the reservation was refused with
   */
  readonly demandReserved = (): void => {
    if (this.refusal !== undefined) throw this.refusal.error;
  };

  /**
   * Keeps the answer for retries. It may be sent once the promise resolves, and resolves with what is to be sent: the
   * answer of another process where that one took the lease over and was first.
   * @throws StoreUnavailableError
   */
  async answer(answer: StoredAnswer): Promise<StoredAnswer> {
    let kept: Ending;
    try {
      kept = (await this.replace({ answer })) ? answer : await this.storedAnswer(answer);
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
      await this.ports.store.write([{ kind: 'delete', collection: IDEMPOTENCY_RECORDS.name, id, expected }]);
    } catch {
      // The lease ends by itself; until then a retry is told to come back.
    } finally {
      this.end(undefined);
    }
  }

  /** Lets a retry take over at once, under the same command id: whether anything was appended is not known. */
  async abandon(): Promise<void> {
    try {
      await this.replace({ lease_until: 0 });
    } catch {
      // As above.
    } finally {
      this.end(undefined);
    }
  }

  private end(ending: Ending): void {
    this.cancelRenewal();
    this.ended(ending);
  }

  /** Waits for a write under way, so that versions follow each other. */
  private async settlePending(): Promise<void> {
    this.cancelRenewal();
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
          return undefined;
        });
      // A renewal that failed is a lease that may run out; the end finds out and is told so.
      this.pending = this.pending.catch(() => undefined);
    });
  }
}
