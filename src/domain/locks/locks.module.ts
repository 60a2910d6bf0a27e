import { Module } from '@nestjs/common';
import { CompaniesModule } from '#domain/companies/index.js';
import { LocationsModule } from '#domain/locations/index.js';
import { TenantsModule } from '#domain/tenants/index.js';
import { ActivityRecords } from './activity/activity-records.js';
import {
  ActivityProjectors,
  EntryPointActivityProjector,
  LockActivityProjector,
} from './activity/activity.projector.js';
import { Conditions } from './activity/conditions.js';
import { ReportActivity } from './activity/report-activity.js';
import { ReportedStreams } from './activity/reported-streams.js';
import { ReportRights } from './activity/report-rights.js';
import { UnitActivity } from './activity/unit-activity.js';
import { WriteActivityHandler } from './activity/write-activity.js';
import { KeyIssues } from './keys/key-issues.js';

/** The providers that other modules inject. */
const SHARED = [
  ...[ActivityRecords, Conditions, KeyIssues, ReportActivity, ReportedStreams, UnitActivity],
  ...[EntryPointActivityProjector, LockActivityProjector],
];

/**
 * Issues keys and stores reports of activity. Global modules must provide CLOCK, IDS, EVENT_STORE, RECORDS, VIEWS,
 * CommandRunner, LockEntitlement and KeyIssuer.
 */
@Module({
  imports: [CompaniesModule, LocationsModule, TenantsModule],
  providers: [...SHARED, ActivityProjectors, ReportRights, WriteActivityHandler],
  exports: SHARED,
})
export class LocksModule {}
