import { Injectable } from '@nestjs/common';
import { isLate } from './pull-lateness.js';
import { NOTHING_PULLED, type PullRunRecord, PullRuns } from './pull-runs.js';
import { type PullSourceRecord, PullSources } from './pull-sources.js';

/** A source with a problem that an operator should know. */
export interface TroubledSource {
  readonly pull_source_id: string;
  readonly name: string;
  /** Its run is overdue. */
  readonly late: boolean;
  /** End of its last run that has ended, in milliseconds. */
  readonly last_run_at: number | null;
  /** This run did not read all pages. */
  readonly last_run_failed: boolean;
  /** Rows that this run refused. */
  readonly last_run_errors: number;
  /** Rows that this run read. */
  readonly last_run_total: number;
  /** Why this run failed, and the first reasons for refused rows, each once. */
  readonly reasons: readonly string[];
}

const REASONS = 3;
/** Runs of a source that have not ended: one under way, and one requested. */
const MOST_OPEN = 2;

/** Finds enabled pull sources that are late, or whose last run failed or refused rows. */
@Injectable()
export class PullTroubles {
  constructor(
    private readonly sources: PullSources,
    private readonly runs: PullRuns,
  ) {}

  /** Oldest source first. @param now by the company's clock, in milliseconds @throws StoreUnavailableError */
  async findTroubles(company_id: string, now: number): Promise<TroubledSource[]> {
    const sources = (await this.sources.listSources(company_id)).filter(({ enabled }) => enabled);
    const runs = await this.runs.byIds(sources.flatMap(({ run_id }) => run_id ?? []));
    const byId = new Map(runs.flatMap((run) => (run === undefined ? [] : [[run._id, run]])));
    const troubles = sources.map(async (source) => {
      const newest = byId.get(source.run_id ?? '');
      return troubleOf(source, isOpen(newest) ? await this.#lastEnded(source) : newest, now);
    });
    return (await Promise.all(troubles)).filter(
      ({ late, last_run_failed, last_run_errors }) => late || last_run_failed || last_run_errors > 0,
    );
  }

  async #lastEnded({ _id }: PullSourceRecord): Promise<PullRunRecord | undefined> {
    return (await this.runs.listRuns(_id, MOST_OPEN + 1)).documents.find((run) => !isOpen(run));
  }
}

function isOpen(run: PullRunRecord | undefined): boolean {
  return run?.state === 'queued' || run?.state === 'running';
}

const NO_RUN = { ...NOTHING_PULLED, state: null, finished_at: null, failure: null };

function troubleOf(source: PullSourceRecord, run: PullRunRecord | undefined, now: number): TroubledSource {
  const { state, finished_at, failure, error_count, total, errors } = run ?? NO_RUN;
  return {
    pull_source_id: source._id,
    name: source.name,
    late: isLate(source, now),
    last_run_at: finished_at,
    last_run_failed: state === 'failed',
    last_run_errors: error_count,
    last_run_total: total,
    reasons: [...(failure === null ? [] : [failure.message]), ...reasonsIn(errors)],
  };
}

/** The messages that an error joins, without the positions of their rows. */
export function messagesIn(error: string): string[] {
  return error.split(/(?:^|\s)units\.\d\S*: /).filter(Boolean);
}

/** Each reason once, without the position of its row, and what can be done about it. */
export function reasonsIn(errors: PullRunRecord['errors']): string[] {
  const reasons = errors.flatMap(({ error, details }) =>
    details === undefined
      ? messagesIn(error)
      : details.map(({ message, hint }) => (hint === undefined ? message : `${message} ${hint}`)),
  );
  return [...new Set(reasons)].slice(0, REASONS);
}
