import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { HistoryModule } from '#domain/history/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { LocksModule } from '#domain/locks/index.js';
import { HistoryApiModule } from '#api/history/index.js';
import { OperatorApiModule } from '#api/operator/index.js';
import { OperatorsModule } from '#domain/operators/index.js';
import { PassesModule } from '#domain/passes/index.js';
import { SignOnModule } from '#domain/sign-on/index.js';
import { PullModule } from '#pull/index.js';
import { SummariesModule } from '#domain/summaries/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { AssetsController } from './assets/assets.controller.js';
import { AuditPages } from './audit/audit-pages.js';
import { ApiPage } from './api/api-page.js';
import { ApiTokenPages } from './api/api-token-pages.js';
import { NewWebhookPages } from './api/new-webhook-pages.js';
import { ChangePages } from './companies/change-pages.js';
import { CompaniesPages } from './companies/companies-pages.js';
import { CompanyGatePages } from './companies/company-gate-pages.js';
import { CompanyPages } from './companies/company-pages.js';
import { CompanyTenantPages } from './companies/company-tenant-pages.js';
import { CompanyUnitsReader } from './companies/company-units.reader.js';
import { CompanyUnitPages } from './companies/unit-list-pages.js';
import { NoticePages } from './notices/notice-pages.js';
import { PassPages } from './passes/pass-pages.js';
import { PassUnits } from './passes/pass-units.js';
import { SitePassPages } from './passes/site-pass-pages.js';
import { SharingPages } from './sharing/sharing-pages.js';
import { ContactPages } from './contact/contact-pages.js';
import { FindPages } from './find/find-pages.js';
import { GatePassages } from './hours/gate-passages.js';
import { HoursPages } from './hours/hours-pages.js';
import { KeptForms } from './frame/kept-forms.js';
import { PageRendering } from './frame/page-rendering.js';
import { SideBarReader } from './frame/side-bar.reader.js';
import { SiteHeadReader } from './frame/site-head.reader.js';
import { Viewers } from './frame/viewers.js';
import { GateListReader } from './gates/gate-list.reader.js';
import { FramedGate } from './gates/framed-gate.js';
import { GatePages } from './gates/gate-pages.js';
import { GateRecordPages } from './gates/gate-record-pages.js';
import { GatesTodayReader } from './gates/gates-today.reader.js';
import { FallbackPages } from './home/fallback-pages.js';
import { CompanyNames } from './names/company-names.js';
import { ThingNames } from './names/thing-names.js';
import { EquipmentItemReader } from './locations/equipment-item.reader.js';
import { LockPages } from './locations/lock-pages.js';
import { NewLocks } from './locations/new-locks.js';
import { ZoneChanges } from './locations/zone-changes.js';
import { ZonePages } from './locations/zone-pages.js';
import { EquipmentPages } from './locations/equipment-pages.js';
import { ForecastPages } from './locations/forecast-pages.js';
import { FramedLocation } from './frame/framed-location.js';
import { LockList } from './locations/lock-list.js';
import { LocationPages } from './locations/location-pages.js';
import { LocationTenantPages } from './locations/location-tenant-pages.js';
import { TenantPeekReader } from './tenant-list/tenant-peek.reader.js';
import { UnitPeekReader } from './peek/unit-peek.reader.js';
import { PolicyPages } from './locations/policy-pages.js';
import { SetupPages } from './locations/setup-pages.js';
import { UnitTablePages } from './locations/unit-table-pages.js';
import { OperatorPages } from './operators/operator-pages.js';
import { RebuildPages } from './audit/rebuild-pages.js';
import { AccountPages } from './session/account-pages.js';
import { SecondFactorPages } from './session/second-factor-pages.js';
import { JoinPages } from './session/join-pages.js';
import { SignInPages } from './session/sign-in-pages.js';
import { SignOnPages } from './sign-on/sign-on-pages.js';
import { StopPages } from './summaries/stop-pages.js';
import { SummaryPages } from './summaries/summary-pages.js';
import { SiteMapReader } from './site/site-map.reader.js';
import { UnitTableReader } from './site/unit-table.reader.js';
import { TenantListReader } from './tenant-list/tenant-list.reader.js';
import { TenantLists } from './tenant-list/tenant-lists.js';
import { TenantTableReader } from './tenant-list/tenant-table.reader.js';
import { UnitTenants } from './lists/unit-tenants.js';
import { TenantSharesReader } from './tenants/tenant-shares.reader.js';
import { TenantPages } from './tenants/tenant-pages.js';
import { PullSourcePages } from './pull/pull-source-pages.js';
import { SourceListPages } from './pull/source-list-pages.js';
import { CallPages } from './today/call-pages.js';
import { TodayPages } from './today/today-pages.js';
import { WebhookPages } from './webhooks/webhook-pages.js';
import { UnitEquipmentPages } from './units/unit-equipment-pages.js';
import { UnitRecordPages } from './units/unit-record-pages.js';
import { UnitRecords } from './units/unit-records.js';
import { NamedEntries } from './activity/named-entries.js';
import { UnitAtInstantPage } from './units/unit-at-instant-page.js';
import { UnitSharePages } from './units/unit-share-pages.js';
import { UnitTabs } from './units/unit-tabs.js';
import { MoveInPages } from './units/move-in-pages.js';
import { TenantCandidates } from './units/tenant-candidates.reader.js';
import { UnitLocationReader } from './units/unit-location.reader.js';
import { UnitReportPages } from './units/unit-report-pages.js';
import { StandaloneUnitPages } from './units/standalone-unit-pages.js';
import { UnitPages } from './units/unit-pages.js';

/** The pages for operators and auditors (decisions §6). Needs the same ports as OperatorApiModule and HttpModule. */
@Module({
  imports: [
    AccessModule,
    CompaniesModule,
    HistoryApiModule,
    HistoryModule,
    LocationsModule,
    LocksModule,
    OperatorApiModule,
    OperatorsModule,
    PassesModule,
    PullModule,
    SignOnModule,
    SummariesModule,
    TenantsModule,
    UnitsModule,
  ],
  controllers: [
    AssetsController,
    SignInPages,
    SignOnPages,
    JoinPages,
    AccountPages,
    SecondFactorPages,
    SummaryPages,
    StopPages,
    TodayPages,
    CompaniesPages,
    CompanyPages,
    CompanyUnitPages,
    CompanyTenantPages,
    CompanyGatePages,
    ChangePages,
    PullSourcePages,
    SourceListPages,
    ApiTokenPages,
    NewWebhookPages,
    WebhookPages,
    FindPages,
    LocationPages,
    LocationTenantPages,
    HoursPages,
    ContactPages,
    NoticePages,
    SharingPages,
    SitePassPages,
    PassPages,
    PolicyPages,
    LockPages,
    ZonePages,
    EquipmentPages,
    SetupPages,
    UnitTablePages,
    GatePages,
    GateRecordPages,
    ForecastPages,
    UnitPages,
    UnitEquipmentPages,
    UnitSharePages,
    MoveInPages,
    StandaloneUnitPages,
    UnitReportPages,
    UnitRecordPages,
    CallPages,
    TenantPages,
    OperatorPages,
    RebuildPages,
    AuditPages,
    // The last one: it answers every other path.
    FallbackPages,
  ],
  providers: [
    ApiPage,
    KeptForms,
    PageRendering,
    SideBarReader,
    Viewers,
    CompanyNames,
    ThingNames,
    FramedLocation,
    SiteHeadReader,
    EquipmentItemReader,
    NewLocks,
    TenantSharesReader,
    ZoneChanges,
    FramedGate,
    GateListReader,
    GatePassages,
    GatesTodayReader,
    LockList,
    NamedEntries,
    PassUnits,
    SiteMapReader,
    UnitTableReader,
    TenantTableReader,
    TenantListReader,
    TenantLists,
    CompanyUnitsReader,
    TenantPeekReader,
    UnitPeekReader,
    UnitTenants,
    UnitAtInstantPage,
    UnitTabs,
    UnitRecords,
    UnitLocationReader,
    TenantCandidates,
  ],
})
export class DashboardModule {}
