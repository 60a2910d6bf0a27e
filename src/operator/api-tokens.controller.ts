import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { toTimestamp, timestampOrNull } from '../config/clock.js';
import { ApiTokens, CompanyDirectory } from '../companies/index.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/envelope.js';
import type { Acknowledgement } from '../http/envelope.js';
import { Context } from '../http/request-context.js';
import type { RequestContext } from '../http/request-context.js';
import { validationFailed } from '../http/api-error.js';
import { parseTimestamp, ValidBody } from '../http/validation/index.js';

import { apiTokenAnswer } from './facility.answers.js';
import { ApiTokenBody } from './facility.dto.js';
import { answerTo, found } from './facility.refusals.js';
import { API_TOKENS_SCHEMA, ISSUED_TOKEN_SCHEMA } from './facility.schemas.js';
import { Answers, HoldsSecrets } from '../http/index.js';

/** The API tokens of a company (specification §5.1, decisions §6). */
@ForOperators('admin')
@Controller('api/operator/companies/:company_id/api-tokens')
export class ApiTokensController {
  constructor(
    private readonly tokens: ApiTokens,
    private readonly directory: CompanyDirectory,
  ) {}

  @Post()
  @HoldsSecrets()
  @Answers({ summary: 'Issue an API token', data: ISSUED_TOKEN_SCHEMA, errors: ['company_not_found'] })
  async issue(
    @Param('company_id') company_id: string,
    @ValidBody(ApiTokenBody) body: ApiTokenBody,
    @Context() context: RequestContext,
  ) {
    const { name, scope = 'write', expires_at: until } = body;
    const expires_at = typeof until === 'string' ? parseTimestamp(until)! : null;
    if (expires_at !== null && expires_at <= context.received_at) {
      throw validationFailed({ expires_at: ['The expires at field must be in the future.'] });
    }
    const issued = await this.tokens.issue(company_id, { name, scope, expires_at }, context);
    if ('kind' in issued) throw answerTo(issued.refusal);
    const created_at = toTimestamp(issued.created_at);
    return envelope({ ...issued, created_at, expires_at: timestampOrNull(expires_at) });
  }

  @Get()
  @Answers({
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
  @Answers({ summary: 'Revoke an API token', errors: ['company_not_found', 'api_token_not_found'] })
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
