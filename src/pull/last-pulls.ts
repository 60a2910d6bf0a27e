import { Injectable } from '@nestjs/common';
import { PullRuns } from './pull-runs.js';
import { PullSources } from './pull-sources.js';

/** The newest runs of a source that are searched for one that succeeded. */
const SEARCHED = 5;

/** Finds when a PMS was last read whole. */
@Injectable()
export class LastPulls {
  constructor(
    private readonly sources: PullSources,
    private readonly runs: PullRuns,
  ) {}

  /**
   * The end of the last run of any source of a company that succeeded, in milliseconds. Null: none of the newest did.
   * @throws StoreUnavailableError
   */
  async findLast(company_id: string): Promise<number | null> {
    const sources = await this.sources.listSources(company_id);
    const pages = await Promise.all(sources.map(({ _id }) => this.runs.listRuns(_id, SEARCHED)));
    const ends = pages
      .flatMap(({ documents }) => documents.filter(({ state }) => state === 'succeeded'))
      .flatMap(({ finished_at }) => finished_at ?? []);
    return ends.length === 0 ? null : Math.max(...ends);
  }
}
