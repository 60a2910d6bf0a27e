import { Inject, Injectable } from '@nestjs/common';
import type { TenantPrincipal } from '../../http/authentication.js';
import { type EntryPoint, type LockDocument, unitOfLockAt, zonesAt } from '../../locations/index.js';
import { KeyIssues } from '../keys/key-issues.js';
import { LOCK_ENTITLEMENT, type LockEntitlement } from './lock-entitlement.js';

/**
 * Decides whether a tenant may report about a lock or an entry point (decisions §5). At the reported instant, the tenant
 * must have had a valid key, or the unit. All methods throw StoreUnavailableError.
 */
@Injectable()
export class ReportRights {
  constructor(
    private readonly keys: KeyIssues,
    @Inject(LOCK_ENTITLEMENT) private readonly entitlement: LockEntitlement,
  ) {}

  async mayReportLock(principal: TenantPrincipal, lock: LockDocument, at: number): Promise<boolean> {
    if (await this.keys.hadKey(lock.lock_id, principal.id, at)) return true;
    const unit_id = unitOfLockAt(lock, at);
    return unit_id !== null && this.entitlement.hadUnit(principal, unit_id, at);
  }

  async mayReportEntryPoint(
    principal: TenantPrincipal,
    entry_point: EntryPoint,
    at: number,
  ): Promise<boolean> {
    if (await this.keys.hadKey(entry_point.entry_point_id, principal.id, at)) return true;
    return this.entitlement.hadUnitInZones(principal, zonesAt(entry_point, at), at);
  }
}
