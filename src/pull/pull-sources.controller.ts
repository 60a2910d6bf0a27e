import { Controller, Get, HttpCode, Inject, Param, Patch, Post } from '@nestjs/common';
import { CompanyDirectory } from '../companies/index.js';
import { errorOf, invalidField } from '../http/api-error.js';
import { Answers } from '../http/openapi/answers.js';
import { ForOperators, OPERATOR_RIGHTS, type OperatorRightsCheck } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../http/request-context.js';
import { Costly, Creates } from '../http/route-options.js';
import { ValidBody, ValidQuery } from '../http/validation/valid.js';
import { PullAdministration } from './pull-administration.js';
import { PullDestinations } from './pull-destinations.js';
import { PullReads } from './pull-reads.js';
import { PullSourceTest } from './pull-source-test.js';
import type { PullSourceRecord } from './pull-sources.js';
import { pullRunAnswer } from './pull.answers.js';
import {
  PULL_RUN_SCHEMA,
  PULL_RUNS_SCHEMA,
  PULL_SOURCE_SCHEMA,
  PULL_SOURCES_SCHEMA,
  PULL_TEST_SCHEMA,
} from './pull.schemas.js';
import { PullRunsQuery, USUAL_RUNS, PullSourceBody, PullSourceChangeBody } from './pull.dto.js';

/** The pull sources of a company and their runs (decisions §8). */
@ForOperators('manager')
@Controller('api/operator')
export class PullSourcesController {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly reads: PullReads,
    private readonly administration: PullAdministration,
    private readonly destinations: PullDestinations,
    private readonly tests: PullSourceTest,
    @Inject(OPERATOR_RIGHTS) private readonly rights: OperatorRightsCheck,
  ) {}

  @Post('companies/:company_id/pull-sources')
  @Creates('/api/operator/pull-sources/{pull_source_id}')
  @Answers({
    id: 'createPullSource',
    description: 'The first run is one interval after creation.',
    summary: 'Add a pull source',
    data: PULL_SOURCE_SCHEMA,
    errors: ['company_not_found'],
  })
  async add(
    @Param('company_id') company_id: string,
    @ValidBody(PullSourceBody) body: PullSourceBody,
    @Context() context: OperatorContext,
  ) {
    const stated = await this.#stated(company_id, body, context);
    const source = await this.administration.add(company_id, stated, context);
    return envelope(await this.reads.shown(source, isAdmin(context)));
  }

  /** Tests a source before it is saved, for the dashboard. Stores nothing, the credential included. */
  async testUnsaved(company_id: string, body: PullSourceBody, context: OperatorContext) {
    const stated = await this.#stated(company_id, body, context);
    return envelope(await this.tests.runUnsaved({ company_id, ...stated }, context));
  }

  /** @throws ApiError 403, 404, 422 */
  async #stated(company_id: string, body: PullSourceBody, context: OperatorContext) {
    await this.#demandCompany(company_id);
    const { auth_header = null, mapping = null, name, url, interval_seconds } = body;
    if (auth_header !== null) demandAdmin(context);
    await this.destinations.demand({ url, has_auth_header: auth_header !== null });
    await this.rights.demandRights(context.principal);
    const terms = { name, url: new URL(url).href, interval_seconds, mapping };
    return { ...terms, auth_header, url_by_admin: isAdmin(context) };
  }

  @ForOperators('auditor')
  @Get('companies/:company_id/pull-sources')
  @Answers({
    id: 'listPullSources',
    description: 'All of them, each with the outcome of its newest run.',
    summary: 'List the pull sources of a company',
    data: PULL_SOURCES_SCHEMA,
    errors: ['company_not_found'],
  })
  async list(@Param('company_id') company_id: string, @Context() context: OperatorContext) {
    await this.#demandCompany(company_id);
    return envelope({ pull_sources: await this.reads.ofCompany(company_id, isAdmin(context)) });
  }

  @ForOperators('auditor')
  @Get('pull-sources/:pull_source_id')
  @Answers({
    id: 'getPullSource',
    description: 'With the outcome of its newest run. The `Authorization` header is never shown.',
    summary: 'Read a pull source',
    data: PULL_SOURCE_SCHEMA,
    errors: ['pull_source_not_found'],
  })
  async one(@Param('pull_source_id') pull_source_id: string, @Context() context: OperatorContext) {
    return envelope(await this.reads.shown(await this.reads.source(pull_source_id), isAdmin(context)));
  }

  @Patch('pull-sources/:pull_source_id')
  @Answers({
    id: 'changePullSource',
    description:
      'Fields left out stay. Only an admin may set the credential, or change `url` while a credential is set (403). If a manager set the address, a new credential needs `url` as well (422).',
    summary: 'Change a pull source',
    data: PULL_SOURCE_SCHEMA,
    errors: ['pull_source_not_found'],
  })
  async change(
    @Param('pull_source_id') pull_source_id: string,
    @ValidBody(PullSourceChangeBody) body: PullSourceChangeBody,
    @Context() context: OperatorContext,
  ) {
    const source = await this.reads.source(pull_source_id);
    await this.#check(body, source, context);
    const { url } = body;
    const where = url === undefined ? {} : { url: new URL(url).href, url_by_admin: isAdmin(context) };
    const changed = await this.administration.change(
      pull_source_id,
      { ...body, ...where },
      context,
      async (before) => {
        await this.#check(body, before, context);
        await this.rights.demandRights(context.principal);
      },
    );
    return envelope(await this.reads.shown(changed ?? source, isAdmin(context)));
  }

  @Post('pull-sources/:pull_source_id/runs')
  @HttpCode(202)
  @Answers({
    id: 'runPullSource',
    description: 'During a run the answer is that run.',
    summary: 'Run a pull source now',
    data: PULL_RUN_SCHEMA,
    errors: ['pull_source_not_found'],
  })
  async run(@Param('pull_source_id') pull_source_id: string, @Context() context: OperatorContext) {
    const source = await this.reads.source(pull_source_id);
    const run = await this.administration.requestRun(source, context);
    return envelope(pullRunAnswer(run));
  }

  @Costly()
  @HttpCode(200)
  @Post('pull-sources/:pull_source_id/test')
  @Answers({
    id: 'testPullSource',
    description:
      'Fetches the first page of the source once, within 8 seconds, and checks its first 100 rows as a run does. Writes nothing.',
    summary: 'Test the connection to a pull source',
    data: PULL_TEST_SCHEMA,
    errors: ['pull_source_not_found'],
  })
  async test(@Param('pull_source_id') pull_source_id: string, @Context() context: OperatorContext) {
    const source = await this.reads.source(pull_source_id);
    await this.rights.demandRights(context.principal);
    return envelope(await this.tests.run(source, context));
  }

  /** Tests a saved source with a mapping that is not saved yet, for the dashboard. */
  async testMapping(
    pull_source_id: string,
    { mapping = null }: PullSourceChangeBody,
    context: OperatorContext,
  ) {
    const source = await this.reads.source(pull_source_id);
    await this.rights.demandRights(context.principal);
    return envelope(await this.tests.runMapped({ ...source, mapping }, context));
  }

  @ForOperators('auditor')
  @Get('pull-sources/:pull_source_id/runs')
  @Answers({
    id: 'listPullRuns',
    description: 'Each with its counts and first refused rows. `limit` is at most 100.',
    summary: 'List the runs of a pull source, newest first',
    data: PULL_RUNS_SCHEMA,
    errors: ['pull_source_not_found'],
  })
  async listRuns(
    @Param('pull_source_id') pull_source_id: string,
    @ValidQuery(PullRunsQuery) { cursor, limit = USUAL_RUNS }: PullRunsQuery,
  ) {
    return envelope(await this.reads.runsOf(pull_source_id, limit, cursor));
  }

  /** @throws ApiError 403, 422 */
  async #check(
    body: PullSourceChangeBody,
    source: PullSourceRecord,
    context: OperatorContext,
  ): Promise<void> {
    demandRightTo(body, source, context);
    const { url, auth_header } = body;
    const has_auth_header = auth_header === undefined ? source.sealed_auth !== null : auth_header !== null;
    if (url !== undefined || typeof auth_header === 'string')
      await this.destinations.demand({ url: url ?? source.url, has_auth_header });
  }

  async #demandCompany(company_id: string): Promise<void> {
    if ((await this.companies.company(company_id)) === undefined) throw errorOf('company_not_found');
  }
}

/** Only an admin may set the credential or its address. Others could send it to themselves, and so learn it. */
function demandRightTo(
  { auth_header, url }: PullSourceChangeBody,
  { sealed_auth, url_by_admin }: PullSourceRecord,
  context: OperatorContext,
): void {
  if (auth_header !== undefined || (url !== undefined && sealed_auth !== null)) demandAdmin(context);
  if (typeof auth_header === 'string' && url === undefined && !url_by_admin)
    throw invalidField('url', 'required', 'The url field is required when a manager has set it.');
}

function demandAdmin(context: OperatorContext): void {
  if (!isAdmin(context)) throw errorOf('forbidden');
}

function isAdmin({ principal }: OperatorContext): boolean {
  return principal.role === 'admin';
}
