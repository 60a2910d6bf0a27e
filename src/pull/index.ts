export { PullHttp } from './fetching/pull-http.js';
export { UndiciPullHttp } from './fetching/undici-pull-http.js';
export {
  type EndedPullRun,
  PULL_OUTCOMES,
  PullRunObserver,
  PULLED_UNIT_OUTCOMES,
} from './pull-run-observer.js';
export { LastPulls } from './last-pulls.js';
export { PullScheduler } from './pull-scheduler.js';
export type { FoundField } from './core/found-fields.js';
export { constantIn, MAPPED_FIELDS, type Mapping } from './core/mapping.js';
export { PullSourceBody, PullSourceChangeBody } from './pull.dto.js';
export { PULL_LATE_SCHEMA } from './pull.schemas.js';
export { NOTHING_FOUND } from './pull-source-test.js';
export { PullSourceAdministration } from './pull-source-administration.js';
export { PullRecordsModule } from './pull-records.module.js';
export { PULL_STAFF_STREAMS } from './pull-staff-streams.js';
export { PullSources } from './pull-sources.js';
export { messagesIn, PullTroubles } from './pull-troubles.js';
export { PULL_SECRETS_KEY, PullModule } from './pull.module.js';
