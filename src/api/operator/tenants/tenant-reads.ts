import { Injectable } from '@nestjs/common';
import { errorOf } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { USUAL_PAGE } from '#web/validation/page-query.js';
import { TenantAccounts, TenantSearch } from '#domain/tenants/index.js';
import { SearchScope } from '../search-scope.js';
import { OperatorTenantDetail, presentTenant } from './operator-tenant-detail.js';
import type { TenantSearchQuery } from './operator-tenants.dto.js';

/** Reads of tenants by operators (decisions §6). */
@Injectable()
export class TenantReads {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly detail: OperatorTenantDetail,
    private readonly search: TenantSearch,
    private readonly scope: SearchScope,
  ) {}

  /** The tenants of all companies, or sites, that the operator sees. */
  async findTenants(
    { company_id, limit = USUAL_PAGE, ...filter }: TenantSearchQuery,
    principal: OperatorPrincipal,
  ) {
    const places = await this.scope.findScope(principal, { company_id, location_id: filter.location_id });
    const { tenants, next_cursor } = await this.search.page({ ...filter, ...places, limit });
    return { tenants: tenants.map(presentTenant), next_cursor };
  }

  /** @throws ApiError 404 */
  async readTenant(tenant_id: string) {
    const [account] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (account === undefined) throw errorOf('tenant_not_found');
    return this.detail.readDetail(account);
  }
}
