import { Inject, Injectable, Optional } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Clock } from '#kernel/clock.js';
import { CLOCK, LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { WriteContendedError } from '#eventsourcing/writing/write-contended.error.js';
import { PullFault } from './fetching/pull-fault.js';
import { PullRun, type RunPermit } from './pull-run.js';
import { endedRun, PullRunObserver } from './pull-run-observer.js';
import { type PullRunRecord, PullRuns } from './pull-runs.js';
import type { PullSourceRecord } from './pull-sources.js';

/** Carries out runs, and records their progress and their end. */
@Injectable()
export class PullRunRecorder {
  constructor(
    private readonly runs: PullRuns,
    private readonly pull: PullRun,
    private readonly clocks: CompanyClocks,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(CLOCK) private readonly clock: Clock,
    @Optional() private readonly observer?: PullRunObserver,
  ) {}

  /** Never throws: a run that fails says so in its record. */
  async run(source: PullSourceRecord, permit: RunPermit, started_at: number): Promise<void> {
    const { run_id } = permit;
    const began = this.clock.now();
    let run: PullRunRecord | undefined;
    const keep = async (changes: Partial<PullRunRecord>) => {
      run &&= await this.runs.replace(run, changes);
    };
    let failure: PullRunRecord['failure'] = null;
    try {
      await this.runs.insert(this.runs.draft(run_id, source, started_at));
      run = await this.runs.byId(run_id);
      await keep({ state: 'running', started_at });
      await this.pull.run(source, permit, keep);
    } catch (error) {
      failure = this.#failureOf(error, source, run_id);
    }
    const state = failure === null ? 'succeeded' : 'failed';
    const duration_ms = this.clock.now() - began;
    try {
      const finished_at = await this.clocks.now(source.company_id);
      await keep({ state, failure, finished_at, duration_ms });
    } catch (error) {
      this.logger.warn({ error, run_id }, 'The end of a pull run could not be recorded.');
      return;
    }
    // Undefined: another process has recorded the end, and has called its observer.
    if (run !== undefined) this.observer?.pulled(endedRun(run, duration_ms / 1_000));
  }

  /** Records the failure of a run whose process stopped before its end. @throws StoreUnavailableError */
  async interrupted(run_id: string): Promise<void> {
    const run = await this.runs.byId(run_id);
    if (run === undefined || run.finished_at !== null) return;
    const message = 'The service stopped during the run. A new run begins.';
    const failure = { code: 'interrupted', message } as const;
    const ended = await this.runs.replace(run, {
      state: 'failed',
      failure,
      finished_at: await this.clocks.now(run.company_id),
    });
    if (ended !== undefined) this.observer?.pulled(endedRun(ended, null));
  }

  #failureOf(error: unknown, { _id }: PullSourceRecord, run_id: string): PullRunRecord['failure'] {
    const fault = faultOf(error);
    const { code, message } = fault;
    const details = { pull_source_id: _id, run_id, failure: code };
    if (code === 'internal_error') this.logger.error({ ...details, error }, 'A pull run failed.');
    else this.logger.warn(details, 'A pull run failed.');
    return { code, message };
  }
}

function faultOf(error: unknown): PullFault {
  if (error instanceof PullFault) return error;
  if (error instanceof StoreUnavailableError || error instanceof WriteContendedError)
    return new PullFault(
      'store_unavailable',
      'The service could not store the rows that it had read. The next run tries again.',
    );
  return new PullFault('internal_error', 'The run failed inside the service. See its log.');
}
