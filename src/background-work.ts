import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BoundarySweep } from './access/index.js';
import { LockoutRounds } from './history/index.js';
import { HourlyCheckpoints } from './hourly-checkpoints.js';
import type { Ids } from './config/ids.js';
import { EVENT_STORE, IDS, LOGGER, VIEWS, CLOCK } from './config/injection-tokens.js';
import type { Clock } from './config/clock.js';
import type { Logger } from './config/logger.js';
import { pause } from './config/pause.js';
import type { DocumentStore } from './documents/document-store.js';
import type { EventStore } from './log/event-store.js';
import { Leadership, VIEWS_LEASE } from './projecting/leadership.js';
import type { ViewsLag } from './projecting/lag-watch.js';
import { CatchUp } from './projecting/catch-up.js';
import { ViewsFiller } from './projecting/views-filler.js';
import { PROJECTORS, type Projector } from './writing/aggregate.js';
import type { ProjectionLag } from './http/health.js';
import { StoreUnavailableError } from './storage/store.errors.js';

const RETRIED_AFTER = 1_000;
/** Milliseconds between two looks whether another process has filled the views. */
const ASKED_EVERY = 100;
/** Milliseconds for which a store may stay away while the work is taken up, or another process's waited for. */
const LONGEST_TROUBLE = 30_000;

/** The work beside requests: the catch-up of the views, the sweep at calendar boundaries, the count of
 * lockouts by day, the signing of the log. */
@Injectable()
export class BackgroundWork implements OnModuleDestroy, ProjectionLag {
  readonly #runner: CatchUp;
  /** Brings the views up to the log where another process keeps the checkpoint. */
  readonly #follower: CatchUp;
  #leadership: Leadership | undefined;
  /** This process does the work. */
  #leads = false;
  #fence: number | undefined;
  #ended = false;
  #filling = new AbortController();

  constructor(
    @Inject(EVENT_STORE) store: EventStore,
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(PROJECTORS) projectors: readonly Projector<unknown>[],
    private readonly sweep: BoundarySweep,
    private readonly lockouts: LockoutRounds,
    private readonly checkpoints: HourlyCheckpoints,
    private readonly filler: ViewsFiller,
  ) {
    const ports = { store, views, clock, logger };
    this.#runner = new CatchUp(ports, projectors);
    this.#follower = new CatchUp(ports, projectors);
  }

  /**
   * Called before the first request is taken.
   * @param alone no other process can work on these stores: the work is taken up at once, whoever held it before.
   *   Otherwise one process does it and the others stand by.
   * @param milliseconds how long a process that does it and falls silent is waited for; 10 s when absent
   * @throws StoreUnavailableError
   */
  async start(alone: boolean, milliseconds?: number): Promise<void> {
    if (alone) return this.#take(undefined);
    const { views: leases, clock, logger, ids } = this;
    const options = { leases, clock, logger, name: VIEWS_LEASE, owner: ids.ulid(), milliseconds };
    this.#leadership = new Leadership(options, {
      lead: ({ fence }) => this.#takeOnServers(fence),
      retire: () => {
        this.#leads = false;
        return this.#retire();
      },
    });
    const isTakenUp = await this.#leadership.start();
    // In every process, leader or not: the views are filled, and the log was followed to its end.
    if (!isTakenUp)
      await this.#throughAbsences(
        (trouble) => this.#catchUp(trouble),
        () => !this.#ended,
      );
  }

  /** Whether this process does it now. */
  get leads(): boolean {
    return this.#leads;
  }

  state(): Promise<ViewsLag> {
    return this.#runner.state();
  }

  async onModuleDestroy(): Promise<void> {
    this.#ended = true;
    await this.#follower.stop();
    await this.#leadership?.stop();
    await this.#retire();
  }

  #takeOnServers(fence: number): Promise<void> {
    return this.#throughAbsences(
      () => this.#take(fence),
      () => this.#isLed(fence),
    );
  }

  async #catchUp(trouble: Trouble): Promise<void> {
    while (!this.#ended && !(await this.filler.isFilled())) {
      trouble.storesAnswered();
      await pause(this.clock, ASKED_EVERY);
    }
    if (!this.#ended) await this.#follower.catchUp();
  }

  /**
   * A store that is away for a moment ends neither a start nor the turn of this process: the next would have to begin
   * where this one had come.
   */
  async #throughAbsences(work: (trouble: Trouble) => Promise<void>, isWanted: () => boolean): Promise<void> {
    const { clock, logger } = this;
    const trouble = new Trouble();
    for (;;) {
      const begunAt = clock.now();
      try {
        return await work(trouble);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        trouble.met(begunAt, clock.now(), this.#runner.reached);
        if (clock.now() + RETRIED_AFTER >= trouble.giveUpAt || !isWanted()) throw error;
        logger.warn({ error }, 'The catch-up of the views was cut short; trying again.');
        await pause(clock, RETRIED_AFTER);
        if (!isWanted()) throw error;
      }
    }
  }

  #isLed(fence: number): boolean {
    return this.#leads && !this.#ended && this.#fence === fence;
  }

  async #take(fence: number | undefined): Promise<void> {
    this.#leads = true;
    this.#fence = fence;
    this.#filling = new AbortController();
    if (!(await this.filler.isFilled())) await this.filler.fillFirst(fence, this.#filling.signal);
    await this.#runner.start(fence);
    this.sweep.start();
    this.lockouts.start();
    this.checkpoints.start();
  }

  async #retire(): Promise<void> {
    this.#filling.abort(new Error('The fill of the views was stopped.'));
    await this.checkpoints.stop();
    await this.lockouts.stop();
    await this.sweep.stop();
    await this.#runner.stop();
  }
}

/**
 * Until when one work tries again while a store is away. The time counts from the first failure after a sign that what
 * the work needs is there: the work said so itself, the views have come further, or a try ran for longer than any call may.
 */
class Trouble {
  giveUpAt = -Infinity;
  #furthest = -1n;
  #haveStoresAnswered = false;

  /** Told by the work during a try, where all that it still asks the stores for was answered. */
  storesAnswered(): void {
    this.#haveStoresAnswered = true;
  }

  /** A try failed. @param reached up to where the views hold the log */
  met(begunAt: number, now: number, reached = 0n): void {
    const isLong = now - begunAt >= LONGEST_TROUBLE;
    if (this.#haveStoresAnswered || reached > this.#furthest || isLong) this.giveUpAt = now + LONGEST_TROUBLE;
    if (reached > this.#furthest) this.#furthest = reached;
    this.#haveStoresAnswered = false;
  }
}
