import { Inject, Injectable, Optional } from '@nestjs/common';
import { OVERTAKEN, untilItHolds } from '../documents/until-it-holds.js';
import { CompanyClocks } from '../companies/index.js';
import type { WriteContext } from '../writing/write-context.js';
import { AccountChanges } from './account-changes.js';
import { erased, TenantAccounts } from './tenant-accounts.js';
import { TenantStreams } from './tenant-streams.js';

/** Another feature that keeps what a tenant may have said of themselves. Bound by app.module.ts; may be absent. */
export interface PersonalDataHolder {
  /** Removes all of it. Idempotent. @throws StoreUnavailableError */
  erasePersonalData(tenant_id: string): Promise<void>;
}

/** Injection token for the list of them (`PersonalDataHolder[]`). */
export const PERSONAL_DATA_HOLDERS = Symbol('PersonalDataHolders');

/**
 * Erases a person from an account for good: no PMS brings them back, only an operator does (decisions §5). The history,
 * which names the account by id only, stays whole.
 */
@Injectable()
export class TenantErasure {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly changes: AccountChanges,
    private readonly streams: TenantStreams,
    private readonly clocks: CompanyClocks,
    @Optional()
    @Inject(PERSONAL_DATA_HOLDERS)
    private readonly holders: readonly PersonalDataHolder[] = [],
  ) {}

  /**
   * Idempotent; what a cut-off attempt left is done by the next.
   * @returns false where there is no such tenant. @throws StoreUnavailableError
   */
  erase(tenant_id: string, context: WriteContext): Promise<boolean> {
    return untilItHolds(async () => {
      const [before] = await this.accounts.byTenantId([tenant_id]);
      if (before === undefined) return false;
      const { company_id, location_id } = before;
      const command = { type: 'EraseTenant', company_id, location_id } as const;
      await this.streams.write(company_id, [{ tenant_id, command }], context);
      const after = erased(before, await this.clocks.now(company_id));
      if (after !== before && !(await this.changes.store([{ before, after }]))[0]) return OVERTAKEN;
      await this.changes.signOut(tenant_id);
      for (const holder of this.holders) await holder.erasePersonalData(tenant_id);
      return true;
    });
  }
}
