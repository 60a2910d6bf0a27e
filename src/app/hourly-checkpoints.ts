import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { Environment } from '#kernel/environment/environment.js';
import { CLOCK, ENVIRONMENT, EVENT_STORE, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { Checkpoints, LogDiffersError } from '#eventsourcing/proof/checkpoints.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { SigningKey } from '#eventsourcing/proof/signing-key.js';

const HOUR_MS = 3_600_000;
/** Most differences in a log line. `audit verify` lists all. */
const MOST_LOGGED = 10;

/** Appends an audit checkpoint to `AUDIT_CHECKPOINT_FILE` once an hour, if the file is configured (decisions §7). */
@Injectable()
export class HourlyCheckpoints {
  #checkpoints: Checkpoints | undefined;
  #due = 0;
  readonly #work: RepeatedWork;

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    const interval = () => Math.max(0, this.#due - clock.now());
    const failed = (error: unknown) => this.#report(error);
    this.#work = new RepeatedWork({ clock, interval, failed }, () => this.#sign());
  }

  start(): void {
    if (this.environment.audit_checkpoint_file !== undefined) this.#work.start();
  }

  /** Resolves when the running checkpoint has ended; no other one starts. */
  async stop(): Promise<void> {
    const stopped = this.#work.stop();
    this.#checkpoints?.stop();
    await stopped;
    this.#checkpoints = undefined;
  }

  async #sign(): Promise<void> {
    this.#due = this.clock.now() + HOUR_MS;
    this.#checkpoints ??= await this.#open();
    if (!this.#work.isOver) await this.#checkpoints.next();
  }

  #report(error: unknown): void {
    const { audit_checkpoint_file: file } = this.environment;
    if (error instanceof LogDiffersError) {
      const { differences, message } = error;
      const first = differences.slice(0, MOST_LOGGED);
      this.logger.error({ count: differences.length, differences: first }, message);
    } else if (error instanceof StoreUnavailableError)
      this.logger.warn(
        { error },
        'The audit checkpoint was not signed: a store did not answer. Trying again in an hour.',
      );
    else this.logger.error({ error, file }, 'The file of checkpoints cannot be used: nothing is signed.');
  }

  async #open(): Promise<Checkpoints> {
    const { audit_checkpoint_file: file, audit_signing_key, data_dir } = this.environment;
    const key = await SigningKey.open(audit_signing_key, data_dir);
    const now = () => toTimestamp(this.clock.now());
    const warn = (line: string) => this.logger.warn({ file }, line);
    return new Checkpoints({ store: this.store, key, file, appends: true, now, warn });
  }
}
