import { Controller, Get, Headers, Res } from '@nestjs/common';
import type { Response } from 'express';
import type { Envelope, RequestContext, TenantPrincipal } from '../../http/index.js';
import { Authenticated, Context, envelope, TENANT_PREFIXES } from '../../http/index.js';
import type { TenantAccess } from './tenant-access.answer.js';
import { TenantAccessQuery } from './tenant-access.query.js';

/** What a tenant's app fetches at launch and keeps for when it is offline (specification §4.2). */
@Authenticated('tenant')
@Controller(TENANT_PREFIXES)
export class TenantAccessController {
  constructor(private readonly access: TenantAccessQuery) {}

  @Get('tenant/access')
  async read(
    @Context() { principal }: RequestContext<TenantPrincipal>,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<Envelope<TenantAccess> | undefined> {
    const { entity_tag, answer } = await this.access.read(principal, known);
    response.setHeader('ETag', entity_tag);
    response.setHeader('Cache-Control', 'private, no-cache');
    if (answer !== undefined) return envelope(answer);
    response.status(304);
    return undefined;
  }
}
