import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { AccountChanges } from './account-changes.js';
import { type TenantAccount, type TenantCall, withCall } from './tenant-account.js';
import { TenantAccounts } from './tenant-accounts.js';
import { WriteTenants } from './write-tenants.js';

/** Records that an operator has called a tenant (decisions §14). Throws StoreUnavailableError. */
@Injectable()
export class TenantCalls {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly changes: AccountChanges,
    private readonly commands: CommandBus,
    private readonly clocks: CompanyClocks,
  ) {}

  async record(account: TenantAccount, context: WriteContext): Promise<TenantCall> {
    const called = { at: await this.clocks.now(account.company_id), by: context.actor.id };
    await this.#write(account, 'CallTenant', context);
    await this.#store(account.tenant_id, called);
    return called;
  }

  async takeBack(account: TenantAccount, context: WriteContext): Promise<void> {
    await this.#write(account, 'TakeTenantCallBack', context);
    await this.#store(account.tenant_id, null);
  }

  async #write(
    { tenant_id, company_id, location_id }: TenantAccount,
    type: 'CallTenant' | 'TakeTenantCallBack',
    context: WriteContext,
  ): Promise<void> {
    const command = { type, company_id, location_id } as const;
    await this.commands.execute(new WriteTenants(company_id, [{ tenant_id, command }], context));
  }

  #store(tenant_id: string, called: TenantCall | null): Promise<true> {
    return untilItHolds(async () => {
      const [before] = await this.accounts.byTenantId([tenant_id]);
      if (before === undefined) return true;
      const [isStored] = await this.changes.store([{ before, after: withCall(before, called) }]);
      return isStored ? true : OVERTAKEN;
    });
  }
}
