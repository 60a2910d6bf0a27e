import { hostname } from 'node:os';
import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundWork } from '../background-work.js';
import type { Clock } from '../config/clock.js';
import type { DocumentStore } from '../documents/document-store.js';
import { takeLease } from '../documents/take-lease.js';
import { RepeatedWork } from '../config/repeated-work.js';
import { type LogProgress, progressInLines } from '../log/log-progress.js';
import { isOpen, type Rebuild, RebuildRecord } from './rebuild-record.js';
import type { Filled } from './views-fill.js';
import { FILL_PORTS, type FillPorts, ViewsFiller } from './views-filler.js';

/** The lease under which one process at a time rebuilds the views. */
const REBUILD_LEASE = 'rebuild';
/** Milliseconds between two looks for a rebuild that was asked for in another process, and between two reports. */
const INTERVAL = 1_000;
/** Share of the work that reading the log is; then documents are checked. */
const READING = 0.9;

type RebuildPorts = Pick<FillPorts, 'records' | 'clock'> & { readonly leases: DocumentStore };

/**
 * Rebuilds the views under the lease of rebuilds, and records how far it is.
 * @param by names this process
 * @returns undefined where another process holds the lease
 * @throws StoreUnavailableError, and what `fill` throws
 */
export async function rebuildUnderLease(
  { records, clock, leases }: RebuildPorts,
  by: string,
  fill: (progress: LogProgress, lost: AbortSignal) => Promise<Filled>,
): Promise<Filled | undefined> {
  const lease = await takeLease({ leases, clock, name: REBUILD_LEASE, owner: by });
  if (lease === undefined) return undefined;
  try {
    return await rebuildAndRecord({ records, clock }, by, (progress) => fill(progress, lease.lost));
  } finally {
    await lease.release();
  }
}

async function rebuildAndRecord(
  { records, clock }: Pick<RebuildPorts, 'records' | 'clock'>,
  by: string,
  fill: (progress: LogProgress) => Promise<Filled>,
): Promise<Filled> {
  const record = new RebuildRecord(records);
  await record.change(clock.now(), {
    state: 'running',
    started_at: clock.now(),
    finished_at: null,
    share: 0,
    by,
  });
  let reported = clock.now();
  let reporting: Promise<unknown> = Promise.resolve();
  const progress: LogProgress = (events, share) => {
    if (clock.now() - reported < INTERVAL) return;
    reported = clock.now();
    const change = { events, share: share * READING };
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

/** Names a process to an operator. */
export function thisProcess(): string {
  return `process ${process.pid} on ${hostname()}`;
}

/** A rebuild of the views at an operator's request: whichever process is asked, the leading one does it (decisions §6). */
@Injectable()
export class ViewsRebuild implements OnModuleDestroy {
  readonly #record: RebuildRecord;
  readonly #ending = new AbortController();
  readonly #looks: RepeatedWork;

  constructor(
    @Inject(FILL_PORTS) private readonly ports: FillPorts,
    private readonly filler: ViewsFiller,
    private readonly background: BackgroundWork,
  ) {
    this.#record = new RebuildRecord(ports.records);
    const { clock, logger } = ports;
    const failed = (error: unknown) =>
      logger.warn({ error }, 'The views could not be rebuilt; ask for it again.');
    this.#looks = new RepeatedWork({ clock, interval: INTERVAL, failed }, () => this.#look());
  }

  /** Looks now and then for a rebuild that was asked for elsewhere, or that a process before this one did not end. */
  start(): void {
    if (!this.#ending.signal.aborted) this.#looks.start();
  }

  /** Asks for a rebuild, or joins the one that is under way. @throws StoreUnavailableError */
  request(): Promise<Rebuild> {
    return this.#record.request(this.ports.clock.now());
  }

  /** The newest rebuild; undefined where none was asked for. @throws StoreUnavailableError */
  state(): Promise<Rebuild | undefined> {
    return this.#record.read();
  }

  /** The next process that leads takes up a rebuild that is under way. */
  async onModuleDestroy(): Promise<void> {
    this.#ending.abort(new Error('The service is ending.'));
    await this.#looks.stop();
  }

  async #look(): Promise<void> {
    if (!this.background.leads || !isOpen(await this.#record.read())) return;
    try {
      await this.#run();
    } catch (error) {
      if (!this.#ending.signal.aborted) throw error;
      await this.#record.change(this.ports.clock.now(), { state: 'waiting' });
    }
  }

  async #run(): Promise<void> {
    const { records, clock, logger, views: leases } = this.ports;
    const write = (line: string) => logger.info({}, `The views are rebuilt: ${line.trim()}.`);
    const filled = await rebuildUnderLease({ records, clock, leases }, thisProcess(), (progress, lost) => {
      const inLog = progressInLines(write, 'applied', clock);
      const both: LogProgress = (...done) => {
        progress(...done);
        inLog(...done);
      };
      return this.filler.fill(both, AbortSignal.any([lost, this.#ending.signal]));
    });
    if (filled !== undefined) logger.info({ events: filled.events }, 'The views were rebuilt.');
  }
}

/** Seconds that are left, as far as they can be told. */
export function secondsLeft({ state, share, started_at }: Rebuild, clock: Pick<Clock, 'now'>): number | null {
  if (state !== 'running' || started_at === null || share === 0) return null;
  return Math.ceil(((clock.now() - started_at) * (1 - share)) / share / 1_000);
}
