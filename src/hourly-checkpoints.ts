import { Inject, Injectable } from '@nestjs/common';
import { type Clock, toTimestamp } from './config/clock.js';
import type { Environment } from './config/environment.js';
import { CLOCK, ENVIRONMENT, EVENT_STORE, LOGGER } from './config/injection-tokens.js';
import type { Logger } from './config/logger.js';
import type { EventStore } from './log/event-store.js';
import { Checkpoints, LogDiffersError } from './log/proof/checkpoints.js';
import { StoreUnavailableError } from './storage/store.errors.js';
import { SigningKey } from './log/proof/signing-key.js';

const HOUR = 3_600_000;
/** Differences in a log line; `audit verify` names them all. */
const TOLD = 10;

/** Signs where the log stands, once an hour, and appends it to `AUDIT_CHECKPOINT_FILE` where there is one (decisions §7). */
@Injectable()
export class HourlyCheckpoints {
  #checkpoints: Checkpoints | undefined;
  #due = 0;
  #stopped = false;
  #cancel: () => void = () => undefined;
  #signing: Promise<void> = Promise.resolve();

  constructor(
    @Inject(ENVIRONMENT) private readonly environment: Environment,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Begins, at once where the last one is an hour ago, or begins again after a stop. */
  start(): void {
    this.#stopped = false;
    this.#schedule();
  }

  #schedule(): void {
    if (this.environment.audit_checkpoint_file === undefined) return;
    this.#cancel = this.clock.after(Math.max(0, this.#due - this.clock.now()), () => {
      this.#signing = this.#sign();
    });
  }

  /** Resolves once nothing is signed and nothing will be. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#cancel();
    this.#checkpoints?.stop();
    await this.#signing;
    this.#cancel();
    this.#checkpoints = undefined;
  }

  async #sign(): Promise<void> {
    this.#due = this.clock.now() + HOUR;
    try {
      this.#checkpoints ??= await this.#open();
      await this.#checkpoints.next();
    } catch (error) {
      if (this.#stopped) return;
      if (error instanceof LogDiffersError) this.#report(error);
      else if (error instanceof StoreUnavailableError)
        this.logger.warn(
          { error },
          'The audit checkpoint was not signed: a store did not answer. Trying again in an hour.',
        );
      else this.#reportFile(error);
    }
    this.#schedule();
  }

  /** Nothing is signed until somebody mends it. */
  #reportFile(error: unknown): void {
    const { audit_checkpoint_file: file } = this.environment;
    this.logger.error({ error, file }, 'The file of checkpoints cannot be used: nothing is signed.');
  }

  #report({ differences, message }: LogDiffersError): void {
    const first = differences.slice(0, TOLD);
    this.logger.error({ count: differences.length, differences: first }, message);
  }

  async #open(): Promise<Checkpoints> {
    const { audit_checkpoint_file: file, audit_signing_key, data_dir } = this.environment;
    const key = await SigningKey.open(audit_signing_key, data_dir);
    const now = () => toTimestamp(this.clock.now());
    const tell = (line: string) => this.logger.warn({ file }, line);
    return new Checkpoints({ store: this.store, key, file, appends: true, now, tell });
  }
}
