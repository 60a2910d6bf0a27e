import { Inject, Injectable, Optional } from '@nestjs/common';
import { CLOCK, IDS, RECORDS } from '../../config/injection-tokens.js';
import { conflict, serviceUnavailable } from '../api-error.js';
import { IDEMPOTENCY_RECORDS } from './idempotency-record.js';
import { LEASE, Reservation } from './reservation.js';
import type { Clock } from '../../config/clock.js';
import type { Ids } from '../../config/ids.js';
import { pause } from '../../config/pause.js';
import type { Collection, DocumentStore } from '../../documents/document-store.js';
import type { RecordsCommit } from '../../storage/records-commit.js';
import type { IdempotencyRecord, StoredAnswer } from './idempotency-record.js';
import type { RequestIdentity } from './request-identity.js';
import type { Ending } from './reservation.js';

/** How the records' store is shared. */
export interface IdempotencySettings {
  /** No other process works beside this one (the embedded store): what another one reserved, a dead one reserved. */
  readonly singleProcess: boolean;
  /** But for `nothing`, a reservation is left to whoever appends, who has it durable no later than the events. */
  readonly recordsCommitWith: RecordsCommit;
}

/** Injection token of `IdempotencySettings`; several processes and no order are assumed where it is not bound. */
export const IDEMPOTENCY_SETTINGS = Symbol('IdempotencySettings');

/** What a keyed request may do: execute, or send an answer that exists. */
export type Claim =
  | { readonly kind: 'reserved'; readonly reservation: Reservation }
  | { readonly kind: 'answered'; readonly answer: StoredAnswer };

const RETENTION = 24 * 60 * 60 * 1000;
/** How long a second request waits for the first (decisions §4). */
const PATIENCE = 30_000;
const FIRST_PAUSE = 20;
const LONGEST_PAUSE = 500;

/** A request of this process that is being executed, or is finding out whether it may be. */
interface Running {
  readonly request_hash: string;
  /** Whether the record is known to carry this hash. */
  confirmed: boolean;
  readonly ended: Promise<Ending>;
}

/** Told how a request has ended, and when its record has been written. */
type End = (ending: Ending, settled?: Promise<unknown>) => void;

/** A request, which waits longer for the one that runs under its key than for anything else. */
interface Waiting {
  isTwin?: boolean;
}

type Step = Claim | 'again' | 'wait';

/** Lets one request per key execute, and gives its answer to all others (specification §5.3, decisions §4). */
@Injectable()
export class Idempotency {
  private readonly instance: string;
  private readonly running = new Map<string, Running>();
  private records: Promise<Collection<IdempotencyRecord>> | undefined;

  constructor(
    @Inject(RECORDS) readonly store: DocumentStore,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(IDS) ids: Ids,
    @Optional()
    @Inject(IDEMPOTENCY_SETTINGS)
    private readonly settings: IdempotencySettings = { singleProcess: false, recordsCommitWith: 'nothing' },
  ) {
    this.instance = ids.ulid();
  }

  /** Whether a request under this record has been answered, or is under way. @throws StoreUnavailableError */
  async isKnown(record_id: string): Promise<boolean> {
    if (this.running.has(record_id)) return true;
    return (await (await this.opened()).get(record_id)) !== undefined;
  }

  /**
   * Claims a command for this request.
   * @param request is told while it waits for another one
   * @throws ApiError 409 where the key was used for another request, 503 where the first one takes too long.
   * @throws StoreUnavailableError
   */
  async claim(identity: RequestIdentity, commandId: string, request: Waiting = {}): Promise<Claim> {
    const deadline = this.clock.now() + PATIENCE;
    for (;;) {
      const other = this.running.get(identity.record_id);
      if (other === undefined) return this.claimAlone(identity, commandId, deadline, request);
      if (other.confirmed && other.request_hash !== identity.request_hash) throw reused();
      request.isTwin = true;
      const ending = await this.within(other.ended, deadline);
      if (ending !== undefined && other.request_hash === identity.request_hash) return answered(ending);
    }
  }

  /** Claims against other processes; requests of this one wait until the claim has ended. */
  private async claimAlone(
    identity: RequestIdentity,
    commandId: string,
    deadline: number,
    request: Waiting,
  ): Promise<Claim> {
    const { promise, resolve } = withResolvers<Ending>();
    const running: Running = { request_hash: identity.request_hash, confirmed: false, ended: promise };
    // Whoever asks while the answer is still being kept is given it from here.
    const end: End = (ending, settled = Promise.resolve()) => {
      const forget = () => void this.running.delete(identity.record_id);
      if (ending === undefined) forget();
      else settled.then(forget, forget);
      resolve(ending);
    };
    this.running.set(identity.record_id, running);
    try {
      const claim = await this.claimRecord(
        (isFirst) => this.step(identity, commandId, end, isFirst),
        deadline,
        request,
      );
      running.confirmed = true;
      // From here on it does its own work.
      request.isTwin = false;
      if (claim.kind === 'answered') end(claim.answer);
      return claim;
    } catch (error) {
      end(undefined);
      throw error;
    }
  }

  private async claimRecord(
    take: (isFirst: boolean) => Promise<Step>,
    deadline: number,
    request: Waiting,
  ): Promise<Claim> {
    let isFirst = true;
    for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
      const step = await take(isFirst);
      isFirst = false;
      request.isTwin ||= step === 'wait';
      if (step === 'wait') await this.pause(wait, deadline);
      else if (step !== 'again') return step;
    }
  }

  /** @param isFirst most keys are new: on servers the reservation is tried before it is looked what stands there */
  private async step(
    identity: RequestIdentity,
    commandId: string,
    end: End,
    isFirst: boolean,
  ): Promise<Step> {
    const records = await this.opened();
    if (isFirst && !this.joins) return this.reserve(identity, commandId, end);
    // Reading first spares retries a write, and is all that an ordered store needs before the work may begin.
    const record = await records.get(identity.record_id);
    if (record === undefined) return this.reserve(identity, commandId, end);
    if (record.request_hash !== identity.request_hash) throw reused();
    if (record.answer !== null) return answered(record.answer);
    return this.isFree(record) ? this.takeOver(record, end) : 'wait';
  }

  private async reserve(identity: RequestIdentity, commandId: string, end: End): Promise<Step> {
    const now = this.clock.now();
    const record: IdempotencyRecord = {
      _id: identity.record_id,
      version: 1,
      request_hash: identity.request_hash,
      command_id: commandId,
      owner: this.instance,
      lease_until: now + LEASE,
      expires_at: now + RETENTION,
      answer: null,
    };
    if (this.joins) return { kind: 'reserved', reservation: this.reservation(record, false, false, end) };
    const [outcome] = await this.store.write([
      { kind: 'insert', collection: IDEMPOTENCY_RECORDS.name, document: record },
    ]);
    if (outcome?.kind !== 'written') return 'again';
    return { kind: 'reserved', reservation: this.reservation(record, false, true, end) };
  }

  private async takeOver(record: IdempotencyRecord, end: End): Promise<Step> {
    const taken: IdempotencyRecord = {
      ...record,
      version: record.version + 1,
      owner: this.instance,
      lease_until: this.clock.now() + LEASE,
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
    return { kind: 'reserved', reservation: this.reservation(taken, true, true, end) };
  }

  private reservation(
    record: IdempotencyRecord,
    recovering: boolean,
    isReserved: boolean,
    end: End,
  ): Reservation {
    return new Reservation(this, record, recovering, isReserved, end);
  }

  get joins(): boolean {
    return this.settings.recordsCommitWith !== 'nothing';
  }

  get keepsBehind(): boolean {
    return this.settings.recordsCommitWith === 'log';
  }

  /** Whether nobody executes any more under an unanswered record. */
  private isFree(record: IdempotencyRecord): boolean {
    if (record.lease_until <= this.clock.now()) return true;
    // This process knows its own running requests, and this one is claiming: an earlier one gave up.
    return record.owner === this.instance || this.settings.singleProcess;
  }

  private opened(): Promise<Collection<IdempotencyRecord>> {
    if (this.records === undefined) {
      this.records = this.store.collection(IDEMPOTENCY_RECORDS);
      this.records.catch(() => {
        // The store could not be reached: the next request asks again.
        this.records = undefined;
      });
    }
    return this.records;
  }

  private async within(ended: Promise<Ending>, deadline: number): Promise<Ending> {
    const late = withResolvers<'late'>();
    const cancel = this.clock.after(Math.max(0, deadline - this.clock.now()), () => late.resolve('late'));
    const result = await Promise.race([ended, late.promise]);
    cancel();
    if (result === 'late') throw stillRunning();
    return result;
  }

  private async pause(milliseconds: number, deadline: number): Promise<void> {
    if (this.clock.now() + milliseconds > deadline) throw stillRunning();
    await pause(this.clock, milliseconds);
  }
}

function answered(answer: StoredAnswer): Claim {
  return { kind: 'answered', answer };
}

function reused() {
  return conflict('Idempotency-Key reused with a different request.', 'idempotency_key_reused');
}

function stillRunning() {
  return serviceUnavailable(
    1,
    'request_in_progress',
    'The first request with this Idempotency-Key is still running.',
  );
}

/** `Promise.withResolvers`, which Node 20 has not. */
function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
