import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantSessions } from './tenant-sessions.js';
import { WriteTenants } from './write-tenants.js';

/** Ends a tenant's sessions for an operator. */
@Injectable()
export class ForcedLogout {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly sessions: TenantSessions,
    private readonly commands: CommandBus,
  ) {}

  /** @returns false if the tenant does not exist. @throws StoreUnavailableError */
  async signOut(tenant_id: string, context: WriteContext): Promise<boolean> {
    const [account] = await this.accounts.byTenantId([tenant_id]);
    if (account === undefined) return false;
    const { company_id, location_id } = account;
    const command = { type: 'EndTenantSessions', company_id, location_id } as const;
    await this.commands.execute(new WriteTenants(company_id, [{ tenant_id, command }], context));
    await this.sessions.endAll([tenant_id]);
    return true;
  }
}
