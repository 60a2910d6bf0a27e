import { SUMMARY_OUTCOMES } from '#domain/summaries/index.js';
import * as field from '#web/openapi/fields.js';
import {
  flag,
  instant,
  date,
  list,
  named,
  nullable,
  object,
  oneOf,
  says,
  text,
} from '#web/openapi/schemas.js';

const SUMMARY = named(
  'MorningSummary',
  object({
    company_id: field.company_id,
    company_name: says('Name of the company. Null if it is gone.', nullable(text)),
    since: says('Instant at which the operator switched it on.', instant),
    last: says(
      'The last mail that was begun. Null before the first.',
      nullable(
        object({
          date: says('The local date that it told of.', date),
          outcome: says(
            '`sent`: the mail server took it. `refused`: it did not. `unknown`: it may have; it is not sent again.',
            oneOf(SUMMARY_OUTCOMES),
          ),
        }),
      ),
    ),
  }),
);

export const SUMMARIES_SCHEMA = named(
  'MorningSummaries',
  object({
    available: says('Whether the service sends mails.', flag),
    summaries: says('The companies of which the operator gets a mail.', list(SUMMARY)),
  }),
);
