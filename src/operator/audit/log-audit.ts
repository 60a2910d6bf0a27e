import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { type Clock, toTimestamp } from '../../config/clock.js';
import type { Environment } from '../../config/environment.js';
import { CLOCK, ENVIRONMENT, EVENT_STORE, LOGGER, RECORDS } from '../../config/injection-tokens.js';
import type { Logger } from '../../config/logger.js';
import { errorOf } from '../../http/api-error.js';
import type { OperatorPrincipal } from '../../http/authentication.js';
import { Slots } from '../../http/slots.js';
import type { DocumentStore } from '../../documents/document-store.js';
import { UnreadableEventError } from '../../log/event-store.errors.js';
import type { EventStore } from '../../log/event-store.js';
import { CheckpointFile, CheckpointFileError } from '../../log/proof/checkpoint-file.js';
import type { AuditCheckpoint } from '../../log/proof/checkpoint.js';
import { Checkpoints, LogDiffersError } from '../../log/proof/checkpoints.js';
import { describeFault } from '../../log/proof/chain-fault.js';
import { exportLog } from '../../log/proof/export-log.js';
import { chunksOf } from '../../log/proof/lines.js';
import { type CheckpointPage, newestCheckpoints } from '../../log/proof/newest-checkpoints.js';
import { SignedHeads } from '../../log/proof/signed-heads.js';
import { SigningKey } from '../../log/proof/signing-key.js';
import { headOf, type StreamHead } from '../../log/proof/stream-heads.js';
import { type Verification, verifyAll, verifyStream } from '../../log/proof/verify.js';
import { UnitDirectory } from '../../units/index.js';
import { Operators } from '../operators.js';
import { credentialFaults } from './credential-faults.js';
import { ExportSlot } from './export-slot.js';

/** A check of the whole log, or the signing of a checkpoint. Instants are milliseconds. */
export interface Examination {
  readonly kind: 'verification' | 'checkpoint';
  readonly begun_at: number;
  /** Null while it is under way. */
  readonly ended_at: number | null;
  /** The share of the log that was read, 0 to 1. */
  readonly share: number;
  readonly events: number;
  readonly streams: number | null;
  /** A line for each thing that is not as it was written or signed. */
  readonly faults: readonly string[];
  /** The newest checkpoint in the file with which the log was compared. Null if there was none. */
  readonly reach: { readonly events: number; readonly at: string } | null;
  /** The signed checkpoint. */
  readonly checkpoint: AuditCheckpoint | null;
  /** A sentence that says why it could not finish. Null if it did. */
  readonly failure: string | null;
}

/** The result of the check of one unit's stream. */
export interface UnitProof extends Pick<Verification, 'events'> {
  readonly stream: string;
  /** A line about the first event whose hash is wrong. Null if there is none. */
  readonly fault: string | null;
  readonly head: StreamHead | null;
}

/** The wait is shorter than the time limit of a request. */
const EXPORTS = { atOnce: 1, waiting: 4, waitSeconds: 8 } as const;
const MOST_FAULTS = 20;

/**
 * Does in the service what the `audit` commands do (decisions §7). A process runs one examination at a time. Only operators
 * of all companies may start one. It lets requests run first.
 */
@Injectable()
export class LogAudit implements OnModuleDestroy {
  readonly #stop = new AbortController();
  readonly #exports: Slots;
  #examination: Examination | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly units: UnitDirectory,
    private readonly operators: Operators,
  ) {
    this.#exports = new Slots(EXPORTS, clock);
  }

  async onModuleDestroy(): Promise<void> {
    this.#stop.abort(new Error('The service is ending.'));
    await this.#running;
  }

  /** Only operators of all companies: the log holds the events of every company. */
  isFor({ companies }: OperatorPrincipal): boolean {
    return companies === null;
  }

  /** Recomputes the chain of one unit. @throws ApiError 404 @throws StoreUnavailableError @throws UnreadableEventError */
  async ofUnit(unit_id: string): Promise<UnitProof> {
    const unit = await this.units.byUnitId(unit_id);
    if (unit === undefined) throw errorOf('unit_not_found');
    const { _id: stream } = unit;
    const { events, fault } = await verifyStream(this.store, stream);
    const [end] = await this.store.readStream(stream, { backwards: true, limit: 1 });
    return { stream, events, fault: fault && describeFault(fault), head: end ? headOf(end) : null };
  }

  /**
   * The checkpoints in `AUDIT_CHECKPOINT_FILE`, newest first, a page at a time. Undefined if the variable is not set.
   * @param before the `next` of the page before
   */
  async checkpoints(limit: number, before?: number): Promise<CheckpointPage | undefined> {
    const { audit_checkpoint_file: file } = this.environment;
    return file === undefined ? undefined : newestCheckpoints(file, { limit, before });
  }

  /** @throws ApiError 403 */
  examination(principal: OperatorPrincipal): Examination | undefined {
    this.#demandAll(principal);
    return this.#examination;
  }

  /**
   * Starts to recompute all chains and to compare them with the checkpoints in the file. Does nothing while another examination
   * runs. @throws ApiError 403
   */
  verify(principal: OperatorPrincipal): void {
    this.#start('verification', principal, () => this.#verify());
  }

  /** Starts to sign a checkpoint, unless another examination runs. Only the leader appends to the file. @throws ApiError 403 */
  sign(principal: OperatorPrincipal): void {
    this.#start('checkpoint', principal, () => this.#sign());
  }

  /** Resolves when no examination runs. */
  settled(): Promise<void> {
    return this.#running;
  }

  /**
   * The whole log as `audit export` prints it, in chunks. The reader's rights are checked before each chunk. An export ends
   * if its reader takes less than 256 kB a second.
   * @throws ApiError 403, 429 if other exports run for 8 s more @throws StoreUnavailableError
   */
  async export(principal: OperatorPrincipal): Promise<AsyncGenerator<string>> {
    this.#demandAll(principal);
    await this.store.ping();
    const key = await this.#key();
    const slot = new ExportSlot(await this.#exports.take(), this.clock);
    return this.#exported(key, principal, slot);
  }

  async *#exported(key: SigningKey, principal: OperatorPrincipal, slot: ExportSlot): AsyncGenerator<string> {
    try {
      slot.resume(0);
      for await (const chunk of chunksOf(exportLog(this.store, key, this.#now))) {
        await this.operators.demandRights(principal);
        slot.waitForReader();
        yield chunk;
        slot.resume(chunk.length);
      }
    } finally {
      slot.leave();
    }
  }

  #demandAll(principal: OperatorPrincipal): void {
    if (!this.isFor(principal)) throw errorOf('forbidden');
  }

  #start(kind: Examination['kind'], principal: OperatorPrincipal, work: () => Promise<void>): void {
    this.#demandAll(principal);
    if (this.#examination?.ended_at === null) return;
    const none = { ended_at: null, share: 0, events: 0, streams: null, faults: [] } as const;
    const begun_at = this.clock.now();
    this.#examination = { kind, begun_at, ...none, reach: null, checkpoint: null, failure: null };
    this.#running = work()
      .catch((error: unknown) => this.#update(failureOf(error, this.logger)))
      .then(() => this.#update({ ended_at: this.clock.now() }));
  }

  #update(news: Partial<Examination>): void {
    this.#examination = { ...this.#examination!, ...news };
  }

  async #verify(): Promise<void> {
    const { audit_checkpoint_file: file, audit_signing_key, data_dir, eventstore_url } = this.environment;
    let signed: SignedHeads | undefined;
    if (file !== undefined) {
      signed = new SignedHeads((await SigningKey.known(audit_signing_key, data_dir))?.name, true);
      await new CheckpointFile(file).read(signed);
    }
    const { events, streams, fault } = await verifyAll(this.store, {
      signed,
      streams: eventstore_url === undefined,
      signal: this.#stop.signal,
      progress: (read, share) => this.#update({ events: read, share }),
    });
    const faults = fault === null ? [] : [describeFault(fault)];
    faults.push(...(signed?.differences() ?? []));
    const ports = { records: this.records, log: this.store };
    if (fault === null) faults.push(...(await credentialFaults(ports, this.clock)));
    this.#update({ events, streams, share: 1, reach: signed?.reach ?? null, ...listed(faults) });
  }

  async #sign(): Promise<void> {
    const key = await this.#key();
    const { audit_checkpoint_file: file } = this.environment;
    const warn = (line: string) => this.logger.warn({ file }, line);
    const checkpoints = new Checkpoints({ store: this.store, key, file, now: this.#now, warn });
    const stop = () => checkpoints.stop();
    this.#stop.signal.addEventListener('abort', stop);
    try {
      const checkpoint = await checkpoints.next();
      const { events, streams } = checkpoint;
      this.#update({ checkpoint, events, streams, share: 1 });
    } finally {
      this.#stop.signal.removeEventListener('abort', stop);
    }
  }

  #key(): Promise<SigningKey> {
    return SigningKey.open(this.environment.audit_signing_key, this.environment.data_dir);
  }

  readonly #now = () => toTimestamp(this.clock.now());
}

function listed(faults: readonly string[]): Pick<Examination, 'faults'> {
  const rest = faults.length - MOST_FAULTS;
  if (rest <= 0) return { faults };
  return { faults: [...faults.slice(0, MOST_FAULTS), `And ${rest} more, which “audit verify” names.`] };
}

/** A log that differs gives `faults`. A log that cannot be read gives a `failure`. */
function failureOf(error: unknown, logger: Logger): Partial<Examination> {
  if (error instanceof LogDiffersError) return listed(error.differences);
  if (error instanceof UnreadableEventError) return listed([error.message]);
  if (error instanceof CheckpointFileError) return { failure: error.message };
  logger.warn({ error }, 'A check of the log could not be finished.');
  return { failure: 'The log could not be read to its end. Try again in a minute.' };
}
