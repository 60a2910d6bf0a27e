import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocksModule } from '#domain/locks/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { Denials } from './unit-access/denials.js';
import { LocationDecisions } from './unit-access/location-decisions.js';
import { LocationForecast } from './forecast/location-forecast.js';
import { BoundarySweep } from './boundary-sweep.js';
import { TenantLockEntitlement } from './tenant-access/tenant-lock-entitlement.js';
import { TenantAccessCheck } from './tenant-access/tenant-access-check.js';
import { TenantAccessViews } from './tenant-access/tenant-access.views.js';
import { PassesModule } from '#domain/passes/index.js';
import { HeldPassesReader } from './tenant-access/held-passes.reader.js';
import { TenantHoldingsReader } from './tenant-access/tenant-holdings.reader.js';
import { UnitGates } from './tenant-access/unit-gates.js';
import { UnitAccess } from './unit-access/unit-access.js';
import { UnitLists } from './unit-access/unit-lists.js';

/** The providers that other modules inject. */
const SHARED = [
  BoundarySweep,
  Denials,
  HeldPassesReader,
  LocationForecast,
  LocationDecisions,
  TenantAccessCheck,
  TenantAccessViews,
  TenantHoldingsReader,
  TenantLockEntitlement,
  UnitAccess,
  UnitGates,
  UnitLists,
];

/**
 * Decides access and reads decisions. Global modules must provide CLOCK, CALENDAR, LOGGER, VIEWS, and the needs of
 * the imported modules.
 */
@Module({
  imports: [CompaniesModule, UnitsModule, LocationsModule, TenantsModule, LocksModule, PassesModule],
  providers: SHARED,
  exports: SHARED,
})
export class AccessModule {}
