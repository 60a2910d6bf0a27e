import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { LocksModule } from '#domain/locks/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { AccessBeginnings } from './access-beginnings.js';
import { ActivityHistory } from './activity/activity-history.js';
import { GateTaps } from './activity/gate-taps.js';
import { AccessAtTaps } from './activity/access-at-taps.js';
import { GatesOfUnit } from './activity/gates-of-unit.js';
import { LatestTaps } from './activity/latest-taps.js';
import { DeniedOpenings } from './activity/denied-openings.js';
import { HoursOfReports } from './activity/hours-of-reports.js';
import { TapsOutsideHours } from './activity/taps-outside-hours.js';
import { ReportReader } from './activity/report.reader.js';
import { EntryPointAsOf } from './entry-point-as-of.js';
import { EntryPointHistory } from './entry-point-history.js';
import { HoursLog } from './hours/hours-log.js';
import { SettingsLog } from './settings/settings-log.js';
import { UnitExplanation } from './explain/unit-explanation.js';
import { CompanyChanges } from './feed/company-changes.js';
import { EventFeed } from './feed/event-feed.js';
import { StaffEvents } from './feed/staff-events.js';
import { StaffGathering } from './feed/staff-gathering.js';
import { StaffKinds } from './feed/staff-kinds.js';
import { StaffLog } from './feed/staff-log.js';
import { LockoutDays } from './lockouts/lockout-days.js';
import { LockoutRounds } from './lockouts/lockout-rounds.js';
import { TapCounter } from './lockouts/tap-counter.js';
import { PolicyBacktest } from './backtest/policy-backtest.js';
import { PassesModule } from '#domain/passes/index.js';
import { PassesAsOf } from './passes-as-of.js';
import { PassLog } from './pass-log.js';
import { ActorNames } from './actor-names.js';
import { UnitEquipmentAsOf } from './unit-equipment-as-of.js';
import { UnitHistory } from './unit-history.js';
import { UnitPeopleAsOf } from './unit-people-as-of.js';
import { UnitRecordReader } from './unit-record.reader.js';
import { WholeUnitAsOf } from './whole-unit-as-of.js';

/** Other features inject these. */
const SHARED = [
  AccessAtTaps,
  AccessBeginnings,
  ActivityHistory,
  CompanyChanges,
  DeniedOpenings,
  EntryPointAsOf,
  EntryPointHistory,
  EventFeed,
  GateTaps,
  HoursLog,
  SettingsLog,
  LatestTaps,
  LockoutDays,
  LockoutRounds,
  PassLog,
  PolicyBacktest,
  StaffGathering,
  TapsOutsideHours,
  UnitExplanation,
  UnitHistory,
  WholeUnitAsOf,
];

/**
 * Histories and explanations of units, and reports. Global modules must provide CLOCK, CALENDAR, LOGGER, EVENT_STORE, VIEWS,
 * and PROJECTORS with those of units, locations and locks. OPERATOR_NAMES, PULL_SOURCE_NAMES and STAFF_STREAMS are optional.
 */
@Module({
  imports: [
    AccessModule,
    CompaniesModule,
    LocationsModule,
    LocksModule,
    PassesModule,
    TenantsModule,
    UnitsModule,
  ],
  providers: [
    ...SHARED,
    GatesOfUnit,
    HoursOfReports,
    ReportReader,
    StaffEvents,
    StaffKinds,
    StaffLog,
    TapCounter,
    UnitRecordReader,
    ActorNames,
    UnitEquipmentAsOf,
    PassesAsOf,
    UnitPeopleAsOf,
  ],
  exports: SHARED,
})
export class HistoryModule {}
