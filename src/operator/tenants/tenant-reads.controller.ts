import { Controller, Get, Param } from '@nestjs/common';
import { IsString, Length, ValidateIf } from 'class-validator';
import {
  Answers,
  Context,
  Costly,
  envelope,
  ForOperators,
  isGiven,
  isPossibleId,
  LONGEST_TEXT,
  notFound,
  type OperatorPrincipal,
  type RequestContext,
  Says,
  USUAL_PAGE,
  ValidQuery,
} from '../../http/index.js';
import { TenantAccounts, TenantSearch } from '../../tenants/index.js';
import { PlaceQuery, SearchScope } from '../search-scope.js';
import { OperatorTenantDetail, presentTenant } from './operator-tenant-detail.js';
import { OPERATOR_TENANT_SCHEMA, OPERATOR_TENANTS_SCHEMA } from '../units/operator-units.schemas.js';

export class TenantSearchQuery extends PlaceQuery {
  @Says(
    "The beginning of any word of a name, of an e-mail or a phone number, letters of any case, or the PMS's whole identifier. Left out: all tenants.",
  )
  @ValidateIf(isGiven)
  @IsString()
  @Length(1, LONGEST_TEXT)
  q?: string;
}

/** Tenants as an operator sees them (decisions §6). */
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
    description: 'Of all companies in the scope, narrowed by the parameters.',
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
    if (account === undefined) throw notFound('Tenant not found.');
    return envelope(await this.detail.of(account));
  }
}
