import { Module } from '@nestjs/common';
import { AccessModule } from '../access/index.js';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { LocksModule } from '../locks/index.js';
import { TenantsModule } from '../tenants/index.js';
import { UnitsModule } from '../units/index.js';
import { OperatorActivityController, UnitActivityController } from './activity/activity.controllers.js';
import { ActivityHistory } from './activity/activity-history.js';
import { LatestTaps } from './activity/latest-taps.js';
import { DeniedOpenings } from './activity/denied-openings.js';
import { ReportReader } from './activity/report.reader.js';
import { ExplainController, OperatorExplainController } from './explain/explain.controllers.js';
import { UnitExplanation } from './explain/unit-explanation.js';
import { CompanyChanges } from './feed/company-changes.js';
import { EventFeed } from './feed/event-feed.js';
import { FeedController } from './feed/feed.controller.js';
import { LockoutDays } from './lockouts/lockout-days.js';
import { LockoutRounds } from './lockouts/lockout-rounds.js';
import { PolicyBacktest } from './backtest/policy-backtest.js';
import { ActorNames } from './actor-names.js';
import { UnitEquipmentAsOf } from './unit-equipment-as-of.js';
import { UnitHistory } from './unit-history.js';
import {
  HistoryAnswers,
  OperatorUnitHistoryController,
  UnitHistoryController,
} from './unit-history.controllers.js';
import { UnitRecordReader } from './unit-record.reader.js';
import { WholeUnitAsOf } from './whole-unit-as-of.js';

/** Other features inject these. The dashboard's pages call the controllers. */
const SHARED = [
  ActivityHistory,
  CompanyChanges,
  LatestTaps,
  LockoutDays,
  LockoutRounds,
  PolicyBacktest,
  UnitHistory,
  WholeUnitAsOf,
  OperatorUnitHistoryController,
  OperatorActivityController,
  OperatorExplainController,
];

/**
 * Histories and explanations of units, and reports. Global modules must provide CLOCK, CALENDAR, LOGGER, EVENT_STORE, VIEWS,
 * and PROJECTORS with those of units, locations and locks. OPERATOR_NAMES and PULL_SOURCE_NAMES are optional.
 */
@Module({
  imports: [AccessModule, CompaniesModule, LocationsModule, LocksModule, TenantsModule, UnitsModule],
  controllers: [
    UnitHistoryController,
    OperatorUnitHistoryController,
    UnitActivityController,
    ExplainController,
    OperatorExplainController,
    FeedController,
    OperatorActivityController,
  ],
  providers: [
    ...SHARED,
    EventFeed,
    UnitExplanation,
    DeniedOpenings,
    ReportReader,
    UnitRecordReader,
    ActorNames,
    UnitEquipmentAsOf,
    HistoryAnswers,
  ],
  exports: SHARED,
})
export class HistoryModule {}
