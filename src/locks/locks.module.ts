import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { ActivityAnswers } from './activity/activity-answers.js';
import { ActivityController, EarlierActivityController } from './activity/activity.controllers.js';
import { ActivityRecords } from './activity/activity-records.js';
import {
  ActivityProjectors,
  EntryPointActivityProjector,
  LockActivityProjector,
} from './activity/activity.projector.js';
import { Conditions } from './activity/conditions.js';
import { ReportActivity } from './activity/report-activity.js';
import { ReportRights } from './activity/report-rights.js';
import { UnitActivity } from './activity/unit-activity.js';
import { KeyIssues } from './keys/key-issues.js';

/** The providers that other modules inject. */
const SHARED = [
  ...[ActivityRecords, Conditions, KeyIssues, UnitActivity],
  ...[EntryPointActivityProjector, LockActivityProjector],
];

/**
 * Issues keys and stores reports of activity. Global modules must provide CLOCK, IDS, EVENT_STORE, RECORDS, VIEWS,
 * CommandRunner, LOCK_ENTITLEMENT, KEY_ISSUER and the needs of HttpModule.
 */
@Module({
  imports: [CompaniesModule, LocationsModule],
  controllers: [ActivityController, EarlierActivityController],
  providers: [...SHARED, ActivityAnswers, ActivityProjectors, ReportActivity, ReportRights],
  exports: SHARED,
})
export class LocksModule {}
