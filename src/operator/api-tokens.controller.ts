import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { toTimestamp, timestampOrNull } from '../config/clock.js';
import { ApiTokens, CompanyDirectory } from '../companies/index.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope, type Acknowledgement } from '../http/pipeline/answer.js';
import { Context } from '../http/request-context.js';
import type { OperatorContext, RequestContext } from '../http/request-context.js';
import { invalidField } from '../http/api-error.js';
import { Answers } from '../http/openapi/answers.js';
import { HoldsSecrets } from '../http/route-options.js';
import { parseTimestamp } from '../http/validation/rules.js';
import { ValidBody } from '../http/validation/valid.js';

import { apiTokenAnswer } from './facility.answers.js';
import { ApiTokenBody } from './facility.dto.js';
import { answerTo, found } from './facility.refusals.js';
import { OperatorLease } from './operator-lease.js';
import { API_TOKENS_SCHEMA, ISSUED_TOKEN_SCHEMA } from './facility.schemas.js';

/** The API tokens of a company (specification §5.1, decisions §6). */
@ForOperators('admin')
@Controller('api/operator/companies/:company_id/api-tokens')
export class ApiTokensController {
  constructor(
    private readonly tokens: ApiTokens,
    private readonly directory: CompanyDirectory,
    private readonly lease: OperatorLease,
  ) {}

  @Post()
  @HoldsSecrets('token')
  @Answers({
    id: 'createApiToken',
    description: 'The value is shown in this answer and never again.',
    summary: 'Issue an API token',
    data: ISSUED_TOKEN_SCHEMA,
    errors: ['company_not_found'],
  })
  async issue(
    @Param('company_id') company_id: string,
    @ValidBody(ApiTokenBody) body: ApiTokenBody,
    @Context() context: OperatorContext,
  ) {
    const { name, scope = 'write', expires_at: until } = body;
    const expires_at = typeof until === 'string' ? parseTimestamp(until)! : null;
    if (expires_at !== null && expires_at <= context.received_at) {
      throw invalidField('expires_at', 'out_of_range', 'The expires at field must be in the future.');
    }
    const wanted = { name, scope, expires_at };
    const issued = await this.lease.hold({ author: context.principal, context }, (lease) =>
      this.tokens.issue(company_id, wanted, context, lease),
    );
    if ('kind' in issued) throw answerTo(issued.refusal);
    const created_at = toTimestamp(issued.created_at);
    return envelope({ ...issued, created_at, expires_at: timestampOrNull(expires_at) });
  }

  @Get()
  @Answers({
    id: 'listApiTokens',
    description: 'Revoked and expired tokens are listed too. A value is shown once, when its token is made.',
    summary: 'List the API tokens of a company, without their values',
    data: API_TOKENS_SCHEMA,
    errors: ['company_not_found'],
  })
  async list(@Param('company_id') company_id: string) {
    const company = found(await this.directory.company(company_id), 'company_not_found');
    const tokens = await this.tokens.listIssued(company);
    return envelope({ api_tokens: tokens.map(apiTokenAnswer) });
  }

  @Delete(':token_id')
  @Answers({
    id: 'revokeApiToken',
    description:
      'Holds from the next request on, and cannot be taken back. A revoked token stays in the list.',
    summary: 'Revoke an API token',
    errors: ['company_not_found', 'api_token_not_found'],
  })
  async revoke(
    @Param('company_id') company_id: string,
    @Param('token_id') token_id: string,
    @Context() context: RequestContext,
  ): Promise<Acknowledgement> {
    found(await this.directory.company(company_id), 'company_not_found');
    const revoked = await this.tokens.revoke(company_id, token_id, context);
    found(revoked ? true : undefined, 'api_token_not_found');
    return envelope();
  }
}
