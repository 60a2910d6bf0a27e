import { Injectable } from '@nestjs/common';
import { errorOf } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { toTimestamp } from '#kernel/timestamp.js';
import type { OperatorContext } from '#web/request-context.js';
import { type TenantAccount, TenantAccounts, TenantCalls } from '#domain/tenants/index.js';
import { CalledTenants, type ShownCall } from './called-tenants.js';

/** Operators record that they have called a tenant (decisions §14). */
@Injectable()
export class CallAdministration {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly calls: TenantCalls,
    private readonly called: CalledTenants,
  ) {}

  /** A call that still holds stays as it is. @throws ApiError 404 */
  async callTenant(tenant_id: string, context: OperatorContext) {
    const account = await this.#readAccount(tenant_id);
    const before = await this.#callOf(account);
    if (before !== undefined) return { tenant_id, ...before };
    const called = await this.calls.record(account, context);
    const { called_by } = (await this.#callOf({ ...account, called })) ?? { called_by: null };
    return { tenant_id, called_at: toTimestamp(called.at), called_by };
  }

  /** @throws ApiError 404 */
  async takeCallBack(tenant_id: string, context: OperatorContext) {
    const account = await this.#readAccount(tenant_id);
    if ((await this.#callOf(account)) !== undefined) await this.calls.takeBack(account, context);
    return { tenant_id };
  }

  async #callOf(account: TenantAccount): Promise<ShownCall | undefined> {
    return (await this.called.findCalls([account])).get(account.tenant_id);
  }

  async #readAccount(tenant_id: string): Promise<TenantAccount> {
    const [account] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (account === undefined) throw errorOf('tenant_not_found');
    return account;
  }
}
