import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { underTimeLimit } from '#kernel/within.js';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Clock } from '#kernel/clock.js';
import type { Ids } from '#kernel/ids.js';
import { CLOCK, IDS, LOGGER, RECORDS } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { pause } from '#kernel/pause.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { USUAL_LEASE_MS } from '#eventsourcing/documents/take-lease.js';
import { Leadership } from '#eventsourcing/projecting/leadership.js';
import { nextRunAt } from './core/retry.js';
import { DueSources } from './due-sources.js';
import { PullFault } from './fetching/pull-fault.js';
import { PullRunRecorder } from './pull-run-recorder.js';
import type { RunPermit } from './pull-run.js';
import { type PullSourceRecord, PullSources } from './pull-sources.js';

const RUNS_AT_ONCE = 4;
/** Slow sources of one company must not keep all runs busy (decisions §8). */
const RUNS_OF_COMPANY = 2;
const LONGEST_RUN_MS = 60 * 60_000;
/** Milliseconds between two checks for due sources. Another process may have made one due. */
const CHECK_EVERY_MS = 5_000;
/** The next run of a sandbox's source may be years away. A timer of more than 24 days would fire at once. */
const LONGEST_WAIT_MS = 24 * 60 * 60_000;
/** The fence of a process that shares its stores with no other process. */
const NO_LEASE = 0;

/** The time during which this process is the leader, the only one that runs sources. */
interface Term {
  readonly fence: number;
  readonly ended: AbortController;
  /** True after the runs that an earlier leader left unfinished were recorded as interrupted. */
  recovered: boolean;
}

/** `started_at` is an instant of the company's clock, in milliseconds. */
interface ClaimedRun {
  readonly source: PullSourceRecord;
  readonly started_at: number;
}

/**
 * Runs each source when it is due, one run of a source at a time. Only the leader runs sources. It writes its fence into the
 * source's record when a run starts, and checks it before each write. So a process that slept past the end of its lease
 * cannot write beside its successor.
 */
@Injectable()
export class PullScheduler implements OnModuleDestroy {
  #leadership: Leadership | undefined;
  #leaseMilliseconds = Infinity;
  #term: Term | undefined;
  #cancel: () => void = () => undefined;
  /** By source. */
  readonly #running = new Map<string, { readonly company_id: string; readonly run: Promise<void> }>();
  #checking: Promise<void> = Promise.resolve();

  constructor(
    @Inject(RECORDS) private readonly records: DocumentStore,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly clocks: CompanyClocks,
    private readonly sources: PullSources,
    private readonly recorder: PullRunRecorder,
    private readonly dueSources: DueSources,
  ) {}

  /**
   * @param alone true if no other process uses these stores. Otherwise the processes elect a leader.
   * @param milliseconds after which a leader that is silent loses its lease
   * @throws StoreUnavailableError
   */
  async start(alone: boolean, milliseconds = USUAL_LEASE_MS): Promise<void> {
    if (alone) return this.#lead(NO_LEASE);
    const { records: leases, clock, logger, ids } = this;
    this.#leaseMilliseconds = milliseconds;
    this.#leadership = new Leadership(
      { leases, clock, logger, name: 'pull', owner: ids.ulid(), milliseconds },
      { lead: ({ fence }) => this.#lead(fence), retire: () => this.#retire() },
    );
    await this.#leadership.start();
  }

  /** Checks for due sources now. Call it when a source may have become due. Does nothing if this process does not lead. */
  wake(): void {
    const term = this.#term;
    if (term === undefined) return;
    this.#checking = this.#checking.then(() => this.#check(term));
  }

  /** Resolves when all runs that are due now have ended. */
  async settled(): Promise<void> {
    for (;;) {
      await this.#checking;
      if (this.#running.size === 0) return;
      await Promise.all([...this.#running.values()].map(({ run }) => run));
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.#leadership?.stop();
    await this.#retire();
  }

  #lead(fence: number): Promise<void> {
    this.#term = { fence, ended: new AbortController(), recovered: false };
    this.wake();
    return Promise.resolve();
  }

  async #retire(): Promise<void> {
    this.#term?.ended.abort();
    this.#term = undefined;
    this.#cancel();
    await this.settled();
  }

  async #check(term: Term): Promise<void> {
    if (term.ended.signal.aborted) return;
    this.#cancel();
    let wait: number | undefined = CHECK_EVERY_MS;
    try {
      if (!term.recovered) await this.#recover(term);
      const found = await this.dueSources.find();
      await this.#startDue(found.due, term);
      wait = this.#waitUpTo(found.wait);
    } catch (error) {
      this.logger.warn({ error }, 'Pull sources could not be read; trying again.');
    }
    if (wait !== undefined && !term.ended.signal.aborted)
      this.#cancel = this.clock.after(wait, () => this.wake());
  }

  /** Without other processes a source becomes due only by time, by `wake` and by the end of a run. */
  #waitUpTo(wait: number | undefined): number | undefined {
    if (this.#leadership !== undefined) return Math.min(wait ?? CHECK_EVERY_MS, CHECK_EVERY_MS);
    return wait === undefined ? undefined : Math.min(wait, LONGEST_WAIT_MS);
  }

  /** Records the runs of earlier leaders as interrupted, and makes their sources due at once. */
  async #recover(term: Term): Promise<void> {
    for (const { _id, company_id, run_id, running } of await this.sources.running()) {
      if (term.fence !== NO_LEASE && running! >= term.fence) continue;
      const now = await this.clocks.now(company_id);
      await this.recorder.interrupted(run_id!);
      await this.sources.change(_id, (source) =>
        source.run_id === run_id && source.running === running
          ? { running: null, next_run_at: mayRunAgain(source) ? now : null }
          : undefined,
      );
    }
    term.recovered = true;
  }

  async #startDue(due: readonly PullSourceRecord[], term: Term): Promise<void> {
    for (const source of due) {
      if (term.ended.signal.aborted || this.#running.size >= RUNS_AT_ONCE) return;
      const { company_id } = source;
      const ofCompany = [...this.#running.values()].filter((one) => one.company_id === company_id);
      if (ofCompany.length >= RUNS_OF_COMPANY) continue;
      const claimed = await this.#claim(source, term);
      if (claimed === undefined) continue;
      const run = this.#run(claimed, term).finally(() => {
        this.#running.delete(source._id);
        this.wake();
      });
      this.#running.set(source._id, { company_id, run });
    }
  }

  async #claim({ _id, company_id }: PullSourceRecord, { fence }: Term): Promise<ClaimedRun | undefined> {
    const new_run_id = this.ids.ulid();
    const now = await this.clocks.now(company_id);
    const source = await this.sources.change(_id, ({ running, next_run_at, requested_run_id }) =>
      running === null && next_run_at !== null && next_run_at <= now
        ? {
            running: fence,
            run_id: requested_run_id ?? new_run_id,
            requested_run_id: null,
            next_run_at: null,
          }
        : undefined,
    );
    return source && { source, started_at: now };
  }

  async #run({ source, started_at }: ClaimedRun, term: Term): Promise<void> {
    await underTimeLimit(this.clock, LONGEST_RUN_MS, tooLong, (late) => {
      const permit = this.#permit(source, term, AbortSignal.any([term.ended.signal, late]));
      return this.recorder.run(source, permit, started_at);
    });
    await this.#persist(term, () => this.#release(source, term, started_at));
  }

  /** Tries until the end of the run is stored: otherwise the source would never run again. */
  async #persist({ ended }: Term, work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        this.logger.warn({ error }, 'The end of a pull run could not be stored; trying again.');
        // The next leader records the run as interrupted.
        if (ended.signal.aborted) return;
        await pause(this.clock, CHECK_EVERY_MS, ended.signal);
      }
    }
  }

  /** If the end of this process ended the run, the source is due at once, for the next leader. */
  async #release(
    { _id, company_id, run_id }: PullSourceRecord,
    term: Term,
    started_at: number,
  ): Promise<unknown> {
    const now = await this.clocks.now(company_id);
    return this.sources.change(_id, (source) => {
      if (source.run_id !== run_id || source.running !== term.fence) return undefined;
      const isAtOnce = term.ended.signal.aborted || source.requested_run_id !== null;
      const due = isAtOnce ? now : nextRunAt(started_at, source.interval_seconds, now);
      return { running: null, next_run_at: mayRunAgain(source) ? due : null };
    });
  }

  #permit({ _id, run_id }: PullSourceRecord, term: Term, signal: AbortSignal): RunPermit {
    const { clock } = this;
    const good_for = this.#leaseMilliseconds;
    let demanded_at = clock.now();
    return {
      run_id: run_id!,
      signal,
      demand: async () => {
        const begun_at = clock.now();
        const source = await this.sources.byId(_id);
        if (signal.reason instanceof PullFault) throw signal.reason;
        if (signal.aborted || source?.running !== term.fence || source.run_id !== run_id)
          throw new PullFault('interrupted', 'The process of this run has ended, or another one took over.');
        demanded_at = begun_at;
      },
      get isOver() {
        return signal.aborted || clock.now() - demanded_at >= good_for;
      },
    };
  }
}

function tooLong(): PullFault {
  return new PullFault('run_too_long', 'The run took more than one hour. Send fewer or faster pages.');
}

/** A source that is off runs again only if an operator has requested a run meanwhile. */
function mayRunAgain({ enabled, requested_run_id }: PullSourceRecord): boolean {
  return enabled || requested_run_id !== null;
}
