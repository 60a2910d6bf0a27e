export { keyExpiry, nextMidnight } from './core/key-expiry.js';
export { KEY_ISSUER } from './keys/key-issuer.js';
export type { KeyGrant, KeyIssuer } from './keys/key-issuer.js';
export { HmacKeyIssuer } from './keys/hmac-key-issuer.js';
export { masterSecret } from './keys/master-secret.js';
export { KeyIssues } from './keys/key-issues.js';
export type { KeyIssue, OutstandingKey } from './keys/key-issues.js';
export type {
  ActivityEventName,
  ActivityReported,
  ActivityResult,
  LockActivityReported,
} from './core/activity.events.js';
export {
  accessToldBy,
  ACTIVITY_EVENT_TYPES,
  ACTIVITY_EVENTS,
  ACTIVITY_RESULTS,
  entryPointStream,
  LATEST_REPORT,
  lockStream,
  REFUSAL_CODES,
} from './core/activity.events.js';
export { EntryPointActivityProjector, LockActivityProjector } from './activity/activity.projector.js';
export { ActivityRecords } from './activity/activity-records.js';
export { UnitActivity } from './activity/unit-activity.js';
export { LOCK_ENTITLEMENT } from './activity/lock-entitlement.js';
export type { LockEntitlement } from './activity/lock-entitlement.js';
export { LocksModule } from './locks.module.js';
