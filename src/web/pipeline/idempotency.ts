import { Inject, Injectable, Optional } from '@nestjs/common';
import { backOff } from '#kernel/core/back-off.js';
import { within } from '#kernel/within.js';
import { CLOCK, EMBEDDED, IDS, RECORDS } from '#kernel/injection-tokens.js';
import { type ApiError, errorOf, serviceUnavailable } from '#kernel/errors/api-error.js';
import { IDEMPOTENCY_RECORDS, unpacked } from './idempotency-record.js';
import { KeptBytes } from './kept-bytes.js';
import { LEASE_MS, Reservation } from './reservation.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { pause } from '#kernel/pause.js';
import type { Collection, DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { OpenRequestContext } from '../request-context.js';
import type { IdempotencyRecord, StoredAnswer } from './idempotency-record.js';
import type { Ending } from './reservation.js';

export interface KnownKey {
  readonly record_id: string;
  readonly record: IdempotencyRecord | undefined;
  /** True if a request with this key was answered, or may be running. */
  readonly isTaken: boolean;
}

interface Identity extends KnownKey {
  readonly request_hash: string;
}

/** A request with a key executes, gets the stored answer, or is refused because another request has used the key. */
export type Claim =
  | { readonly kind: 'reserved'; readonly reservation: Reservation }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer }
  | { readonly kind: 'reused'; readonly refusal: ApiError };

const RETENTION_MS = 24 * 60 * 60 * 1000;
/** Milliseconds that a repeat waits for the first request (decisions §4). */
const LONGEST_WAIT_MS = 30_000;
const PAUSES_MS = { first: 20, longest: 500 };

/** A request of this process that executes, or is about to claim its key. */
interface Running {
  readonly request_hash: string;
  /** Whether the record is known to have this hash. */
  confirmed: boolean;
  readonly ended: Promise<Ending>;
}

/** Reports the result of a request. `settled` resolves when its record is written. */
type End = (ending: Ending, settled?: Promise<unknown>) => void;

/** A repeat may wait longer for the first request than for anything else. */
type Waiting = Pick<OpenRequestContext['deadline'], 'waitForFirst' | 'stopWaiting' | 'giveUp'>;

type Step = Claim | 'again' | 'wait';

/** One request for each key executes. All others get its answer (specification §5.3, decisions §4). */
@Injectable()
export class Idempotency {
  readonly #instance: string;
  readonly #running = new Map<string, Running>();
  #records: Promise<Collection<IdempotencyRecord>> | undefined;

  constructor(
    @Inject(RECORDS) readonly store: DocumentStore,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(IDS) ids: Ids,
    /** The append stores the reservation too. A reservation of another process is one of a dead process. */
    @Optional() @Inject(EMBEDDED) readonly joins = false,
    @Optional() readonly kept?: KeptBytes,
  ) {
    this.#instance = ids.ulid();
  }

  /** Reads the record of a key, before the request is counted and its body is read. @throws StoreUnavailableError */
  async lookUp(record_id: string): Promise<KnownKey> {
    if (this.#running.has(record_id)) return { record_id, record: undefined, isTaken: true };
    const record = await (await this.#opened()).get(record_id);
    const isTaken = record !== undefined && (record.answer !== null || !this.#isFree(record));
    return { record_id, record, isTaken };
  }

  /**
   * Claims a command for this request. Waits while another request runs under its key.
   * @throws ApiError 503 if the first request takes too long. @throws StoreUnavailableError
   */
  async claim(
    key: KnownKey,
    request_hash: string,
    { command_id: commandId, deadline: request }: Pick<OpenRequestContext, 'command_id' | 'deadline'>,
  ): Promise<Claim> {
    const identity: Identity = { ...key, request_hash };
    const deadline = this.clock.now() + LONGEST_WAIT_MS;
    for (;;) {
      const other = this.#running.get(identity.record_id);
      if (other === undefined) return this.#claimAlone(identity, commandId, deadline, request);
      if (other.confirmed && other.request_hash !== identity.request_hash) return reused();
      request.waitForFirst();
      const ending = await this.#within(other.ended, deadline);
      if (ending !== undefined && other.request_hash === identity.request_hash) return answered(ending);
    }
  }

  /** Claims the key against other processes. Requests of this process wait until the claim has ended. */
  async #claimAlone(
    identity: Identity,
    commandId: string,
    deadline: number,
    request: Waiting,
  ): Promise<Claim> {
    let resolve!: (ending: Ending) => void;
    const ended = new Promise<Ending>((settle) => (resolve = settle));
    const running: Running = { request_hash: identity.request_hash, confirmed: false, ended };
    // A repeat that arrives while the answer is being stored gets it from memory.
    const end: End = (ending, settled = Promise.resolve()) => {
      const forget = () => void this.#running.delete(identity.record_id);
      if (ending === undefined) forget();
      else settled.then(forget, forget);
      resolve(ending);
    };
    this.#running.set(identity.record_id, running);
    try {
      const claim = await this.#claimRecord(
        (isFirst) => this.#step(identity, commandId, end, isFirst, request),
        deadline,
        request,
      );
      running.confirmed = true;
      // The request no longer waits for another one.
      request.stopWaiting();
      if (claim.kind === 'answered') end(claim.answer);
      if (claim.kind === 'reused') end(undefined);
      return claim;
    } catch (error) {
      end(undefined);
      throw error;
    }
  }

  async #claimRecord(
    take: (isFirst: boolean) => Promise<Step>,
    deadline: number,
    request: Waiting,
  ): Promise<Claim> {
    let isFirst = true;
    for (let tries = 1; ; tries += 1) {
      if (this.clock.now() > deadline) throw stillRunning();
      const step = await take(isFirst);
      isFirst = false;
      if (step === 'wait') {
        request.waitForFirst();
        await this.#pause(backOff(tries, PAUSES_MS), deadline);
      } else if (step !== 'again') return step;
    }
  }

  async #step(
    identity: Identity,
    commandId: string,
    end: End,
    isFirst: boolean,
    request: Waiting,
  ): Promise<Step> {
    // On servers a compare-and-set guards the record that was read before. Embedded stores need a second read.
    const isCurrent = isFirst && !this.joins;
    const record = isCurrent ? identity.record : await (await this.#opened()).get(identity.record_id);
    if (record === undefined) return this.#reserve(identity, commandId, end, request);
    if (record.request_hash !== identity.request_hash) return reused();
    if (record.answer !== null) return answered(unpacked(record.answer));
    return this.#isFree(record) ? this.#takeOver(record, end, request) : 'wait';
  }

  async #reserve(identity: Identity, commandId: string, end: End, request: Waiting): Promise<Step> {
    const now = this.clock.now();
    const record: IdempotencyRecord = {
      _id: identity.record_id,
      version: 1,
      request_hash: identity.request_hash,
      command_id: commandId,
      owner: this.#instance,
      lease_until: now + LEASE_MS,
      expires_at: now + RETENTION_MS,
      answer: null,
    };
    if (this.joins)
      return {
        kind: 'reserved',
        reservation: new Reservation(this, record, { recovering: false, isReserved: false }, end, request),
      };
    const [outcome] = await this.store.write([
      { kind: 'insert', collection: IDEMPOTENCY_RECORDS.name, document: record },
    ]);
    if (outcome?.kind !== 'written') return 'again';
    return {
      kind: 'reserved',
      reservation: new Reservation(this, record, { recovering: false, isReserved: true }, end, request),
    };
  }

  async #takeOver(record: IdempotencyRecord, end: End, request: Waiting): Promise<Step> {
    const taken: IdempotencyRecord = {
      ...record,
      version: record.version + 1,
      owner: this.#instance,
      lease_until: this.clock.now() + LEASE_MS,
    };
    const [outcome] = await this.store.write([
      {
        kind: 'compare_and_set',
        collection: IDEMPOTENCY_RECORDS.name,
        expected: record.version,
        document: taken,
      },
    ]);
    if (outcome?.kind !== 'written') return 'again';
    return {
      kind: 'reserved',
      reservation: new Reservation(this, taken, { recovering: true, isReserved: true }, end, request),
    };
  }

  /** Whether the request of an unanswered record has certainly ended. */
  #isFree(record: IdempotencyRecord): boolean {
    if (record.lease_until <= this.clock.now()) return true;
    // This process knows its running requests, so an earlier request of its own has ended without an answer.
    return record.owner === this.#instance || this.joins;
  }

  #opened(): Promise<Collection<IdempotencyRecord>> {
    if (this.#records === undefined) {
      this.#records = this.store.collection(IDEMPOTENCY_RECORDS);
      this.#records.catch(() => {
        // After a failure, the next request tries again.
        this.#records = undefined;
      });
    }
    return this.#records;
  }

  #within(ended: Promise<Ending>, deadline: number): Promise<Ending> {
    return within(this.clock, Math.max(0, deadline - this.clock.now()), ended).catch(() => {
      throw stillRunning();
    });
  }

  async #pause(milliseconds: number, deadline: number): Promise<void> {
    if (this.clock.now() + milliseconds > deadline) throw stillRunning();
    await pause(this.clock, milliseconds);
  }
}

function answered(answer: StoredAnswer): Claim {
  return { kind: 'answered', answer };
}

const KEY_REUSED =
  'Another request was sent with this Idempotency-Key within 24 hours. Take a fresh key for each operation, and repeat a request unchanged.';

function reused(): Claim {
  return { kind: 'reused', refusal: errorOf('idempotency_key_reused', { hint: KEY_REUSED }) };
}

function stillRunning() {
  return serviceUnavailable(
    1,
    'request_in_progress',
    'The first request with this Idempotency-Key is still running.',
  );
}
