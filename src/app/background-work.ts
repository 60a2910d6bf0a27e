import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BoundarySweep } from '#domain/access/index.js';
import { Announcer } from '#domain/announcements/index.js';
import { LockoutRounds, StaffGathering } from '#domain/history/index.js';
import { HourlyCheckpoints } from './hourly-checkpoints.js';
import { NoticeRounds } from '#domain/notices/index.js';
import { SummaryRounds } from '#domain/summaries/index.js';
import { GuestRounds } from '#domain/sharing/index.js';
import { SearchTermsRenewal } from '#domain/tenants/index.js';
import { WebhookDispatcher } from '#domain/webhooks/index.js';
import type { Ids } from '#kernel/ids.js';
import { EVENT_STORE, IDS, LOGGER, VIEWS, CLOCK } from '#kernel/injection-tokens.js';
import type { Clock } from '#kernel/clock.js';
import type { Logger } from '#kernel/logger.js';
import { pause } from '#kernel/pause.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import { Leadership, VIEWS_LEASE } from '#eventsourcing/projecting/leadership.js';
import type { ViewsLag } from '#eventsourcing/projecting/lag-watch.js';
import { CatchUp } from '#eventsourcing/projecting/catch-up.js';
import type { ViewsLeader } from '#eventsourcing/projecting/views-rebuild.js';
import { ViewsFiller } from '#eventsourcing/projecting/views-filler.js';
import { PROJECTORS, type Projector } from '#eventsourcing/writing/projector.js';
import type { ProjectionLag } from '#web/health.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';

const RETRY_PAUSE_MS = 1_000;
/** Milliseconds between two checks whether another process has filled the views. */
const CHECK_EVERY_MS = 100;
/** Milliseconds for which a start is retried while a store is unavailable. */
const LONGEST_OUTAGE_MS = 30_000;

/** The leader's work: catch-up, sweep of decisions, count of lockouts by day, audit checkpoints, announcements, webhooks, texts to tenants, morning summaries, guests, the log of staff, search terms. */
@Injectable()
export class BackgroundWork implements OnModuleDestroy, ProjectionLag, ViewsLeader {
  readonly #runner: CatchUp;
  /** Applies the log to the views once at start, in a process that is not the leader. */
  readonly #follower: CatchUp;
  #leadership: Leadership | undefined;
  #leads = false;
  #fence: number | undefined;
  #ended = false;
  /** Aborted when this process ceases to lead. */
  #term = new AbortController();

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
    private readonly announcer: Announcer,
    private readonly webhooks: WebhookDispatcher,
    private readonly notices: NoticeRounds,
    private readonly summaries: SummaryRounds,
    private readonly guests: GuestRounds,
    private readonly staff: StaffGathering,
    private readonly terms: SearchTermsRenewal,
    private readonly filler: ViewsFiller,
    damaged: DamagedStreams,
  ) {
    const ports = { store, damaged, views, clock, logger };
    this.#runner = new CatchUp(ports, projectors);
    this.#follower = new CatchUp(ports, projectors);
  }

  /**
   * Called before the first request.
   * @param alone true on embedded stores: this process is the leader without a lease
   * @param milliseconds duration of the lease, default 10 s
   * @throws StoreUnavailableError
   */
  async start(alone: boolean, milliseconds?: number): Promise<void> {
    if (alone) return this.#lead(undefined);
    const { views: leases, clock, logger, ids } = this;
    const options = { leases, clock, logger, name: VIEWS_LEASE, owner: ids.ulid(), milliseconds };
    this.#leadership = new Leadership(options, {
      lead: ({ fence }) => this.#leadOnServers(fence),
      retire: () => {
        this.#leads = false;
        return this.#retire();
      },
    });
    const isLeader = await this.#leadership.start();
    // A process that is not the leader also waits until the views contain the log.
    if (!isLeader)
      await this.#retryDuringOutage(
        (outage) => this.#catchUp(outage),
        () => !this.#ended,
      );
  }

  /** Whether this process is the leader. */
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

  #leadOnServers(fence: number): Promise<void> {
    return this.#retryDuringOutage(
      () => this.#lead(fence),
      () => this.#isLed(fence),
    );
  }

  async #catchUp(outage: Outage): Promise<void> {
    while (!this.#ended && !(await this.filler.isFilled())) {
      outage.storesAnswered();
      await pause(this.clock, CHECK_EVERY_MS);
    }
    if (!this.#ended) await this.#follower.catchUp();
  }

  /**
   * Repeats work while a store is unavailable for a short time. Giving up would not help: another leader would have to
   * continue at the same position.
   */
  async #retryDuringOutage(work: (outage: Outage) => Promise<void>, isWanted: () => boolean): Promise<void> {
    const { clock, logger } = this;
    const outage = new Outage();
    for (;;) {
      const begunAt = clock.now();
      try {
        return await work(outage);
      } catch (error) {
        if (!(error instanceof StoreUnavailableError)) throw error;
        outage.attemptFailed(begunAt, clock.now(), this.#runner.reached);
        if (clock.now() + RETRY_PAUSE_MS >= outage.giveUpAt || !isWanted()) throw error;
        logger.warn({ error }, 'The catch-up of the views was cut short; trying again.');
        await pause(clock, RETRY_PAUSE_MS);
        if (!isWanted()) throw error;
      }
    }
  }

  #isLed(fence: number): boolean {
    return this.#leads && !this.#ended && this.#fence === fence;
  }

  async #lead(fence: number | undefined): Promise<void> {
    this.#leads = true;
    this.#fence = fence;
    this.#term = new AbortController();
    const { signal } = this.#term;
    await this.announcer.begin();
    if (!(await this.filler.isFilled())) await this.filler.fillFirst(fence, signal);
    // A term that has ended was retired already, so nothing would stop what it starts.
    signal.throwIfAborted();
    await this.#runner.start(fence);
    signal.throwIfAborted();
    this.sweep.start();
    this.lockouts.start();
    this.checkpoints.start();
    this.announcer.start(() => this.#runner.reached);
    this.webhooks.start();
    this.notices.start();
    this.summaries.start();
    this.guests.start();
    this.staff.start(() => this.#runner.reached);
    this.terms.start();
  }

  async #retire(): Promise<void> {
    this.#term.abort(new Error('This process has ceased to lead.'));
    await this.terms.stop();
    await this.staff.stop();
    await this.guests.stop();
    await this.summaries.stop();
    await this.notices.stop();
    await this.webhooks.stop();
    await this.announcer.stop();
    await this.checkpoints.stop();
    await this.lockouts.stop();
    await this.sweep.stop();
    await this.#runner.stop();
  }
}

/**
 * Computes until when work is repeated during an outage. The time starts at the first failure after progress: the stores
 * answered, the views advanced, or an attempt ran longer than any call to a store may.
 */
class Outage {
  giveUpAt = -Infinity;
  #furthest = -1n;
  #haveStoresAnswered = false;

  /** The work calls this during an attempt when all stores have answered. */
  storesAnswered(): void {
    this.#haveStoresAnswered = true;
  }

  /** @param reached the position in the log that the views show */
  attemptFailed(begunAt: number, now: number, reached = 0n): void {
    const isLong = now - begunAt >= LONGEST_OUTAGE_MS;
    if (this.#haveStoresAnswered || reached > this.#furthest || isLong)
      this.giveUpAt = now + LONGEST_OUTAGE_MS;
    if (reached > this.#furthest) this.#furthest = reached;
    this.#haveStoresAnswered = false;
  }
}
