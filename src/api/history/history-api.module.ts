import { Module } from '@nestjs/common';
import { AccessModule } from '#domain/access/index.js';
import { HistoryModule } from '#domain/history/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { LocksModule } from '#domain/locks/index.js';
import { UnitsModule } from '#domain/units/index.js';
import { OperatorActivityController, UnitActivityController } from './activity.controllers.js';
import { ActivityReads } from './activity-reads.js';
import { ExplainController, OperatorExplainController } from './explain.controllers.js';
import { ExplanationReads } from './explanation-reads.js';
import { EntryPointHistoryController } from './entry-point-history.controller.js';
import { EntryPointHistoryReads } from './entry-point-history-reads.js';
import { FeedController } from './feed.controller.js';
import { OperatorUnitHistoryController, UnitHistoryController } from './unit-history.controllers.js';
import { UnitHistoryReads } from './unit-history-reads.js';

/** The API and the dashboard's pages call these. */
const SERVICES = [ActivityReads, EntryPointHistoryReads, ExplanationReads, UnitHistoryReads];

/** Histories, explanations, reports and the feed, for integrators and operators. */
@Module({
  imports: [AccessModule, HistoryModule, LocationsModule, LocksModule, UnitsModule],
  controllers: [
    UnitHistoryController,
    OperatorUnitHistoryController,
    EntryPointHistoryController,
    UnitActivityController,
    ExplainController,
    OperatorExplainController,
    FeedController,
    OperatorActivityController,
  ],
  providers: SERVICES,
  exports: SERVICES,
})
export class HistoryApiModule {}
