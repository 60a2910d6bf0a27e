import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { type PullSourceRecord, PullSources } from './pull-sources.js';
import { pullRunAnswer, pullSourceAnswer } from './pull.answers.js';
import { PullRuns } from './pull-runs.js';

/** Answers about pull sources and their runs. Every method throws StoreUnavailableError. */
@Injectable()
export class PullReads {
  constructor(
    private readonly sources: PullSources,
    private readonly runs: PullRuns,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @throws ApiError 404 */
  async source(pull_source_id: string): Promise<PullSourceRecord> {
    const source = await this.sources.byId(pull_source_id);
    if (source === undefined) throw errorOf('pull_source_not_found');
    return source;
  }

  async listSources(company_id: string, isAdmin: boolean) {
    return this.#allShown(await this.sources.listSources(company_id), isAdmin);
  }

  async shown(source: PullSourceRecord, isAdmin: boolean) {
    return (await this.#allShown([source], isAdmin))[0]!;
  }

  /** Newest first. @throws ApiError 404 @throws InvalidCursorError */
  async runsOf(pull_source_id: string, limit: number, cursor?: string) {
    await this.source(pull_source_id);
    const { documents, next_cursor } = await this.runs.listRuns(pull_source_id, limit, cursor);
    return { runs: documents.map(pullRunAnswer), next_cursor };
  }

  async #allShown(sources: readonly PullSourceRecord[], isAdmin: boolean) {
    const ids = sources.flatMap(({ run_id }) => run_id ?? []);
    const runs = new Map((await this.runs.byIds(ids)).map((run, index) => [ids[index]!, run]));
    const clocks = await this.clocks.findClocks(sources.map(({ company_id }) => company_id));
    return sources.map((source) =>
      pullSourceAnswer(source, {
        isAdmin,
        now: clocks.get(source.company_id)!.now(),
        last_run: runs.get(source.run_id ?? ''),
      }),
    );
  }
}
