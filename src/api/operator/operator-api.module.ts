import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { HistoryApiModule } from '#api/history/index.js';
import { HistoryModule } from '#domain/history/index.js';
import { LocksModule } from '#domain/locks/index.js';
import { PullRecordsModule } from '#pull/index.js';
import { PushModule } from '#api/push/index.js';
import { AnnouncedChanges } from '#domain/announcements/index.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { WebhooksModule } from '#domain/webhooks/index.js';
import { NoticesModule } from '#domain/notices/index.js';
import { SummariesModule } from '#domain/summaries/index.js';
import { NoticesController } from './notices/notices.controller.js';
import { ToldNotices } from './notices/told-notices.js';
import { OperatorWebhooks } from './webhooks/operator-webhooks.js';
import { WebhookDestinations } from './webhooks/webhook-destinations.js';
import { WebhooksController } from './webhooks/webhooks.controller.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { LogAudit } from './audit/log-audit.js';
import { LogExaminations } from './audit/log-examinations.js';
import { ApiTokensController } from './api-tokens.controller.js';
import { SandboxMessagesController } from './sandbox-messages.controller.js';
import { SandboxClockController } from './sandbox-clock.controller.js';
import { CompaniesController } from './companies.controller.js';
import { OperatorsModule } from '#domain/operators/index.js';
import { LocationOutlookController } from './location-outlook.controller.js';
import { LocationsController } from './locations.controller.js';
import { OperatorSignOnController } from './sign-on/operator-sign-on.controller.js';
import { SignOnAdministration } from './sign-on/sign-on-administration.js';
import { SharingModule } from '#domain/sharing/index.js';
import { SignOnModule } from '#domain/sign-on/index.js';
import { OperatorsController } from './operators.controller.js';
import { ProvisioningController } from './provisioning.controller.js';
import { SecondFactorController } from './second-factor.controller.js';
import { SessionController } from './session.controller.js';
import { ThingOwners } from './thing-owners.js';
import { SearchEverywhere } from './search/search-everywhere.js';
import { SearchScope } from './search-scope.js';
import { SetupUnits } from './setup/setup-units.js';
import { SiteSetup } from './setup/site-setup.js';
import { SiteSetupController } from './setup/site-setup.controller.js';
import { KeysOutstanding } from './keys-outstanding.js';
import { OperatorTenantDetail } from './tenants/operator-tenant-detail.js';
import { OperatorTenantsController } from './tenants/operator-tenants.controller.js';
import { PassesModule } from '#domain/passes/index.js';
import { EntryPointPeopleReader } from './people/entry-point-people.reader.js';
import { KnownPeopleReader } from './people/known-people.js';
import { PeopleController } from './people/people.controller.js';
import { UnitPeopleReader } from './people/unit-people.reader.js';
import { PassAdministration } from './passes/pass-administration.js';
import { PassReads } from './passes/pass-reads.js';
import { PassesController } from './passes/passes.controller.js';
import { SharesOfErased } from './tenants/shares-of-erased.js';
import { TenantAdministration } from './tenants/tenant-administration.js';
import { TenantReads } from './tenants/tenant-reads.js';
import { TenantReadsController } from './tenants/tenant-reads.controller.js';
import { CompanyToday } from './today/company-today.js';
import { OwnSummaries } from './summaries/own-summaries.js';
import { SummariesController } from './summaries/summaries.controller.js';
import { TodayFigures } from './summaries/today-figures.js';
import { CompanyTodayController } from './today/company-today.controller.js';
import { LateSyncs } from './today/late-syncs.js';
import { DeniedOpeningList } from './today/denied-opening-list.js';
import { CallAdministration } from './today/call-administration.js';
import { TenantCallsController } from './today/tenant-calls.controller.js';
import { CalledTenants } from './today/called-tenants.js';
import { ConditionList } from './today/condition-list.js';
import { DamagedHistories } from './today/damaged-histories.js';
import { UnsentTexts } from './today/unsent-texts.js';
import { LockedOutList } from './today/locked-out-list.js';
import { OperatorUnitDetail } from './units/operator-unit-detail.js';
import { NamedTenantsUnits } from './units/named-tenants-units.js';
import { OperatorUnitSearch } from './units/operator-unit-search.js';
import { OperatorUnitsController } from './units/operator-units.controller.js';
import { StandaloneUnitsController } from './units/standalone-units.controller.js';
import { SessionsController } from './sessions.controller.js';
import { ViewsRebuildController } from './views-rebuild.controller.js';
import { FacilityLinksController } from './facility-links.controller.js';
import { OperatorAccounts } from './operator-accounts.js';
import { OwnAccount } from './own-account.js';
import { HttpBrowsers } from './http-browsers.js';
import { OperatorProof } from './operator-proof.js';
import { OwnProof } from './own-proof.js';
import { OwnSecondFactor } from './own-second-factor.js';
import { HoursAdministration } from './hours/hours-administration.js';
import { RebuildAdministration } from './rebuild-administration.js';
import { ApiTokenAdministration } from './api-token-administration.js';
import { CompanyAdministration } from './company-administration.js';
import { SandboxAdministration } from './sandbox-administration.js';
import { CompanyOverview } from './today/company-overview.js';
import { MovesInByHand } from './move-in/moves-in-by-hand.js';
import { StandaloneUnitWrites } from './units/standalone-unit-writes.js';
import { NewPersonShares } from './units/new-person-shares.js';
import { UnitTransfers } from './units/unit-transfers.js';
import { UnitAdministration } from './units/unit-administration.js';
import { EquipmentAdministration } from './equipment-administration.js';
import { LocationAdministration } from './location-administration.js';
import { LocationCommands } from './location-commands.js';
import { LocationOutlook } from './location-outlook.js';

const CONTROLLERS = [
  SessionsController,
  SessionController,
  SecondFactorController,
  SummariesController,
  OperatorsController,
  OperatorSignOnController,
  CompaniesController,
  CompanyTodayController,
  SandboxClockController,
  SandboxMessagesController,
  ApiTokensController,
  WebhooksController,
  LocationsController,
  LocationOutlookController,
  NoticesController,
  PassesController,
  PeopleController,
  SiteSetupController,
  FacilityLinksController,
  ProvisioningController,
  OperatorUnitsController,
  OperatorTenantsController,
  TenantCallsController,
  TenantReadsController,
  StandaloneUnitsController,
  ViewsRebuildController,
];

/** The API and the dashboard's pages call these. */
const SHARED = [
  HoursAdministration,
  LocationAdministration,
  LocationCommands,
  LocationOutlook,
  EquipmentAdministration,
  NewPersonShares,
  PassAdministration,
  PassReads,
  UnitPeopleReader,
  EntryPointPeopleReader,
  UnitAdministration,
  StandaloneUnitWrites,
  MovesInByHand,
  UnitTransfers,
  ApiTokenAdministration,
  CompanyAdministration,
  CompanyOverview,
  SandboxAdministration,
  OperatorAccounts,
  SignOnAdministration,
  OwnAccount,
  OwnSummaries,
  TodayFigures,
  HttpBrowsers,
  OwnProof,
  OwnSecondFactor,
  RebuildAdministration,
  SharesOfErased,
  TenantAdministration,
  CallAdministration,
  TenantReads,
  LogAudit,
  LogExaminations,
  OperatorUnitSearch,
  SearchEverywhere,
  SetupUnits,
  SiteSetup,
  ThingOwners,
  OperatorWebhooks,
  ToldNotices,
];

/** The operator API. Global modules must provide the needs of the imported modules. */
@Module({
  imports: [
    AccessModule,
    CompaniesModule,
    HistoryApiModule,
    HistoryModule,
    LocationsModule,
    LocksModule,
    NoticesModule,
    OperatorsModule,
    PassesModule,
    PullRecordsModule,
    PushModule,
    SharingModule,
    SignOnModule,
    SummariesModule,
    TenantsModule,
    UnitsModule,
    WebhooksModule,
  ],
  controllers: CONTROLLERS,
  providers: [
    ...SHARED,
    KeysOutstanding,
    KnownPeopleReader,
    AnnouncedChanges,
    CalledTenants,
    CompanyToday,
    LateSyncs,
    LockedOutList,
    DeniedOpeningList,
    ConditionList,
    DamagedHistories,
    UnsentTexts,
    NamedTenantsUnits,
    OperatorTenantDetail,
    OperatorProof,
    OperatorUnitDetail,
    SearchScope,
    WebhookDestinations,
  ],
  exports: SHARED,
})
export class OperatorApiModule {}
