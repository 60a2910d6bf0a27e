import { Controller, Get, Param } from '@nestjs/common';
import { Costly, envelope, ForOperators, isPossibleId, notFound } from '../../http/index.js';
import { TenantAccounts } from '../../tenants/index.js';
import { OperatorTenantDetail } from './operator-tenant-detail.js';

/** What an operator sees of tenants (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/tenants')
export class TenantReadsController {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly detail: OperatorTenantDetail,
  ) {}

  @Costly()
  @Get(':tenant_id')
  async one(@Param('tenant_id') tenant_id: string) {
    const [account] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (account === undefined) throw notFound('Tenant not found.');
    return envelope(await this.detail.of(account));
  }
}
