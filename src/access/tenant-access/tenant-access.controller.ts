import { Controller, Get, Headers, Res } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import type { Envelope, RequestContext, TenantPrincipal } from '../../http/index.js';
import { Answers, Authenticated, Context, envelope, ReadAhead, TENANT_PREFIXES } from '../../http/index.js';
import type { TenantAccess } from './tenant-access.answer.js';
import { ReadTenantAccess } from './read-tenant-access.query.js';
import { TENANT_ACCESS_SCHEMA } from './tenant-access.schemas.js';

/** What a tenant's app fetches at launch and keeps for when it is offline (specification §4.2). */
@Authenticated('tenant')
@Controller(TENANT_PREFIXES)
export class TenantAccessController {
  constructor(private readonly queries: QueryBus) {}

  @Get('tenant/access')
  @ReadAhead('tenant_access')
  @Answers({
    summary: 'Read what the tenant may open, with the keys',
    also: [304],
    data: TENANT_ACCESS_SCHEMA,
    headers: ['ETag'],
  })
  async read(
    @Context() { principal }: RequestContext<TenantPrincipal>,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<TenantAccess> | undefined> {
    const { entity_tag, answer } = await this.queries.execute(new ReadTenantAccess(principal, known));
    response.setHeader('ETag', entity_tag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (answer !== undefined) return envelope(answer);
    response.status(304);
    return undefined;
  }
}
