import { Inject, Injectable, Optional } from '@nestjs/common';
import { OtpCodes } from './otp-codes.js';
import type { Accompany } from './tenant-accounts.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantSessions } from './tenant-sessions.js';

/** Another feature that keeps what a tenant may have said of themselves. Bound by app.module.ts; may be absent. */
export interface PersonalDataHolder {
  /** Removes all of it. Idempotent. @throws StoreUnavailableError */
  erasePersonalData(tenant_id: string): Promise<void>;
}

/** Injection token for the list of them (`PersonalDataHolder[]`). */
export const PERSONAL_DATA_HOLDERS = Symbol('PersonalDataHolders');

/** Erases a person from an account; the history, which names the account by id only, stays whole. */
@Injectable()
export class TenantErasure {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly sessions: TenantSessions,
    private readonly codes: OtpCodes,
    @Optional()
    @Inject(PERSONAL_DATA_HOLDERS)
    private readonly holders: readonly PersonalDataHolder[] | undefined,
  ) {}

  /**
   * Idempotent; what a cut-off attempt left is done by the next.
   * @returns false where there is no such tenant. @throws StoreUnavailableError
   */
  async erase(tenant_id: string, accompany?: Accompany): Promise<boolean> {
    const before = await this.accounts.forget(tenant_id, accompany);
    if (!before) return false;
    // After the account: a login that began before ends its own session when it meets the erased account.
    await this.sessions.endAll(tenant_id);
    for (const holder of this.holders ?? []) await holder.erasePersonalData(tenant_id);
    if (before.phone !== null && (await this.accounts.byPhone(before.phone)).length === 0) {
      await this.codes.remove(before.phone);
    }
    return true;
  }
}
