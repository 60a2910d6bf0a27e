import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { LocksModule } from '#domain/locks/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { BulkCompare } from './bulk/bulk-compare.js';
import { BulkSync } from './bulk/bulk-sync.js';
import { EntryPhones } from './bulk/entry-phones.js';
import { MissingUnits } from './bulk/missing-units.js';
import { RejectedBulks } from './bulk/rejected-bulks.js';
import { LetUnitWarnings } from './let-unit-warnings.js';
import { UnitAnswers } from './unit-answers.js';
import { PushedUnits } from './pushed-units.js';
import { PmsController } from './v1/pms.controller.js';
import { CompanyController } from './v2/company.controller.js';
import { ForecastController } from './v2/forecast.controller.js';
import { AccessPolicyController, UnitReadsController } from './v2/unit-reads.controller.js';
import { UnitsController } from './v2/units.controller.js';
import { WebhooksController } from './v2/webhooks.controller.js';

/** The routes for a PMS. Global modules must provide Nest's CommandBus and the needs of the imported modules. */
@Module({
  imports: [AccessModule, CompaniesModule, LocationsModule, LocksModule, TenantsModule, UnitsModule],
  controllers: [
    UnitsController,
    UnitReadsController,
    AccessPolicyController,
    CompanyController,
    ForecastController,
    PmsController,
    WebhooksController,
  ],
  providers: [
    BulkCompare,
    BulkSync,
    EntryPhones,
    LetUnitWarnings,
    MissingUnits,
    RejectedBulks,
    UnitAnswers,
    PushedUnits,
  ],
  exports: [BulkSync, LetUnitWarnings, UnitAnswers],
})
export class PushModule {}
