import { Inject, Injectable, Optional } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { OVERTAKEN, untilItHolds } from '#eventsourcing/documents/until-it-holds.js';
import { CompanyClocks } from '#domain/companies/index.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { AccountChanges } from './account-changes.js';
import { erased } from './tenant-account.js';
import { TenantAccounts } from './tenant-accounts.js';
import { WriteTenants } from './write-tenants.js';

/** Another feature that stores personal data of tenants. app.module.ts binds the list. */
export interface PersonalDataHolder {
  /** Removes the tenant's personal data. Idempotent. @throws StoreUnavailableError */
  erasePersonalData(tenant_id: string): Promise<void>;
}

/** Injection token of `PersonalDataHolder[]`. */
export const PERSONAL_DATA_HOLDERS = Symbol('PersonalDataHolders');

/**
 * Erases personal details from an account. Only an operator can record them again (decisions §5). Events stay, because
 * they contain only the account's id.
 */
@Injectable()
export class TenantErasure {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly changes: AccountChanges,
    private readonly commands: CommandBus,
    private readonly clocks: CompanyClocks,
    @Optional()
    @Inject(PERSONAL_DATA_HOLDERS)
    private readonly holders: readonly PersonalDataHolder[] = [],
  ) {}

  /**
   * Idempotent: a repeat completes an attempt that was interrupted.
   * @returns false if the tenant does not exist. @throws StoreUnavailableError
   */
  erase(tenant_id: string, context: WriteContext): Promise<boolean> {
    return untilItHolds(async () => {
      const [before] = await this.accounts.byTenantId([tenant_id]);
      if (before === undefined) return false;
      const { company_id, location_id } = before;
      const command = { type: 'EraseTenant', company_id, location_id } as const;
      await this.commands.execute(new WriteTenants(company_id, [{ tenant_id, command }], context));
      const after = erased(before, await this.clocks.now(company_id));
      if (after !== before && !(await this.changes.store([{ before, after }]))[0]) return OVERTAKEN;
      await this.changes.signOut(tenant_id);
      for (const holder of this.holders) await holder.erasePersonalData(tenant_id);
      return true;
    });
  }
}
