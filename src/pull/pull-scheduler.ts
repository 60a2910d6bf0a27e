import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import { underTimeLimit } from '../base/within.js';
import { CompanyClocks } from '../companies/index.js';
import type { Clock } from '../config/clock.js';
import type { Ids } from '../config/ids.js';
import { CLOCK, IDS, LOGGER, RECORDS } from '../config/injection-tokens.js';
import type { Logger } from '../config/logger.js';
import { pause } from '../config/pause.js';
import type { DocumentStore } from '../documents/document-store.js';
import { USUAL_LEASE } from '../documents/take-lease.js';
import { Leadership } from '../projecting/leadership.js';
import { nextRunAt } from './core/retry.js';
import { DueSources } from './due-sources.js';
import { PullFault } from './fetching/pull-fault.js';
import { PullRunRecorder } from './pull-run-recorder.js';
import type { RunPermit } from './pull-run.js';
import { type PullSourceRecord, PullSources } from './pull-sources.js';

/** Runs at once in all, and of one company: its slow sources must not hold every place (decisions §8). */
const RUNS_AT_ONCE = 4;
const RUNS_OF_COMPANY = 2;
/** The longest run. */
const LONGEST_RUN = 60 * 60_000;
/** How soon what another process was asked for is seen, and what could not be done is tried again. */
const LOOKED_EVERY = 5_000;
/** A sandbox's source may be due years ahead of real time. A timer of more than 24 days fires at once. */
const LONGEST_WAIT = 24 * 60 * 60_000;
/** The fence of a process that has its stores for itself. */
const ALONE = 0;

/** The time during which this process is the one that runs sources. */
interface Turn {
  readonly fence: number;
  readonly ended: AbortController;
  /** Runs that another process, or this one before, was at have been laid down. */
  recovered: boolean;
}

/** A source that this process runs, since an instant of its company's clock (milliseconds). */
interface ClaimedRun {
  readonly source: PullSourceRecord;
  readonly started_at: number;
}

/**
 * Runs each source when it is due: one run of a source at a time, in the one process that holds the lease. A run is
 * claimed in the source's record under the lease's fence, and checked before each write. So a process that slept past
 * the end of its lease cannot overwrite its successor's work.
 */
@Injectable()
export class PullScheduler implements OnModuleDestroy {
  #leadership: Leadership | undefined;
  #lease_milliseconds = Infinity;
  #turn: Turn | undefined;
  #cancel: () => void = () => undefined;
  /** By source. */
  readonly #running = new Map<string, { readonly company_id: string; readonly run: Promise<void> }>();
  #looking: Promise<void> = Promise.resolve();

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
   * @param alone no other process can work on these stores; otherwise one runs sources and the others wait
   * @param milliseconds after which a silent process loses its lease; 10 s when absent
   * @throws StoreUnavailableError
   */
  async start(alone: boolean, milliseconds = USUAL_LEASE): Promise<void> {
    if (alone) return this.#lead(ALONE);
    const { records: leases, clock, logger, ids } = this;
    this.#lease_milliseconds = milliseconds;
    this.#leadership = new Leadership(
      { leases, clock, logger, name: 'pull', owner: ids.ulid(), milliseconds },
      { lead: ({ fence }) => this.#lead(fence), retire: () => this.#retire() },
    );
    await this.#leadership.start();
  }

  /** Something may be due that was not before. In a process that stands by it does nothing: the other one looks often. */
  wake(): void {
    const turn = this.#turn;
    if (turn === undefined) return;
    this.#looking = this.#looking.then(() => this.#look(turn));
  }

  /** Resolves once nothing is under way that was due by now. */
  async settled(): Promise<void> {
    for (;;) {
      await this.#looking;
      if (this.#running.size === 0) return;
      await Promise.all([...this.#running.values()].map(({ run }) => run));
    }
  }

  async onModuleDestroy(): Promise<void> {
    await this.#leadership?.stop();
    await this.#retire();
  }

  #lead(fence: number): Promise<void> {
    this.#turn = { fence, ended: new AbortController(), recovered: false };
    this.wake();
    return Promise.resolve();
  }

  async #retire(): Promise<void> {
    this.#turn?.ended.abort();
    this.#turn = undefined;
    this.#cancel();
    await this.settled();
  }

  async #look(turn: Turn): Promise<void> {
    if (turn.ended.signal.aborted) return;
    this.#cancel();
    let wait: number | undefined = LOOKED_EVERY;
    try {
      if (!turn.recovered) await this.#recover(turn);
      await this.#begin(turn);
      wait = await this.#nextLook();
    } catch (error) {
      this.logger.warn({ error }, 'Pull sources could not be read; trying again.');
    }
    if (wait !== undefined && !turn.ended.signal.aborted)
      this.#cancel = this.clock.after(wait, () => this.wake());
  }

  /** A process that is alone is the only one to change what is due. If all runs are taken, the end of one looks again. */
  async #nextLook(): Promise<number | undefined> {
    const isShared = this.#leadership !== undefined;
    const wait = await this.dueSources.wait();
    if (isShared) return Math.min(wait ?? LOOKED_EVERY, LOOKED_EVERY);
    return wait === undefined ? undefined : Math.min(wait, LONGEST_WAIT);
  }

  /** Runs that were cut off are told so, and their sources are due at once. */
  async #recover(turn: Turn): Promise<void> {
    for (const { _id, company_id, run_id, running } of await this.sources.running()) {
      if (turn.fence !== ALONE && running! >= turn.fence) continue;
      const now = await this.clocks.now(company_id);
      await this.recorder.interrupted(run_id!);
      await this.sources.change(_id, (source) =>
        source.run_id === run_id && source.running === running
          ? { running: null, next_run_at: isRunAgain(source) ? now : null }
          : undefined,
      );
    }
    turn.recovered = true;
  }

  async #begin(turn: Turn): Promise<void> {
    for (const source of await this.dueSources.now()) {
      if (turn.ended.signal.aborted || this.#running.size >= RUNS_AT_ONCE) return;
      const { company_id } = source;
      const ofCompany = [...this.#running.values()].filter((one) => one.company_id === company_id);
      if (ofCompany.length >= RUNS_OF_COMPANY) continue;
      const claimed = await this.#claim(source, turn);
      if (claimed === undefined) continue;
      const run = this.#run(claimed, turn).finally(() => {
        this.#running.delete(source._id);
        this.wake();
      });
      this.#running.set(source._id, { company_id, run });
    }
  }

  async #claim({ _id, company_id }: PullSourceRecord, { fence }: Turn): Promise<ClaimedRun | undefined> {
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

  async #run({ source, started_at }: ClaimedRun, turn: Turn): Promise<void> {
    await underTimeLimit(this.clock, LONGEST_RUN, tooLong, (late) => {
      const permit = this.#permit(source, turn, AbortSignal.any([turn.ended.signal, late]));
      return this.recorder.run(source, permit, started_at);
    });
    await this.#persist(turn, () => this.#release(source, turn, started_at));
  }

  /** The end of a run is recorded sooner or later: otherwise the source would never run again. */
  async #persist({ ended }: Turn, work: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await work();
        return;
      } catch (error) {
        this.logger.warn({ error }, 'The end of a pull run could not be stored; trying again.');
        // The next leader lays it down.
        if (ended.signal.aborted) return;
        await pause(this.clock, LOOKED_EVERY, ended.signal);
      }
    }
  }

  /** A run that was ended by the end of the process is taken up again by whoever comes next. */
  async #release(
    { _id, company_id, run_id }: PullSourceRecord,
    turn: Turn,
    started_at: number,
  ): Promise<unknown> {
    const now = await this.clocks.now(company_id);
    return this.sources.change(_id, (source) => {
      if (source.run_id !== run_id || source.running !== turn.fence) return undefined;
      const isAtOnce = turn.ended.signal.aborted || source.requested_run_id !== null;
      const due = isAtOnce ? now : nextRunAt(started_at, source.interval_seconds, now);
      return { running: null, next_run_at: isRunAgain(source) ? due : null };
    });
  }

  #permit({ _id, run_id }: PullSourceRecord, turn: Turn, signal: AbortSignal): RunPermit {
    const { clock } = this;
    const good_for = this.#lease_milliseconds;
    let demanded_at = clock.now();
    return {
      run_id: run_id!,
      signal,
      demand: async () => {
        const asked_at = clock.now();
        const source = await this.sources.byId(_id);
        if (signal.reason instanceof PullFault) throw signal.reason;
        if (signal.aborted || source?.running !== turn.fence || source.run_id !== run_id)
          throw new PullFault('interrupted', 'The process of this run has ended, or another one took over.');
        demanded_at = asked_at;
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

/** A run that was asked for while another ended is run, also if the source is switched off. */
function isRunAgain({ enabled, requested_run_id }: PullSourceRecord): boolean {
  return enabled || requested_run_id !== null;
}
