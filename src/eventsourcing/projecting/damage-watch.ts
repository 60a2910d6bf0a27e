import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, LOGGER, VIEWS } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { DamageRecords } from './damage-records.js';

const LEARN_INTERVAL_MS = 5_000;

/** Lets this process know the damaged streams that an earlier or another process has found. */
@Injectable()
export class DamageWatch implements OnModuleDestroy {
  readonly #records: DamageRecords;
  readonly #learning: RepeatedWork;

  constructor(
    private readonly damaged: DamagedStreams,
    @Inject(VIEWS) views: DocumentStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
  ) {
    this.#records = new DamageRecords(views, () => undefined);
    const failed = (error: unknown): void =>
      logger.warn({ error }, 'The list of damaged streams could not be read; trying again.');
    this.#learning = new RepeatedWork({ clock, interval: LEARN_INTERVAL_MS, failed }, () => this.#learn());
  }

  /** @param alone true on embedded stores: no other process finds damage. @throws StoreUnavailableError */
  async start(alone: boolean): Promise<void> {
    await this.#learn();
    if (!alone) this.#learning.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#learning.stop();
  }

  #learn(): Promise<void> {
    return this.damaged.learn(() => this.#records.all());
  }
}
