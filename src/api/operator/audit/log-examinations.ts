import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { Environment } from '#kernel/environment/environment.js';
import { CLOCK, ENVIRONMENT, EVENT_STORE, LOGGER, RECORDS } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { describeDamage } from '#eventsourcing/log/describe-damage.js';
import { UnreadableEventError } from '#eventsourcing/log/event-store.errors.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { CheckpointFile, CheckpointFileError } from '#eventsourcing/proof/checkpoint-file.js';
import type { AuditCheckpoint } from '#eventsourcing/proof/checkpoint.js';
import { Checkpoints, LogDiffersError } from '#eventsourcing/proof/checkpoints.js';
import { describeFault } from '#eventsourcing/proof/chain-fault.js';
import { SignedHeads } from '#eventsourcing/proof/signed-heads.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import { credentialFaults } from '#domain/operators/index.js';
import { assertSeesWholeLog } from './whole-log.js';

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

const MOST_FAULTS = 20;

/**
 * Examines the whole log in the service, as the `audit` commands do (decisions §7). A process runs one examination at a time. Only
 * operators of all companies may start one. It lets requests run first.
 */
@Injectable()
export class LogExaminations implements OnModuleDestroy {
  readonly #stop = new AbortController();
  #examination: Examination | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly damaged: DamagedStreams,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.#stop.abort(new Error('The service is ending.'));
    await this.#running;
  }

  /** The one that runs, or the last one. @throws ApiError 403 */
  find(principal: OperatorPrincipal): Examination | undefined {
    assertSeesWholeLog(principal);
    return this.#examination;
  }

  /**
   * Starts to recompute all chains and to compare them with the checkpoints in the file. Does nothing while another examination
   * runs. @throws ApiError 403
   */
  verify(principal: OperatorPrincipal): void {
    this.#start('verification', principal, () => this.#verify());
  }

  /**
   * Starts to sign a checkpoint, unless another examination runs. It stands in the answer alone: the hourly checkpoints are
   * appended to the file. @throws ApiError 403
   */
  sign(principal: OperatorPrincipal): void {
    this.#start('checkpoint', principal, () => this.#sign());
  }

  /** Resolves when no examination runs. */
  settled(): Promise<void> {
    return this.#running;
  }

  #start(kind: Examination['kind'], principal: OperatorPrincipal, work: () => Promise<void>): void {
    assertSeesWholeLog(principal);
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
      signed = new SignedHeads((await SigningKey.known(audit_signing_key, data_dir))?.name, {
        newestOnly: true,
      });
      await new CheckpointFile(file).read(signed);
    }
    const { events, streams, fault } = await verifyAll(this.store, {
      signed,
      readsEachStream: eventstore_url === undefined,
      signal: this.#stop.signal,
      progress: (read, share) => this.#update({ events: read, share }),
    });
    const faults = fault === null ? [] : [describeFault(fault)];
    faults.push(...this.damaged.listDamages().map(describeDamage));
    faults.push(...(signed?.differences() ?? []));
    const ports = { records: this.records, log: this.store };
    // Credentials are compared with events, so these must be sound.
    if (fault === null) faults.push(...(await credentialFaults(ports, this.clock)));
    this.#update({ events, streams, share: 1, reach: signed?.reach ?? null, ...listed(faults) });
  }

  async #sign(): Promise<void> {
    const { audit_checkpoint_file: file, audit_signing_key, data_dir } = this.environment;
    const key = await SigningKey.open(audit_signing_key, data_dir);
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
