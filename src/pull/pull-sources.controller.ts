import { Controller, Get, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly, Creates, WithoutKey } from '#web/route-options.js';
import { ValidBody, ValidQuery } from '#web/validation/parameters.js';
import {
  PULL_RUN_SCHEMA,
  PULL_RUNS_SCHEMA,
  PULL_SOURCE_SCHEMA,
  PULL_SOURCES_SCHEMA,
  PULL_TEST_SCHEMA,
} from './pull.schemas.js';
import { PullRunsQuery, PullSourceBody, PullSourceChangeBody } from './pull.dto.js';
import { PullSourceAdministration } from './pull-source-administration.js';

/** The pull sources of a company and their runs (decisions §8). */
@ForOperators('manager')
@ForSiteOperators('refused')
@Controller('api/operator')
export class PullSourcesController {
  constructor(private readonly sources: PullSourceAdministration) {}

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
    return envelope(await this.sources.addSource(company_id, body, context));
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
    return envelope({ pull_sources: await this.sources.listSources(company_id, context) });
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
    return envelope(await this.sources.readSource(pull_source_id, context));
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
    return envelope(await this.sources.changeSource(pull_source_id, body, context));
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
    return envelope(await this.sources.requestRun(pull_source_id, context));
  }

  @Costly()
  @HttpCode(200)
  @WithoutKey()
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
    return envelope(await this.sources.testSource(pull_source_id, context));
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
    @ValidQuery(PullRunsQuery) query: PullRunsQuery,
  ) {
    return envelope(await this.sources.listRuns(pull_source_id, query));
  }
}
