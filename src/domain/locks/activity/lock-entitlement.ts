import type { TenantPrincipal } from '#kernel/principals.js';

/** Answers which units a tenant had. The access feature implements it. */
export abstract class LockEntitlement {
  /** For the reports of one request: what is read for one of them serves the others. */
  abstract openUnitsOf(principal: TenantPrincipal): TenantUnitRights;
}

/** All methods throw StoreUnavailableError. Instants are milliseconds. */
export interface TenantUnitRights {
  /** Whether the tenant rented or shared the unit at that instant. */
  hadUnit(unit_id: string, at: number): Promise<boolean>;
  /** Whether the tenant rented or shared a unit in one of the zones at that instant. */
  hadUnitInZones(zone_ids: readonly string[], at: number): Promise<boolean>;
}
