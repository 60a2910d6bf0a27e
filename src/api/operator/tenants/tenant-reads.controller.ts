import { Controller, Get, Param } from '@nestjs/common';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { ValidQuery } from '#web/validation/parameters.js';
import { OPERATOR_TENANT_SCHEMA, OPERATOR_TENANTS_SCHEMA } from '../units/operator-units.schemas.js';
import { TenantSearchQuery } from './operator-tenants.dto.js';
import { TenantReads } from './tenant-reads.js';

/** Reads of tenants by operators (decisions §6). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator/tenants')
export class TenantReadsController {
  constructor(private readonly reads: TenantReads) {}

  @ForSiteOperators('narrowed')
  @Costly()
  @Get()
  @Answers({
    id: 'listTenants',
    description: 'Searches all companies that you see. The parameters narrow the search.',
    summary:
      'Find tenants by the beginning of a name, an e-mail or a phone number, or by a whole PMS identifier',
    data: OPERATOR_TENANTS_SCHEMA,
  })
  async list(
    @ValidQuery(TenantSearchQuery) query: TenantSearchQuery,
    @Context() { principal }: RequestContext<OperatorPrincipal>,
  ) {
    return envelope(await this.reads.findTenants(query, principal));
  }

  @Costly()
  @Get(':tenant_id')
  @Answers({
    id: 'getTenant',
    description: 'Units, shares, sessions and keys given out, each list bounded.',
    summary: 'Read a tenant with all that the tenant has',
    data: OPERATOR_TENANT_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async one(@Param('tenant_id') tenant_id: string) {
    return envelope(await this.reads.readTenant(tenant_id));
  }
}
