import {
  type AnswerOf,
  instant,
  named,
  nullable,
  object,
  oneOf,
  recordOf,
  says,
  text,
  whole,
} from './schemas.js';

const STATUS = says('`ok`, or `unavailable`.', oneOf(['ok', 'unavailable']));
const detail = says('What is wrong. Left out if nothing is.', text);

export const HEALTH_SCHEMA = named(
  'Health',
  object({
    status: says('Always `ok`: the process answers.', text),
    service: says('Always `storage-access`.', text),
    version: says('Version of the service.', text),
    time: says("The service's time.", instant),
  }),
);

const DEPENDENCY = object({ status: STATUS }, { detail });
export type DependencyState = AnswerOf<typeof DEPENDENCY>;

const PROJECTION = object(
  {
    status: STATUS,
    lag: says(
      'Events not checked yet. Events younger than a second always count. Null if it is not known.',
      nullable(whole),
    ),
  },
  { detail },
);
export type ProjectionState = AnswerOf<typeof PROJECTION>;

export const READINESS_SCHEMA = named(
  'Readiness',
  object({
    status: STATUS,
    dependencies: says('The stores, by name.', recordOf(DEPENDENCY)),
    projection: says('How far the read models are behind the log.', PROJECTION),
  }),
);
export type Readiness = AnswerOf<typeof READINESS_SCHEMA>;
