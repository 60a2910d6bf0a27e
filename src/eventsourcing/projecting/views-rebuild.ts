import { hostname } from 'node:os';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { Clock } from '#kernel/clock.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { takeLease } from '#eventsourcing/documents/take-lease.js';
import { RepeatedWork } from '#kernel/repeated-work.js';
import { type LogProgress, progressInLines } from '#eventsourcing/log/log-progress.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { isUnderWay, type Rebuild, RebuildRecord } from './rebuild-record.js';
import type { Filled } from './views-fill.js';
import { FILL_PORTS, type FillPorts, ViewsFiller } from './views-filler.js';

/** The name of the lease under which one process rebuilds the views. */
const REBUILD_LEASE = 'rebuild';
/** Milliseconds between two checks for a requested rebuild, and between two reports of progress. */
const CHECK_EVERY_MS = 1_000;
/** The share of the log's events in the whole work. The rest is the check of documents. */
const SHARE_OF_LOG = 0.9;

interface RebuildPorts extends Pick<FillPorts, 'records' | 'clock'> {
  readonly leases: DocumentStore;
  /** Shows the progress, which the records get too. */
  readonly show: LogProgress;
}

/**
 * Rebuilds the views under a lease, and records the progress.
 * @returns undefined if another process rebuilds the views
 * @throws StoreUnavailableError, and the errors of `fill`
 */
export async function rebuildUnderLease(
  ports: RebuildPorts,
  fill: (progress: LogProgress, lost: AbortSignal) => Promise<Filled>,
): Promise<Filled | undefined> {
  const { leases, clock } = ports;
  const lease = await takeLease({ leases, clock, name: REBUILD_LEASE, owner: thisProcess() });
  if (lease === undefined) return undefined;
  try {
    return await rebuildAndRecord(ports, (progress) => fill(progress, lease.lost));
  } finally {
    await lease.release();
  }
}

async function rebuildAndRecord(
  { records, clock, show }: RebuildPorts,
  fill: (progress: LogProgress) => Promise<Filled>,
): Promise<Filled> {
  const record = new RebuildRecord(records);
  await record.change(clock.now(), {
    state: 'running',
    started_at: clock.now(),
    finished_at: null,
    share: 0,
    by: thisProcess(),
  });
  let reported = clock.now();
  let reporting: Promise<unknown> = Promise.resolve();
  const progress: LogProgress = (events, share) => {
    show(events, share);
    if (clock.now() - reported < CHECK_EVERY_MS) return;
    reported = clock.now();
    const change = { events, share: share * SHARE_OF_LOG };
    reporting = reporting.then(() => record.change(clock.now(), change)).catch(() => undefined);
  };
  const end = async (change: Partial<Rebuild>) => {
    await reporting;
    await record.change(clock.now(), { finished_at: clock.now(), ...change });
  };
  try {
    const filled = await fill(progress);
    await end({ state: 'done', events: filled.events, share: 1 });
    return filled;
  } catch (error) {
    await end({ state: 'failed' }).catch(() => undefined);
    throw error;
  }
}

/** The name of this process for operators. */
export function thisProcess(): string {
  return `process ${process.pid} on ${hostname()}`;
}

/** Tells whether this process leads the work on the views. A process on embedded stores always does. */
export abstract class ViewsLeader {
  abstract readonly leads: boolean;
}

/** Rebuilds the views when an operator requests it. Any process takes the request, and the leader does the work (decisions §6). */
@Injectable()
export class ViewsRebuild implements OnModuleDestroy {
  readonly #record: RebuildRecord;
  readonly #ending = new AbortController();
  readonly #checks: RepeatedWork;

  constructor(
    @Inject(FILL_PORTS) private readonly ports: FillPorts,
    private readonly filler: ViewsFiller,
    private readonly leader: ViewsLeader,
  ) {
    this.#record = new RebuildRecord(ports.records);
    const { clock, logger } = ports;
    const failed = (error: unknown) =>
      logger.warn({ error }, 'The views could not be rebuilt; ask for it again.');
    this.#checks = new RepeatedWork({ clock, interval: CHECK_EVERY_MS, failed }, () => this.#check());
  }

  /** Checks again and again for a rebuild that another process has requested or has not finished. */
  start(): void {
    if (!this.#ending.signal.aborted) this.#checks.start();
  }

  /** Requests a rebuild. If one is waiting or running, returns that one. @throws StoreUnavailableError */
  request(): Promise<Rebuild> {
    return this.#record.request(this.ports.clock.now());
  }

  /** The newest rebuild. Undefined if none was ever requested. @throws StoreUnavailableError */
  state(): Promise<Rebuild | undefined> {
    return this.#record.read();
  }

  /** The next leader carries out a rebuild that is not finished. */
  async onModuleDestroy(): Promise<void> {
    this.#ending.abort(new Error('The service is ending.'));
    await this.#checks.stop();
  }

  async #check(): Promise<void> {
    if (!this.leader.leads || !(await this.#isDue())) return;
    try {
      await this.#run();
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error;
      await this.#record.change(this.ports.clock.now(), { state: 'waiting' });
    }
  }

  /** During an outage it is not known. The next check asks again, and others log the outage. */
  async #isDue(): Promise<boolean> {
    try {
      return isUnderWay(await this.#record.read());
    } catch (error) {
      if (error instanceof StoreUnavailableError) return false;
      throw error;
    }
  }

  async #run(): Promise<void> {
    const { records, clock, logger, views: leases } = this.ports;
    const write = (line: string) => logger.info({}, `The views are rebuilt: ${line.trim()}.`);
    const show = progressInLines(write, 'applied', clock);
    const filled = await rebuildUnderLease({ records, clock, leases, show }, (progress, lost) =>
      this.filler.fill(progress, AbortSignal.any([lost, this.#ending.signal])),
    );
    if (filled !== undefined) logger.info({ events: filled.events }, 'The views were rebuilt.');
  }
}

/** An estimate of the seconds left. Null if there is none. */
export function secondsLeft({ state, share, started_at }: Rebuild, clock: Pick<Clock, 'now'>): number | null {
  if (state !== 'running' || started_at === null || share === 0) return null;
  return Math.ceil(((clock.now() - started_at) * (1 - share)) / share / 1_000);
}
