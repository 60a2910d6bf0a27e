import { Controller, Get, Headers } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { type Envelope, envelope } from '#web/envelope.js';
import { Reply } from '#web/reply.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { TENANT_PREFIXES } from '#web/versions.js';
import type { TenantAccess } from '#domain/access/index.js';
import { TenantAccessQuery } from './tenant-access.query.js';
import { TENANT_ACCESS_SCHEMA } from './tenant-access.schemas.js';

/** A tenant's app reads this at launch, and keeps it to work offline (specification §4.2). */
@Authenticated('tenant')
@Controller(TENANT_PREFIXES)
export class TenantAccessController {
  constructor(private readonly query: TenantAccessQuery) {}

  @Get('tenant/access')
  @Answers({
    id: 'getTenantAccess',
    description:
      'Units and entry points of the tenant, with keys for those that may be opened. Send `If-None-Match` with the last `ETag`: 304 means that nothing changed. Ask again at `refresh_at`. 300 reads in 60 s.',
    summary: 'Read what the tenant may open, with the keys',
    also: [304],
    data: TENANT_ACCESS_SCHEMA,
    headers: ['ETag'],
  })
  async read(
    @Context() { principal }: RequestContext<TenantPrincipal>,
    @Headers('if-none-match') known: string | undefined,
  ): Promise<Reply<Envelope<TenantAccess> | undefined>> {
    const { entity_tag, answer } = await this.query.read(principal, known);
    const headers = { ETag: entity_tag, 'Cache-Control': 'private, no-cache' };
    if (answer === undefined) return new Reply(undefined, { status: 304, headers });
    return new Reply(envelope(answer), { headers });
  }
}
