import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BoundarySweep } from './access/index.js';
import type { Clock } from './config/clock.js';
import type { Logger } from './config/logger.js';
import { CLOCK, EVENT_STORE, LOGGER, VIEWS } from './config/ports.js';
import type { DocumentStore } from './documents/document-store.js';
import { AppliedEvents } from './eventing/applied-events.js';
import type { EventStore } from './eventing/event-store.js';
import { ProjectionRunner } from './eventing/projection-runner.js';
import type { ProjectionLag } from './http/index.js';
import { STREAM_KINDS, type StreamKind } from './eventing/stream-kind.js';

/** What runs beside requests: the catch-up of the views and the sweep at calendar boundaries. */
@Injectable()
export class BackgroundWork implements OnModuleDestroy, ProjectionLag {
  readonly #runner: ProjectionRunner;

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(VIEWS) views: DocumentStore,
    @Inject(CLOCK) clock: Clock,
    @Inject(LOGGER) logger: Logger,
    applied: AppliedEvents,
    @Inject(STREAM_KINDS) kinds: readonly StreamKind<unknown>[],
    private readonly sweep: BoundarySweep,
  ) {
    this.#runner = new ProjectionRunner({ store, views, clock, logger, applied }, kinds);
  }

  /** Resolves when the views hold the whole log. Called before the first request is taken. @throws StoreUnavailableError */
  async start(): Promise<void> {
    await this.#runner.start();
    this.sweep.start();
  }

  lag(): Promise<number> {
    return this.#runner.lag();
  }

  async onModuleDestroy(): Promise<void> {
    await this.sweep.stop();
    await this.#runner.stop();
  }
}
