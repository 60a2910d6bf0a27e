import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BoundarySweep } from './access/index.js';
import { HourlyCheckpoints } from './hourly-checkpoints.js';
import type { Ids } from './config/ids.js';
import { EVENT_STORE, IDS, LOGGER, VIEWS, CLOCK } from './config/injection-tokens.js';
import type { Clock } from './config/clock.js';
import type { Logger } from './config/logger.js';
import { pause } from './config/pause.js';
import type { DocumentStore } from './documents/document-store.js';
import { ProjectionsInFlight } from './writing/projections-in-flight.js';
import type { EventStore } from './log/event-store.js';
import { Leadership, VIEWS_LEASE } from './projecting/leadership.js';
import type { ProjectionState } from './projecting/lag-watch.js';
import { ProjectionRunner } from './projecting/projection-runner.js';
import { PROJECTIONS, type Projection } from './writing/aggregate.js';
import type { ProjectionLag } from './http/index.js';
import { isStoreUnavailableError } from './storage/store.errors.js';

/** The stores that the background work follows and keeps. */
@Injectable()
export class BackgroundPorts {
  constructor(
    @Inject(EVENT_STORE) readonly store: EventStore,
    @Inject(VIEWS) readonly views: DocumentStore,
    @Inject(CLOCK) readonly clock: Clock,
    @Inject(LOGGER) readonly logger: Logger,
    readonly inFlight: ProjectionsInFlight,
  ) {}
}

const RESUMED_AFTER = 1_000;
/** Milliseconds for which a store may stay away while the work is taken up, or another process's waited for. */
const LONGEST_TROUBLE = 30_000;

/** What runs beside requests: the catch-up of the views, the sweep at calendar boundaries, the signing of the log. */
@Injectable()
export class BackgroundWork implements OnModuleDestroy, ProjectionLag {
  readonly #runner: ProjectionRunner;
  #leadership: Leadership | undefined;
  /** This process does the work, or will as soon as it is not paused. */
  #leads = false;
  #fence: number | undefined;
  #ended = false;
  #paused = false;
  #resuming: Promise<void> = Promise.resolve();
  #cancelResuming: () => void = () => undefined;

  constructor(
    private readonly ports: BackgroundPorts,
    @Inject(PROJECTIONS) projections: readonly Projection<unknown>[],
    @Inject(IDS) private readonly ids: Ids,
    private readonly sweep: BoundarySweep,
    private readonly checkpoints: HourlyCheckpoints,
  ) {
    this.#runner = new ProjectionRunner(ports, projections);
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
    const { views: leases, clock, logger } = this.ports;
    const options = { leases, clock, logger, name: VIEWS_LEASE, owner: this.ids.ulid(), milliseconds };
    this.#leadership = new Leadership(options, {
      lead: ({ fence }) => this.#takeOnServers(fence),
      retire: () => {
        this.#leads = false;
        return this.#retire();
      },
    });
    const isTakenUp = await this.#leadership.start();
    // Views that another process is still filling must not be served from, nor those of a turn that was lost meanwhile.
    if (!isTakenUp) await this.#otherHasCaughtUp();
  }

  /** Whether this process does it now. */
  get leads(): boolean {
    return this.#leads;
  }

  /** That of the lease under which it does; absent where no other process can. */
  get fence(): number | undefined {
    return this.#fence;
  }

  state(): Promise<ProjectionState> {
    return this.#runner.state();
  }

  /**
   * Does `work` while nothing here touches the views, and then goes on, whatever became of it, from the checkpoint that
   * the views hold by then, if this process is to.
   */
  async pausedDuring<T>(work: () => Promise<T>): Promise<T> {
    this.#paused = true;
    await this.#halt();
    try {
      return await work();
    } finally {
      this.#paused = false;
      this.#resume();
    }
  }

  async onModuleDestroy(): Promise<void> {
    this.#ended = true;
    await this.#leadership?.stop();
    await this.#halt();
  }

  /** A resuming that is under way ends first: it must not take up what is laid down. */
  async #halt(): Promise<void> {
    this.#cancelResuming();
    await this.#runner.stop();
    await this.#resuming;
    await this.#retire();
  }

  /** Not waited for: writes are in the views without it. */
  #resume(): void {
    const isHalted = () => this.#ended || this.#paused || !this.#leads;
    if (isHalted()) return;
    this.#resuming = this.#lead().catch((error: unknown) => {
      if (isHalted()) return;
      this.ports.logger.warn({ error }, 'The catch-up of the views could not go on; trying again.');
      this.#cancelResuming = this.ports.clock.after(RESUMED_AFTER, () => this.#resume());
    });
  }

  #takeOnServers(fence: number): Promise<void> {
    return this.#throughAbsences(
      () => this.#take(fence),
      () => this.#isLed(fence),
    );
  }

  #otherHasCaughtUp(): Promise<void> {
    const isOver = () => this.#ended;
    return this.#throughAbsences(
      (trouble) => this.#runner.otherHasCaughtUp(isOver, () => trouble.storesAnswered()),
      () => !isOver(),
    );
  }

  /**
   * A store that is away for a moment ends neither a start nor the turn of this process: the next would have to begin
   * where this one had come.
   */
  async #throughAbsences(work: (trouble: Trouble) => Promise<void>, isWanted: () => boolean): Promise<void> {
    const { clock, logger } = this.ports;
    const trouble = new Trouble();
    for (;;) {
      const begunAt = clock.now();
      try {
        return await work(trouble);
      } catch (error) {
        if (!isStoreUnavailableError(error)) throw error;
        trouble.met(begunAt, clock.now(), this.#runner.reached);
        if (clock.now() + RESUMED_AFTER >= trouble.giveUpAt || !isWanted()) throw error;
        logger.warn({ error }, 'The catch-up of the views was cut short; trying again.');
        await pause(clock, RESUMED_AFTER);
        if (!isWanted()) throw error;
      }
    }
  }

  #isLed(fence: number): boolean {
    return this.#leads && !this.#ended && this.#fence === fence;
  }

  /** While it is paused, the resuming takes it up. */
  async #take(fence: number | undefined): Promise<void> {
    this.#leads = true;
    this.#fence = fence;
    if (!this.#paused) await this.#lead();
  }

  async #lead(): Promise<void> {
    await this.#runner.start(this.#fence);
    this.sweep.start();
    this.checkpoints.start();
  }

  async #retire(): Promise<void> {
    await this.checkpoints.stop();
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
