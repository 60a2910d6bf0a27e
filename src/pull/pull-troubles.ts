import { Injectable } from '@nestjs/common';
import { isLate } from './pull-lateness.js';
import { PullRuns } from './pull-runs.js';
import { type PullSourceRecord, PullSources } from './pull-sources.js';

/** A source that an operator should look at. */
export interface TroubledSource {
  readonly pull_source_id: string;
  readonly name: string;
  /** It should have been asked by now. */
  readonly late: boolean;
  /** Its last run ended without an answer that could be read to its end. */
  readonly last_run_failed: boolean;
}

/** Which pull sources that are switched on are late, or were asked in vain. @throws StoreUnavailableError from every method */
@Injectable()
export class PullTroubles {
  constructor(
    private readonly sources: PullSources,
    private readonly runs: PullRuns,
  ) {}

  /** Those of a company, in the order they were made. @param now by the company's clock, in milliseconds */
  async ofCompany(company_id: string, now: number): Promise<TroubledSource[]> {
    const sources = (await this.sources.ofCompany(company_id)).filter(({ enabled }) => enabled);
    const failed = await this.#failedRuns(sources);
    return sources
      .map((source) => ({
        pull_source_id: source._id,
        name: source.name,
        late: isLate(source, now),
        last_run_failed: source.run_id !== null && failed.has(source.run_id),
      }))
      .filter(({ late, last_run_failed }) => late || last_run_failed);
  }

  async #failedRuns(sources: readonly PullSourceRecord[]): Promise<ReadonlySet<string>> {
    const runs = await this.runs.byIds(sources.flatMap(({ run_id }) => run_id ?? []));
    return new Set(runs.flatMap((run) => (run?.state === 'failed' ? [run._id] : [])));
  }
}
