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
import { SandboxMessagesController } from './sandbox-messages.controller.js';
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
import { OperatorLease } from './operator-lease.js';
import { Operators } from './operators.js';
import { OperatorsController } from './operators.controller.js';
import { Passwords } from './passwords.js';
import { ProvisioningController } from './provisioning.controller.js';
import { SecretBox } from '../config/secret-box.js';
import { SecondFactorController } from './second-factor.controller.js';
import { OPERATOR_SECRETS_KEY, SecondFactors } from './second-factors.js';
import { SessionController } from './session.controller.js';
import { ThingOwners } from './thing-owners.js';
import { SearchEverywhere } from './search/search-everywhere.js';
import { SearchScope } from './search-scope.js';
import { SetupUnits } from './setup/setup-units.js';
import { SiteSetup } from './setup/site-setup.js';
import { SiteSetupController } from './setup/site-setup.controller.js';
import { KeysOutstanding } from './keys-outstanding.js';
import { OperatorTenantDetail } from './tenants/operator-tenant-detail.js';
import { TenantReadsController } from './tenants/tenant-reads.controller.js';
import { CompanyToday } from './today/company-today.js';
import { CompanyTodayController } from './today/company-today.controller.js';
import { LateSyncs } from './today/late-syncs.js';
import { DeniedOpeningList } from './today/denied-opening-list.js';
import { ConditionList } from './today/condition-list.js';
import { LockedOutList } from './today/locked-out-list.js';
import { OperatorUnitDetail } from './units/operator-unit-detail.js';
import { NamedTenantsUnits } from './units/named-tenants-units.js';
import { OperatorUnitSearch } from './units/operator-unit-search.js';
import { OperatorUnitWrites } from './units/operator-unit-writes.js';
import { OperatorUnitsController } from './units/operator-units.controller.js';
import { StandaloneUnitsController } from './units/standalone-units.controller.js';
import { SessionsController } from './sessions.controller.js';
import { ViewsRebuildController } from './views-rebuild.controller.js';
import { FacilityLinksController } from './facility-links.controller.js';

/** The operator API. The dashboard's pages call the same controllers. */
const CONTROLLERS = [
  SessionsController,
  SessionController,
  SecondFactorController,
  OperatorsController,
  CompaniesController,
  CompanyTodayController,
  SandboxClockController,
  SandboxMessagesController,
  ApiTokensController,
  LocationsController,
  LocationOutlookController,
  SiteSetupController,
  FacilityLinksController,
  ProvisioningController,
  OperatorUnitsController,
  TenantReadsController,
  StandaloneUnitsController,
  ViewsRebuildController,
];

/** Other features inject these. */
const SHARED = [
  ...CONTROLLERS,
  OperatorUnitSearch,
  SearchEverywhere,
  SetupUnits,
  SiteSetup,
  LogAudit,
  OperatorSessions,
  OperatorLogin,
  SecondFactors,
  FirstOperator,
  Operators,
  OperatorAdministration,
  Passwords,
  ThingOwners,
];

/**
 * The operators, their sessions, and the operator API. Global modules must provide CLOCK, IDS, RECORDS, ENVIRONMENT,
 * OPERATOR_SECRETS_KEY and RateLimits, and the needs of CompaniesModule and LocationsModule.
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
  controllers: CONTROLLERS,
  providers: [
    ...SHARED,
    OperatorStreams,
    OperatorLease,
    OperatorDevices,
    SignInLimits,
    { provide: SecretBox, useFactory: (key: Buffer) => new SecretBox(key), inject: [OPERATOR_SECRETS_KEY] },
    KeysOutstanding,
    CompanyToday,
    LateSyncs,
    LockedOutList,
    DeniedOpeningList,
    ConditionList,
    NamedTenantsUnits,
    OperatorTenantDetail,
    OperatorUnitDetail,
    OperatorUnitWrites,
    SearchScope,
  ],
  exports: SHARED,
})
export class OperatorModule {}
