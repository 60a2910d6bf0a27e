import { instant, named, nullable, object, oneOf, recordOf, text, whole } from './schemas.js';

const STATUS = oneOf(['ok', 'unavailable']);

export const HEALTH_SCHEMA = named(
  'Health',
  object({ status: text, service: text, version: text, time: instant }),
);

export const READINESS_SCHEMA = named(
  'Readiness',
  object({
    status: STATUS,
    dependencies: recordOf(object({ status: STATUS }, { detail: text })),
    projection: object({ status: STATUS, lag: nullable(whole) }, { detail: text }),
  }),
);
