import { Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { CompanyDirectory } from '../companies/index.js';
import {
  Answers,
  Context,
  envelope,
  forbidden,
  ForOperators,
  notFound,
  ValidBody,
  ValidQuery,
  type OperatorContext,
} from '../http/index.js';
import { PullAdministration } from './pull-administration.js';
import { PullDestinations } from './pull-destinations.js';
import { PullReads } from './pull-reads.js';
import type { PullSourceRecord } from './pull-sources.js';
import { pullRunAnswer } from './pull.answers.js';
import {
  PULL_RUN_SCHEMA,
  PULL_RUNS_SCHEMA,
  PULL_SOURCE_SCHEMA,
  PULL_SOURCES_SCHEMA,
} from './pull.schemas.js';
import { PullRunsQuery, PullSourceBody, PullSourceChangeBody } from './pull.dto.js';

const DEFAULT_LIMIT = 20;

/** The pull sources of a company and their runs (decisions §8). */
@ForOperators('manager')
@Controller('api/operator')
export class PullSourcesController {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly reads: PullReads,
    private readonly administration: PullAdministration,
    private readonly destinations: PullDestinations,
  ) {}

  @Post('companies/:company_id/pull-sources')
  @Answers({
    summary: 'Add a pull source',
    data: PULL_SOURCE_SCHEMA,
    errors: ['company_not_found'],
  })
  async add(
    @Param('company_id') company_id: string,
    @ValidBody(PullSourceBody) body: PullSourceBody,
    @Context() context: OperatorContext,
  ) {
    await this.#demandCompany(company_id);
    const { auth_header = null, mapping = null, name, url, interval_seconds } = body;
    if (auth_header !== null) demandAdmin(context);
    await this.destinations.demand({ url, has_auth_header: auth_header !== null });
    const stated = { name, url: new URL(url).href, auth_header, interval_seconds, mapping };
    const source = await this.administration.add(company_id, stated, context);
    return envelope(await this.reads.shown(source, isAdmin(context)));
  }

  @ForOperators('auditor')
  @Get('companies/:company_id/pull-sources')
  @Answers({
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
  @Answers({ summary: 'Read a pull source', data: PULL_SOURCE_SCHEMA, errors: ['pull_source_not_found'] })
  async one(@Param('pull_source_id') pull_source_id: string, @Context() context: OperatorContext) {
    return envelope(await this.reads.shown(await this.reads.source(pull_source_id), isAdmin(context)));
  }

  @Patch('pull-sources/:pull_source_id')
  @Answers({
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
    demandRightTo(body, source, context);
    const { url, auth_header } = body;
    const has_auth_header = auth_header === undefined ? source.sealed_auth !== null : auth_header !== null;
    if (url !== undefined || typeof auth_header === 'string')
      await this.destinations.demand({ url: url ?? source.url, has_auth_header });
    const changes = url === undefined ? body : { ...body, url: new URL(url).href };
    const changed = await this.administration.change(pull_source_id, changes, context);
    return envelope(await this.reads.shown(changed ?? source, isAdmin(context)));
  }

  @Post('pull-sources/:pull_source_id/runs')
  @HttpCode(202)
  @Answers({ summary: 'Run a pull source now', data: PULL_RUN_SCHEMA, errors: ['pull_source_not_found'] })
  async run(@Param('pull_source_id') pull_source_id: string, @Context() context: OperatorContext) {
    const source = await this.reads.source(pull_source_id);
    const run = await this.administration.requestRun(source, context);
    return envelope(pullRunAnswer(run));
  }

  @ForOperators('auditor')
  @Get('pull-sources/:pull_source_id/runs')
  @Answers({
    summary: 'List the runs of a pull source, newest first',
    data: PULL_RUNS_SCHEMA,
    errors: ['pull_source_not_found'],
  })
  async listRuns(
    @Param('pull_source_id') pull_source_id: string,
    @ValidQuery(PullRunsQuery) { cursor, limit = DEFAULT_LIMIT }: PullRunsQuery,
  ) {
    return envelope(await this.reads.runsOf(pull_source_id, limit, cursor));
  }

  async #demandCompany(company_id: string): Promise<void> {
    if ((await this.companies.company(company_id)) === undefined) throw notFound('Company not found.');
  }
}

/** Whoever sets the credential, or says where the one that is kept is sent to, could come to know it. */
function demandRightTo(
  { auth_header, url }: PullSourceChangeBody,
  { sealed_auth }: PullSourceRecord,
  context: OperatorContext,
): void {
  if (auth_header !== undefined || (url !== undefined && sealed_auth !== null)) demandAdmin(context);
}

function demandAdmin(context: OperatorContext): void {
  if (!isAdmin(context)) throw forbidden();
}

function isAdmin({ principal }: OperatorContext): boolean {
  return principal.role === 'admin';
}
