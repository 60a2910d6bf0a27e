import type { TenantPrincipal } from '../../http/authentication.js';

/** Answers whether a tenant had a unit at an instant. The access feature implements it. */
export interface LockEntitlement {
  /** Whether the tenant rented or shared the unit at an instant (milliseconds). @throws StoreUnavailableError */
  hadUnit(principal: TenantPrincipal, unit_id: string, at: number): Promise<boolean>;
  /** Whether the tenant rented or shared a unit in one of the zones at that instant. @throws StoreUnavailableError */
  hadUnitInZones(principal: TenantPrincipal, zone_ids: readonly string[], at: number): Promise<boolean>;
}

/** Injection token; bound by app.module.ts. */
export const LOCK_ENTITLEMENT = Symbol('LockEntitlement');
