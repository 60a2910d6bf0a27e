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
import { ReportActivity } from './activity/report-activity.js';
import { ReportRights } from './activity/report-rights.js';
import { UnitActivity } from './activity/unit-activity.js';
import { KeyIssues } from './keys/key-issues.js';

/** Other features inject these. */
const SHARED = [ActivityRecords, EntryPointActivityProjector, KeyIssues, LockActivityProjector, UnitActivity];

/**
 * Keys and what is reported of their use. Needs, from global modules: the ports CLOCK, IDS, EVENT_STORE, RECORDS and
 * VIEWS, CommandRunner, LOCK_ENTITLEMENT and what HttpModule needs. KEY_ISSUER is bound by app.module.ts too.
 */
@Module({
  imports: [CompaniesModule, LocationsModule],
  controllers: [ActivityController, EarlierActivityController],
  providers: [...SHARED, ActivityAnswers, ActivityProjectors, ReportActivity, ReportRights],
  exports: SHARED,
})
export class LocksModule {}
