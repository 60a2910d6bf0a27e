import { Module } from '@nestjs/common';
import { CompaniesModule } from '../companies/index.js';
import { LocationsModule } from '../locations/index.js';
import { ActivityAppender } from './activity/activity-appender.js';
import { ActivityController } from './activity/activity.controller.js';
import { ActivityLog } from './activity/activity-log.js';
import { ActivityMessages } from './activity/activity-messages.js';
import {
  ActivityProjections,
  EntryPointActivityProjection,
  LockActivityProjection,
} from './activity/activity.projection.js';
import { LogReservations } from './activity/log-reservations.js';
import { ReportActivity } from './activity/report-activity.js';
import { ReportRights } from './activity/report-rights.js';
import { UnitActivity } from './activity/unit-activity.js';
import { WriteActivityHandler } from './activity/write-activity.command.js';
import { KeyIssues } from './keys/key-issues.js';

/**
 * Keys and what is reported of their use. Needs, from global modules: the ports CLOCK, IDS, EVENT_STORE, RECORDS and
 * VIEWS, StreamWriter, Nest's CommandBus, LOCK_ENTITLEMENT and what HttpModule needs. KEY_ISSUER is bound by app.module.ts too.
 */
@Module({
  imports: [CompaniesModule, LocationsModule],
  controllers: [ActivityController],
  providers: [
    ActivityAppender,
    ActivityLog,
    ActivityMessages,
    ActivityProjections,
    EntryPointActivityProjection,
    KeyIssues,
    LockActivityProjection,
    LogReservations,
    ReportActivity,
    ReportRights,
    UnitActivity,
    WriteActivityHandler,
  ],
  exports: [
    ActivityMessages,
    EntryPointActivityProjection,
    KeyIssues,
    LockActivityProjection,
    LogReservations,
    UnitActivity,
  ],
})
export class LocksModule {}
