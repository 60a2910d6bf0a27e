import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { UnitDirectory } from './unit.directory.js';
import { NameResolver } from './name-resolver.js';
import { UnitProjection } from './unit.projection.js';
import { UnitWrites } from './unit-writes.js';
import { WriteUnitsHandler } from './write-units.handler.js';

/**
 * The write side of units. Needs, from global modules: VIEWS, IDS, StreamWriter and UNIT_CHANGE_LISTENER.
 */
@Module({
  imports: [CompaniesModule, LocationsModule, TenantsModule],
  providers: [NameResolver, UnitDirectory, UnitProjection, UnitWrites, WriteUnitsHandler],
  exports: [UnitDirectory, UnitProjection, UnitWrites],
})
export class UnitsModule {}
