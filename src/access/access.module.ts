import { Module } from '@nestjs/common';
import { LocksModule } from '../locks/index.js';
import { LocationsModule } from '../locations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { UnitsModule } from '../units/index.js';
import { BoundarySweep } from './boundary-sweep.js';
import { TenantLockEntitlement } from './tenant-access/lock-entitlement.js';
import { TenantAccessController } from './tenant-access/tenant-access.controller.js';
import { TenantAccessQuery } from './tenant-access/tenant-access.query.js';
import { TenantAccessViews } from './tenant-access/tenant-access.views.js';
import { TenantHoldingsReader } from './tenant-access/tenant-holdings.reader.js';
import { UnitAccessQuery } from './unit-access/unit-access.query.js';
import { UnitLists } from './unit-access/unit-lists.js';

/**
 * Decisions and what is read of them. Needs, from global modules: CLOCK, CALENDAR, LOGGER and VIEWS, ViewsGate, and what the
 * modules it imports need.
 */
@Module({
  imports: [UnitsModule, LocationsModule, TenantsModule, LocksModule],
  controllers: [TenantAccessController],
  providers: [
    BoundarySweep,
    TenantAccessQuery,
    TenantAccessViews,
    TenantHoldingsReader,
    TenantLockEntitlement,
    UnitAccessQuery,
    UnitLists,
  ],
  exports: [BoundarySweep, TenantAccessViews, TenantLockEntitlement, UnitAccessQuery, UnitLists],
})
export class AccessModule {}
