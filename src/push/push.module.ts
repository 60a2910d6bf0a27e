import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { LocationsModule } from '../locations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { UnitsModule } from '../units/index.js';
import { BulkSync } from './bulk/bulk-sync.js';
import { NameResolver } from './name-resolver.js';
import { UnitWriteAnswers } from './unit-write-answers.js';
import { UnitWriteWarnings } from './unit-write-warnings.js';
import { UnitWrites } from './unit-writes.js';
import { AccessPolicyController, UnitReadsController } from './v2/unit-reads.controller.js';
import { UnitsController } from './v2/units.controller.js';

/** What a PMS calls. Needs what the modules it imports need, and Nest's CommandBus. */
@Module({
  imports: [AccessModule, LocationsModule, TenantsModule, UnitsModule],
  controllers: [UnitsController, UnitReadsController, AccessPolicyController],
  providers: [BulkSync, NameResolver, UnitWriteAnswers, UnitWriteWarnings, UnitWrites],
  exports: [BulkSync, UnitWriteAnswers, UnitWrites],
})
export class PushModule {}
