import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { Logger } from '#kernel/logger.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { type LogProgress, progressInLines } from '#eventsourcing/log/log-progress.js';
import { CheckpointKeeper } from './checkpoint-keeper.js';
import { FillMark } from './fill-mark.js';
import { ReplacingStore } from './replacing-store.js';
import { type Filled, type ViewsBuilder, ViewsFill, type WithoutWriters } from './views-fill.js';

/** The ports of a fill. */
export interface FillPorts {
  readonly store: EventStore;
  readonly damaged: Pick<DamagedStreams, 'findDamage'>;
  readonly records: DocumentStore;
  readonly views: DocumentStore;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly withoutWriters: WithoutWriters;
  /** Opens the projectors on another store than the service's own views. */
  openBuilder(views: DocumentStore): Promise<ViewsBuilder>;
}

export const FILL_PORTS = Symbol('FillPorts');

/** Fills the views from the log, and marks them as filled. */
@Injectable()
export class ViewsFiller {
  readonly #mark: FillMark;

  constructor(@Inject(FILL_PORTS) private readonly ports: FillPorts) {
    this.#mark = new FillMark(ports.views);
  }

  /** True if a fill of these views is complete. @throws StoreUnavailableError */
  isFilled(): Promise<boolean> {
    return this.#mark.isSet();
  }

  /**
   * Makes the views again, while the service uses them.
   * @throws StoreUnavailableError, and the signal's reason once it is aborted
   */
  async fill(progress: LogProgress, signal: AbortSignal): Promise<Filled> {
    const filled = await this.#run(progress, signal);
    await this.#mark.set(this.ports.clock.now());
    return filled;
  }

  /**
   * Makes the views while no process follows the log. It sets the checkpoint to the end of the fill.
   * @param fence of the lease on the views; absent if no other process uses these stores
   * @throws as {@link fill} @throws CheckpointTakenOverError
   */
  async fillFirst(fence: number | undefined, signal: AbortSignal, progress?: LogProgress): Promise<Filled> {
    const { clock, logger, views } = this.ports;
    const report =
      progress ??
      progressInLines((line) => logger.info({}, `The views are filled: ${line.trim()}.`), 'applied', clock);
    const filled = await this.#run(report, signal);
    await new CheckpointKeeper(views, clock).replace(fence, filled.last);
    await this.#mark.set(clock.now());
    return filled;
  }

  async #run(progress: LogProgress, signal: AbortSignal): Promise<Filled> {
    const { store, damaged, clock, withoutWriters } = this.ports;
    const views = new ReplacingStore(this.ports.views);
    const builder = await this.ports.openBuilder(views);
    try {
      return await new ViewsFill({
        store,
        damaged,
        clock,
        withoutWriters,
        views,
        builder,
        progress,
        signal,
      }).run();
    } finally {
      await builder.close();
    }
  }
}
