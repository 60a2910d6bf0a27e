export { HistoryModule } from './history.module.js';
export { OPERATOR_NAMES, PULL_SOURCE_NAMES } from './actor-names.js';
export type { HistoryEntry } from './history.presenter.js';
export { WholeUnitAsOf, type WholeUnitAtInstant } from './whole-unit-as-of.js';
export { OperatorActivityController } from './activity/activity.controllers.js';
export type { ActivityEntry } from './activity/activity.presenter.js';
export { OperatorExplainController } from './explain/explain.controllers.js';
export { OperatorUnitHistoryController } from './unit-history.controllers.js';
export { UnitHistory } from './unit-history.js';
export {
  LOCKOUT_DAYS,
  LockoutDays,
  type LockoutBegin,
  presentLockedOutSince,
} from './lockouts/lockout-days.js';
export { LockoutRounds } from './lockouts/lockout-rounds.js';
export { PolicyBacktest } from './backtest/policy-backtest.js';
export { CompanyChanges } from './feed/company-changes.js';
export { FED_TYPES } from './feed/event-feed.js';
export {
  BACKTEST_SCHEMA,
  CHANGES_SCHEMA,
  DENIED_UNITS,
  EVENT_TYPE_SCHEMA,
  LOCKED_OUT_SINCE,
} from './history.schemas.js';
export type { DeniedOpening } from './activity/denied-openings.js';
export { LatestTaps } from './activity/latest-taps.js';
export { ActivityHistory } from './activity/activity-history.js';
