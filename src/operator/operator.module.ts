import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { HistoryModule } from '../history/index.js';
import { LocksModule } from '../locks/index.js';
import { PullRecordsModule } from '../pull/index.js';
import { PushModule } from '../push/index.js';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { TenantsModule } from '../tenants/index.js';
import { UnitsModule } from '../units/index.js';
import { LogAudit } from './audit/log-audit.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { SandboxClockController } from './sandbox-clock.controller.js';
import { CompaniesController } from './companies.controller.js';
import { FirstOperator } from './first-operator.js';
import { LocationOutlookController } from './location-outlook.controller.js';
import { LocationsController } from './locations.controller.js';
import { OperatorAdministration } from './operator-administration.js';
import { SignInLimits } from './sign-in-limits.js';
import { OperatorDevices } from './operator-devices.js';
import { OperatorLogin } from './operator-login.js';
import { OperatorSessions } from './operator-sessions.js';
import { OperatorStreams } from './operator-streams.js';
import { OperatorTurn } from './operator-turn.js';
import { Operators } from './operators.js';
import { OperatorsController } from './operators.controller.js';
import { Passwords } from './passwords.js';
import { ProvisioningController } from './provisioning.controller.js';
import { SessionController } from './session.controller.js';
import { ThingOwners } from './thing-owners.js';
import { SearchScope } from './search-scope.js';
import { KeysOutstanding } from './keys-outstanding.js';
import { OperatorTenantDetail } from './tenants/operator-tenant-detail.js';
import { TenantReadsController } from './tenants/tenant-reads.controller.js';
import { CompanyToday } from './today/company-today.js';
import { CompanyTodayController } from './today/company-today.controller.js';
import { LateSyncs } from './today/late-syncs.js';
import { OperatorUnitDetail } from './units/operator-unit-detail.js';
import { NamedTenantsUnits } from './units/named-tenants-units.js';
import { OperatorUnitSearch } from './units/operator-unit-search.js';
import { OperatorUnitWrites } from './units/operator-unit-writes.js';
import { OperatorUnitsController } from './units/operator-units.controller.js';
import { StandaloneUnitsController } from './units/standalone-units.controller.js';
import { SessionsController } from './sessions.controller.js';
import { FacilityLinksController } from './facility-links.controller.js';

/** The operator API. The dashboard's pages answer through the same handlers, so that nothing is decided in a page. */
const ANSWERING = [
  SessionsController,
  SessionController,
  OperatorsController,
  CompaniesController,
  CompanyTodayController,
  SandboxClockController,
  ApiTokensController,
  LocationsController,
  LocationOutlookController,
  FacilityLinksController,
  ProvisioningController,
  OperatorUnitsController,
  TenantReadsController,
  StandaloneUnitsController,
];

/**
 * The operators, their sessions and their API to companies and their facilities. Needs, from global modules: CLOCK, IDS, RECORDS,
 * ENVIRONMENT and RateLimits, beside what CompaniesModule and LocationsModule need.
 */
@Module({
  imports: [
    AccessModule,
    CompaniesModule,
    HistoryModule,
    LocationsModule,
    LocksModule,
    PullRecordsModule,
    PushModule,
    TenantsModule,
    UnitsModule,
  ],
  controllers: ANSWERING,
  providers: [
    ...ANSWERING,
    Operators,
    OperatorAdministration,
    OperatorStreams,
    OperatorTurn,
    OperatorDevices,
    SignInLimits,
    Passwords,
    ThingOwners,
    OperatorSessions,
    OperatorLogin,
    FirstOperator,
    KeysOutstanding,
    CompanyToday,
    LateSyncs,
    LogAudit,
    NamedTenantsUnits,
    OperatorTenantDetail,
    OperatorUnitDetail,
    OperatorUnitSearch,
    OperatorUnitWrites,
    SearchScope,
  ],
  exports: [
    ...ANSWERING,
    LogAudit,
    OperatorSessions,
    OperatorLogin,
    FirstOperator,
    Operators,
    OperatorAdministration,
    ThingOwners,
  ],
})
export class OperatorModule {}
