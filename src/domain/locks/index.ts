export { keyExpiry, nextMidnight } from './core/key-expiry.js';
export { KeyIssuer, type KeyGrant } from './keys/key-issuer.js';
export { HmacKeyIssuer } from './keys/hmac-key-issuer.js';
export { readMasterSecret } from './keys/master-secret.js';
export { type KeyIssue, KeyIssues, type OutstandingKey } from './keys/key-issues.js';
export {
  accessReportedBy,
  ACTIVITY_EVENT_TYPES,
  ACTIVITY_EVENTS,
  ACTIVITY_RESULTS,
  type ActivityEventName,
  type ActivityReported,
  type ActivityResult,
  type Condition,
  entryPointStream,
  happenedAt,
  isRefusal,
  LONGEST_REPORT_DELAY_MS,
  lockStream,
  REFUSAL_CODES,
} from './core/activity.events.js';
export { LOW_BATTERY } from './low-battery.js';
export { EntryPointActivityProjector, LockActivityProjector } from './activity/activity.projector.js';
export { Conditions, type LastReport } from './activity/conditions.js';
export { ReportedStreams } from './activity/reported-streams.js';
export { ActivityRecords } from './activity/activity-records.js';
export { UnitActivity } from './activity/unit-activity.js';
export { LockEntitlement, type TenantUnitRights } from './activity/lock-entitlement.js';
export { LocksModule } from './locks.module.js';
export { ReportActivity, type ReportOutcome, type ShownReport } from './activity/report-activity.js';
export type { ReadReport, Reports } from './activity/activity-report.js';
