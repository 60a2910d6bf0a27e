import { instant, nullable, object, oneOf, recordOf, text, whole } from './schemas.js';

const STATUS = oneOf(['ok', 'unavailable']);

export const HEALTH_SCHEMA = object({ status: text, service: text, version: text, time: instant });

export const READINESS_SCHEMA = object({
  status: STATUS,
  dependencies: recordOf(object({ status: STATUS }, { detail: text })),
  projection: object({ status: STATUS, lag: nullable(whole) }, { detail: text }),
});
