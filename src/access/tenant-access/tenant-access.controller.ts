import { Controller, Get, Headers, Inject, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Environment } from '../../config/environment.js';
import { ENVIRONMENT } from '../../config/injection-tokens.js';
import { Authenticated, type TenantPrincipal } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { type Envelope, envelope } from '../../http/pipeline/answer.js';
import { RateLimits } from '../../http/pipeline/rate-limits.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { TENANT_PREFIXES } from '../../http/versions.js';
import type { TenantAccess } from './tenant-access.answer.js';
import { TenantAccessQuery } from './tenant-access.query.js';
import { TENANT_ACCESS_SCHEMA } from './tenant-access.schemas.js';

/** Name of the rate limit per tenant (decisions §5). */
const READS = 'tenant-reads';

/** A tenant's app reads this at launch, and keeps it to work offline (specification §4.2). */
@Authenticated('tenant')
@Controller(TENANT_PREFIXES)
export class TenantAccessController {
  constructor(
    private readonly query: TenantAccessQuery,
    private readonly limits: RateLimits,
    @Inject(ENVIRONMENT) { rate_limit_tenant_reads: limit }: Environment,
  ) {
    limits.define({ name: READS, limit, windowSeconds: 60 });
  }

  @Get('tenant/access')
  @Answers({
    id: 'getTenantAccess',
    description:
      'Units and entry points of the tenant, with keys for those that may be opened. Send `If-None-Match` with the last `ETag`: 304 means that nothing changed. Ask again at `refresh_at`. 300 reads in 60 s.',
    summary: 'Read what the tenant may open, with the keys',
    also: [304],
    data: TENANT_ACCESS_SCHEMA,
    headers: ['ETag'],
    quota: 'answers',
    errors: ['rate_limited'],
  })
  async read(
    @Context() { principal }: RequestContext<TenantPrincipal>,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<TenantAccess> | undefined> {
    await this.limits.enforce(READS, principal.id, response);
    const { entity_tag, answer } = await this.query.read(principal, known);
    response.setHeader('ETag', entity_tag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (answer !== undefined) return envelope(answer);
    response.status(304);
    return undefined;
  }
}
