import { Injectable } from '@nestjs/common';
import { invalidField } from '#kernel/errors/api-error.js';
import { parseTimestamp, timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import type { OperatorContext, RequestContext } from '#web/request-context.js';
import { ApiTokens, CompanyDirectory } from '#domain/companies/index.js';
import { OperatorLease } from '#domain/operators/index.js';
import { apiTokenAnswer } from './facility.answers.js';
import type { ApiTokenBody } from './facility.dto.js';
import { answerTo, found } from './facility.refusals.js';

/** The API tokens of a company (specification §5.1, decisions §6). */
@Injectable()
export class ApiTokenAdministration {
  constructor(
    private readonly tokens: ApiTokens,
    private readonly directory: CompanyDirectory,
    private readonly lease: OperatorLease,
  ) {}

  /** The answer alone has the token's value. @throws ApiError 404, 422 */
  async issueToken(company_id: string, body: ApiTokenBody, context: OperatorContext) {
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
    return { ...issued, created_at, expires_at: timestampOrNull(expires_at) };
  }

  /** @throws ApiError 404 */
  async listTokens(company_id: string) {
    const company = found(await this.directory.company(company_id), 'company_not_found');
    return (await this.tokens.listIssued(company)).map(apiTokenAnswer);
  }

  /** @throws ApiError 404 */
  async revokeToken(company_id: string, token_id: string, context: RequestContext): Promise<void> {
    found(await this.directory.company(company_id), 'company_not_found');
    const isRevoked = await this.tokens.revoke(company_id, token_id, context);
    found(isRevoked ? true : undefined, 'api_token_not_found');
  }
}
