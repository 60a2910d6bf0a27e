import { Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope, type Acknowledgement } from '#web/envelope.js';
import { Context, type OperatorContext, type RequestContext } from '#web/request-context.js';
import { Answers } from '#web/openapi/answers.js';
import { HoldsSecrets } from '#web/route-options.js';
import { ValidBody } from '#web/validation/parameters.js';
import { ApiTokenBody } from './facility.dto.js';
import { API_TOKENS_SCHEMA, ISSUED_TOKEN_SCHEMA } from './facility.schemas.js';
import { ApiTokenAdministration } from './api-token-administration.js';

/** The API tokens of a company (specification §5.1, decisions §6). */
@ForOperators('admin')
@ForSiteOperators('refused')
@Controller('api/operator/companies/:company_id/api-tokens')
export class ApiTokensController {
  constructor(private readonly tokens: ApiTokenAdministration) {}

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
    return envelope(await this.tokens.issueToken(company_id, body, context));
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
    return envelope({ api_tokens: await this.tokens.listTokens(company_id) });
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
    await this.tokens.revokeToken(company_id, token_id, context);
    return envelope();
  }
}
