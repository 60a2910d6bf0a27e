import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitDirectory } from './unit.directory.js';
import { UnitProjector } from './unit.projector.js';
import { TransferTenantHandler } from './transfer-tenant.js';
import { WriteUnitsHandler } from './write-units.js';

/** Writes and finds units. Global modules must provide VIEWS, IDS, CommandRunner, RentedUnits and UnitChangeListener. */
@Module({
  imports: [CompaniesModule, LocationsModule, TenantsModule],
  providers: [UnitDirectory, UnitProjector, WriteUnitsHandler, TransferTenantHandler],
  exports: [UnitDirectory, UnitProjector],
})
export class UnitsModule {}
