import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocksModule } from '../locks/index.js';
import { LocationsModule } from '../locations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { UnitsModule } from '../units/index.js';
import { Denials } from './unit-access/denials.js';
import { LocationDecisions } from './unit-access/location-decisions.js';
import { LocationForecast } from './forecast/location-forecast.js';
import { PolicyEffects } from './policy-effect/policy-effects.js';
import { BoundarySweep } from './boundary-sweep.js';
import { TenantLockEntitlement } from './tenant-access/lock-entitlement.js';
import { TenantAccessController } from './tenant-access/tenant-access.controller.js';
import { TenantAccessQuery } from './tenant-access/tenant-access.query.js';
import { TenantAccessCheck } from './tenant-access/tenant-access-check.js';
import { TenantAccessViews } from './tenant-access/tenant-access.views.js';
import { TenantHoldingsReader } from './tenant-access/tenant-holdings.reader.js';
import { UnitGates } from './tenant-access/unit-gates.js';
import { UnitAccess } from './unit-access/unit-access.js';
import { UnitLists } from './unit-access/unit-lists.js';

/** The providers that other modules inject. */
const SHARED = [
  BoundarySweep,
  Denials,
  LocationForecast,
  LocationDecisions,
  PolicyEffects,
  TenantAccessCheck,
  TenantAccessViews,
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
  imports: [CompaniesModule, UnitsModule, LocationsModule, TenantsModule, LocksModule],
  controllers: [TenantAccessController],
  providers: [...SHARED, TenantAccessQuery, TenantHoldingsReader],
  exports: SHARED,
})
export class AccessModule {}
