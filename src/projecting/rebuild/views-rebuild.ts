import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundWork } from '../../background-work.js';
import type { Clock } from '../../config/clock.js';
import type { Logger } from '../../config/logger.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { SharedGenerations } from '../../documents/mongodb/shared-generations.js';
import type { NextStore, StoreReplacement } from '../../documents/replacement.js';
import type { EventStore } from '../../log/event-store.js';
import type { LogProgress } from '../../log/log-progress.js';
import { ViewsGate } from '../../writing/views-gate.js';
import { type ViewsBuilder, ViewsBuilding } from './views-building.js';

/** What a rebuild needs of the outer world. Bound by app.module.ts. */
export interface RebuildPorts {
  readonly store: EventStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Absent where the views cannot be replaced while they are used. */
  readonly replacement: StoreReplacement | undefined;
  /** Absent where no other process serves from the views. */
  readonly shared?: SharedGenerations | undefined;
  openBuilder(views: DocumentStore): Promise<ViewsBuilder>;
}

export const REBUILD_PORTS = Symbol('RebuildPorts');

/** A rebuild that was not begun or not finished; the views are as they were. The message is one line. */
class RebuildRefusedError extends Error {
  readonly code = 'rebuild_refused';

  constructor(message: string) {
    super(message);
    this.name = 'RebuildRefusedError';
  }
}

const ENDING = 'The service is ending.';
/** In milliseconds. */
const LONGEST_EXCHANGE = 5_000;

/**
 * Makes the views anew from the log while requests are served from those that stand, and puts the new ones in their
 * place: only for the last few events, writes wait. Whatever fails leaves the views that stand in service.
 */
@Injectable()
export class ViewsRebuild implements OnModuleDestroy {
  #running: Promise<number> | undefined;
  #building: ViewsBuilding | undefined;
  #ending = false;
  readonly #listeners = new Set<LogProgress>();

  constructor(
    @Inject(REBUILD_PORTS) private readonly ports: RebuildPorts,
    private readonly background: BackgroundWork,
    private readonly gate: ViewsGate,
  ) {}

  /** Whether one is under way, which a further request joins. */
  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Begins a rebuild, or joins the one that is under way.
   * @returns how many events the new views hold, once all requests are served from them
   * @throws RebuildRefusedError @throws StoreUnavailableError
   */
  async run(progress: LogProgress): Promise<number> {
    this.#listeners.add(progress);
    try {
      this.#running ??= this.#rebuild().finally(() => (this.#running = undefined));
      return await this.#running;
    } finally {
      this.#listeners.delete(progress);
    }
  }

  onModuleDestroy(): Promise<void> {
    return this.stop();
  }

  /** Gives up what is under way, and refuses what comes. Resolves once nothing of it runs. Idempotent. */
  async stop(): Promise<void> {
    this.#ending = true;
    await this.#building?.stop();
    await this.#running?.catch(() => undefined);
  }

  async #rebuild(): Promise<number> {
    const { replacement, logger } = this.ports;
    this.#demandGoingOn();
    if (replacement === undefined) {
      throw new RebuildRefusedError('These views cannot be rebuilt while the service runs.');
    }
    const next = await replacement.open();
    try {
      return await this.#fillAndReplace(next);
    } catch (error) {
      await next.discard();
      this.#demandGoingOn();
      logger.warn({ error }, 'The views could not be rebuilt; those of before stay in service.');
      throw error;
    }
  }

  async #fillAndReplace(next: NextStore): Promise<number> {
    const { store, clock, logger } = this.ports;
    const builder = await this.ports.openBuilder(next.store);
    const tell: LogProgress = (...done) => this.#listeners.forEach((listener) => listener(...done));
    const building = new ViewsBuilding(
      builder,
      { store, views: next.store, clock, logger },
      tell,
      this.background.fence,
    );
    this.#building = building;
    try {
      this.#demandGoingOn();
      await building.fill();
      const { events, removeFormer } = await this.background.pausedDuring(() =>
        this.gate.exclusively(() => this.#exchange(building, next)),
      );
      await removeFormer();
      return events;
    } finally {
      this.#building = undefined;
      await building
        .stop()
        .catch((error: unknown) => logger.warn({ error }, 'What fills views could not be closed.'));
    }
  }

  /** Writes wait meanwhile. */
  async #exchange(building: ViewsBuilding, next: NextStore) {
    await next.announce();
    const events = await this.#finish(building);
    return { events, removeFormer: await next.takeOver() };
  }

  /** A log that falls silent must not hold writes up for longer. */
  async #finish(building: ViewsBuilding): Promise<number> {
    let isLate = false;
    const cancel = this.ports.clock.after(LONGEST_EXCHANGE, () => {
      isLate = true;
      void building.stop().catch(() => undefined);
    });
    try {
      return await building.finish();
    } catch (error) {
      throw isLate ? new RebuildRefusedError('The log did not tell its newest events in time.') : error;
    } finally {
      cancel();
    }
  }

  #demandGoingOn(): void {
    if (this.#ending) throw new RebuildRefusedError(ENDING);
  }
}
