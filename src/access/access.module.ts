import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocksModule } from '../locks/index.js';
import { LocationsModule } from '../locations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { UnitsModule } from '../units/index.js';
import { Denials } from './unit-access/denials.js';
import { LocationForecast } from './forecast/location-forecast.js';
import { BoundarySweep } from './boundary-sweep.js';
import { TenantLockEntitlement } from './tenant-access/lock-entitlement.js';
import { TenantAccessController } from './tenant-access/tenant-access.controller.js';
import { ReadTenantAccessHandler } from './tenant-access/read-tenant-access.handler.js';
import { TenantAccessViews } from './tenant-access/tenant-access.views.js';
import { TenantHoldingsReader } from './tenant-access/tenant-holdings.reader.js';
import { ReadUnitHandler } from './unit-access/read-unit.handler.js';
import { UnitAccess } from './unit-access/unit-access.js';
import { ListUnitsHandler } from './unit-access/list-units.handler.js';

/**
 * Decisions and what is read of them. Needs, from global modules: CLOCK, CALENDAR, LOGGER and VIEWS, ViewsGate, and what the
 * modules it imports need.
 */
@Module({
  imports: [CompaniesModule, UnitsModule, LocationsModule, TenantsModule, LocksModule],
  controllers: [TenantAccessController],
  providers: [
    BoundarySweep,
    Denials,
    LocationForecast,
    ReadTenantAccessHandler,
    TenantAccessViews,
    TenantHoldingsReader,
    TenantLockEntitlement,
    UnitAccess,
    ListUnitsHandler,
    ReadUnitHandler,
  ],
  exports: [
    BoundarySweep,
    Denials,
    LocationForecast,
    TenantAccessViews,
    TenantHoldingsReader,
    TenantLockEntitlement,
    UnitAccess,
  ],
})
export class AccessModule {}
