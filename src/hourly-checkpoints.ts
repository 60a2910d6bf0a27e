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
/** Most differences in a log line. `audit verify` lists all. */
const MOST_LOGGED = 10;

/** Appends an audit checkpoint to `AUDIT_CHECKPOINT_FILE` once an hour, if the file is configured (decisions §7). */
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

  /** Resolves when the running checkpoint has ended; no other one starts. */
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

  #reportFile(error: unknown): void {
    const { audit_checkpoint_file: file } = this.environment;
    this.logger.error({ error, file }, 'The file of checkpoints cannot be used: nothing is signed.');
  }

  #report({ differences, message }: LogDiffersError): void {
    const first = differences.slice(0, MOST_LOGGED);
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
