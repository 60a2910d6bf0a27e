import type { TenantPrincipal } from '../../http/authentication.js';

/** Tells who had access to a lock at an instant. The feature that knows the tenancies implements it. */
export interface LockEntitlement {
  /** Whether the tenant rented or shared the unit at an instant (milliseconds). @throws StoreUnavailableError */
  hadUnit(principal: TenantPrincipal, unit_id: string, at: number): Promise<boolean>;
  /** Whether the tenant rented or shared then a unit that was in one of the zones then. @throws StoreUnavailableError */
  hadUnitInZones(principal: TenantPrincipal, zone_ids: readonly string[], at: number): Promise<boolean>;
}

/** Injection token; bound by app.module.ts. */
export const LOCK_ENTITLEMENT = Symbol('LockEntitlement');
