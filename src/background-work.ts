import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BoundarySweep } from './access/index.js';
import type { Ids } from './config/ids.js';
import { EVENT_STORE, IDS, LOGGER, VIEWS, CLOCK } from './config/ports.js';
import type { Clock } from './config/clock.js';
import type { Logger } from './config/logger.js';
import type { DocumentStore } from './documents/document-store.js';
import { AppliedEvents } from './eventing/applied-events.js';
import type { EventStore } from './eventing/event-store.js';
import { Leadership } from './eventing/leadership.js';
import { ProjectionRunner } from './eventing/projection-runner.js';
import { STREAM_KINDS, type StreamKind } from './eventing/stream-kind.js';
import type { ProjectionLag } from './http/index.js';

/** The stores that the background work follows and keeps. */
@Injectable()
export class BackgroundPorts {
  constructor(
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(VIEWS) readonly views: DocumentStore,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(LOGGER) readonly logger: Logger,
    readonly applied: AppliedEvents,
  ) {}
}

/** What runs beside requests: the catch-up of the views and the sweep at calendar boundaries. */
@Injectable()
export class BackgroundWork implements OnModuleDestroy, ProjectionLag {
  readonly #runner: ProjectionRunner;
  readonly #leadership: Leadership;

  constructor(
    ports: BackgroundPorts,
    @Inject(STREAM_KINDS) kinds: readonly StreamKind<unknown>[],
    @Inject(IDS) ids: Ids,
    private readonly sweep: BoundarySweep,
  ) {
    this.#runner = new ProjectionRunner(ports, kinds);
    const options = { ...ports, name: 'views', owner: ids.ulid() };
    this.#leadership = new Leadership(options, { lead: () => this.#lead(), retire: () => this.#retire() });
  }

  /**
   * Called before the first request is taken.
   * @param alone no other process can work on these stores: the work is taken up at once, whoever held it before.
   *   Otherwise one process does it and the others stand by.
   * @throws StoreUnavailableError
   */
  start(alone: boolean): Promise<void> {
    return alone ? this.#lead() : this.#leadership.start();
  }

  lag(): Promise<number> {
    return this.#runner.lag();
  }

  async onModuleDestroy(): Promise<void> {
    await this.#leadership.stop();
    await this.#retire();
  }

  async #lead(): Promise<void> {
    await this.#runner.start();
    this.sweep.start();
  }

  async #retire(): Promise<void> {
    await this.sweep.stop();
    await this.#runner.stop();
  }
}
