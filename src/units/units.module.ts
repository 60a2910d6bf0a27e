import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { ChangeUnitFactsHandler } from './commands/change-unit-facts.js';
import { MoveTenantInHandler } from './commands/move-tenant-in.js';
import { MoveTenantOutHandler } from './commands/move-tenant-out.js';
import { OperateUnitHandler } from './commands/operate-unit.js';
import { RegisterUnitsHandler } from './commands/register-units.js';
import { SyncUnitsHandler } from './commands/sync-units.js';
import { UnitCommandRunner } from './unit-command-runner.js';
import { UnitDirectory } from './unit.directory.js';
import { UnitProjector } from './unit.projector.js';

/** Writes and finds units. Global modules must provide VIEWS, IDS, CommandRunner and UNIT_CHANGE_LISTENER. */
@Module({
  imports: [CompaniesModule, LocationsModule, TenantsModule],
  providers: [
    ChangeUnitFactsHandler,
    MoveTenantInHandler,
    MoveTenantOutHandler,
    OperateUnitHandler,
    RegisterUnitsHandler,
    SyncUnitsHandler,
    UnitCommandRunner,
    UnitDirectory,
    UnitProjector,
  ],
  exports: [UnitDirectory, UnitProjector],
})
export class UnitsModule {}
