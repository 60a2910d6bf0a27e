import { Controller, Get, Param } from '@nestjs/common';
import { IsString, Length, ValidateIf } from 'class-validator';
import { errorOf } from '../../http/api-error.js';
import type { OperatorPrincipal } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { ForOperators } from '../../http/operator-access.js';
import { envelope } from '../../http/pipeline/answer.js';
import { isPossibleId } from '../../http/possible-id.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { Says } from '../../http/validation/decorators.js';
import { USUAL_PAGE } from '../../http/validation/page-query.js';
import { isGiven } from '../../http/validation/presence.js';
import { LONGEST_TEXT } from '../../http/validation/rules.js';
import { ValidQuery } from '../../http/validation/valid.js';
import { TenantAccounts, TenantSearch } from '../../tenants/index.js';
import { ScopeQuery, SearchScope } from '../search-scope.js';
import { OperatorTenantDetail, presentTenant } from './operator-tenant-detail.js';
import { OPERATOR_TENANT_SCHEMA, OPERATOR_TENANTS_SCHEMA } from '../units/operator-units.schemas.js';

export class TenantSearchQuery extends ScopeQuery {
  @Says(
    "The beginning of any word of a name, of an e-mail or a phone number, letters of any case, or the PMS's whole identifier. Left out: all tenants.",
  )
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, LONGEST_TEXT)
  q?: string;
}

/** Reads of tenants by operators (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/tenants')
export class TenantReadsController {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly detail: OperatorTenantDetail,
    private readonly search: TenantSearch,
    private readonly scope: SearchScope,
  ) {}

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
    @ValidQuery(TenantSearchQuery) { company_id, limit = USUAL_PAGE, ...filter }: TenantSearchQuery,
    @Context() { principal }: RequestContext<OperatorPrincipal>,
  ) {
    const companies = await this.scope.of(principal, { company_id, location_id: filter.location_id });
    const { tenants, next_cursor } = await this.search.page({ ...filter, companies, limit });
    return envelope({ tenants: tenants.map(presentTenant), next_cursor });
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
    const [account] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (account === undefined) throw errorOf('tenant_not_found');
    return envelope(await this.detail.of(account));
  }
}
