import { Injectable } from '@nestjs/common';
import { CompanyDirectory } from '#domain/companies/index.js';
import { errorOf, invalidField } from '#kernel/errors/api-error.js';
import { OperatorRightsCheck } from '#web/operator-access.js';
import type { OperatorContext } from '#web/request-context.js';
import { PullDestinations } from './pull-destinations.js';
import { PullReads } from './pull-reads.js';
import { PullSourceTest } from './pull-source-test.js';
import { PullSourceWrites } from './pull-source-writes.js';
import type { PullSourceRecord } from './pull-sources.js';
import { pullRunAnswer } from './pull.answers.js';
import {
  type PullRunsQuery,
  type PullSourceBody,
  type PullSourceChangeBody,
  USUAL_RUNS,
} from './pull.dto.js';

/** The pull sources of a company and their runs, and who may do what with them (decisions §8). */
@Injectable()
export class PullSourceAdministration {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly reads: PullReads,
    private readonly writes: PullSourceWrites,
    private readonly destinations: PullDestinations,
    private readonly tests: PullSourceTest,
    private readonly rights: OperatorRightsCheck,
  ) {}

  /** @throws ApiError 403, 404, 422 */
  async addSource(company_id: string, body: PullSourceBody, context: OperatorContext) {
    const stated = await this.#stated(company_id, body, context);
    const source = await this.writes.add(company_id, stated, context);
    return this.reads.shown(source, isAdmin(context));
  }

  /** @throws ApiError 403, 404, 422 */
  async changeSource(pull_source_id: string, body: PullSourceChangeBody, context: OperatorContext) {
    const source = await this.reads.source(pull_source_id);
    await this.#assertAllowed(body, source, context);
    const { url } = body;
    const where = url === undefined ? {} : { url: new URL(url).href, url_by_admin: isAdmin(context) };
    const changed = await this.writes.change(
      pull_source_id,
      { ...body, ...where },
      context,
      async (before) => {
        await this.#assertAllowed(body, before, context);
        await this.rights.assertRights(context.principal);
      },
    );
    return this.reads.shown(changed ?? source, isAdmin(context));
  }

  /** @throws ApiError 404 */
  async listSources(company_id: string, context: OperatorContext) {
    await this.#assertCompany(company_id);
    return this.reads.listSources(company_id, isAdmin(context));
  }

  /** @throws ApiError 404 */
  async readSource(pull_source_id: string, context: OperatorContext) {
    return this.reads.shown(await this.reads.source(pull_source_id), isAdmin(context));
  }

  /** During a run it answers that run. @throws ApiError 404 */
  async requestRun(pull_source_id: string, context: OperatorContext) {
    const source = await this.reads.source(pull_source_id);
    return pullRunAnswer(await this.writes.requestRun(source, context));
  }

  /** Newest first. @throws ApiError 404 */
  listRuns(pull_source_id: string, { cursor, limit = USUAL_RUNS }: PullRunsQuery) {
    return this.reads.runsOf(pull_source_id, limit, cursor);
  }

  /** @throws ApiError 404 */
  async testSource(pull_source_id: string, context: OperatorContext) {
    const source = await this.reads.source(pull_source_id);
    await this.rights.assertRights(context.principal);
    return this.tests.run(source, context);
  }

  /** Tests a saved source with a mapping that is not saved yet. @throws ApiError 404 */
  async testMapping(
    pull_source_id: string,
    { mapping = null }: PullSourceChangeBody,
    context: OperatorContext,
  ) {
    const source = await this.reads.source(pull_source_id);
    await this.rights.assertRights(context.principal);
    return this.tests.runMapped({ ...source, mapping }, context);
  }

  /** Tests a source before it is saved. Stores nothing, the credential included. @throws ApiError 403, 404, 422 */
  async testUnsaved(company_id: string, body: PullSourceBody, context: OperatorContext) {
    const stated = await this.#stated(company_id, body, context);
    return this.tests.runUnsaved({ company_id, ...stated }, context);
  }

  /** @throws ApiError 403, 404, 422 */
  async #stated(company_id: string, body: PullSourceBody, context: OperatorContext) {
    await this.#assertCompany(company_id);
    const { auth_header = null, mapping = null, name, url, interval_seconds } = body;
    if (auth_header !== null) assertAdmin(context);
    await this.destinations.demand({ url, has_auth_header: auth_header !== null });
    await this.rights.assertRights(context.principal);
    const terms = { name, url: new URL(url).href, interval_seconds, mapping };
    return { ...terms, auth_header, url_by_admin: isAdmin(context) };
  }

  /** @throws ApiError 403, 422 */
  async #assertAllowed(
    body: PullSourceChangeBody,
    source: PullSourceRecord,
    context: OperatorContext,
  ): Promise<void> {
    assertRightTo(body, source, context);
    const { url, auth_header } = body;
    const has_auth_header = auth_header === undefined ? source.sealed_auth !== null : auth_header !== null;
    if (url !== undefined || typeof auth_header === 'string')
      await this.destinations.demand({ url: url ?? source.url, has_auth_header });
  }

  /** @throws ApiError 404 */
  async #assertCompany(company_id: string): Promise<void> {
    if ((await this.companies.company(company_id)) === undefined) throw errorOf('company_not_found');
  }
}

/** Only an admin may set the credential or its address. Others could send it to themselves, and so learn it. */
function assertRightTo(
  { auth_header, url }: PullSourceChangeBody,
  { sealed_auth, url_by_admin }: PullSourceRecord,
  context: OperatorContext,
): void {
  if (auth_header !== undefined || (url !== undefined && sealed_auth !== null)) assertAdmin(context);
  if (typeof auth_header === 'string' && url === undefined && !url_by_admin)
    throw invalidField('url', 'required', 'The url field is required when a manager has set it.');
}

/** @throws ApiError 403 */
function assertAdmin(context: OperatorContext): void {
  if (!isAdmin(context)) throw errorOf('forbidden');
}

function isAdmin({ principal }: OperatorContext): boolean {
  return principal.role === 'admin';
}
