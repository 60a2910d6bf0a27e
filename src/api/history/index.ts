export {
  BACKTEST_SCHEMA,
  DENIED_UNITS,
  EVENT_TYPE_SCHEMA,
  FED_EVENT_SCHEMA,
  FED_SUBJECT_IDS,
  FED_SUBJECTS,
  LOCKED_OUT_SINCE,
} from './history.schemas.js';
export { ActivityReads } from './activity-reads.js';
export { EntryPointHistoryReads } from './entry-point-history-reads.js';
export { UnitHistoryReads } from './unit-history-reads.js';
export { ExplanationReads } from './explanation-reads.js';
export { HistoryApiModule } from './history-api.module.js';
