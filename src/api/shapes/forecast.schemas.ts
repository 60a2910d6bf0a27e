import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { DECIDED_SCHEMA, SHOWN_LOCATION_SCHEMA } from './unit.schemas.js';

const { crm_unit_id, unit_id, unit_name } = field;
const { date, instant, list, next_cursor, object, says, whole } = schema;

const LOCAL_DATE = says('Local date at the location.', date);

export const FORECAST_SCHEMA = schema.named(
  'Forecast',
  object({
    location: says('The location.', SHOWN_LOCATION_SCHEMA),
    from: says('Start of the forecast.', instant),
    until: says('End of the forecast, exclusive.', instant),
    dates: says(
      'Totals by local date, for the whole location.',
      list(
        object({
          date: LOCAL_DATE,
          changes: says('How many units change.', whole),
          denied: says('How many units lose access.', whole),
          permitted: says('How many units gain access.', whole),
        }),
      ),
    ),
    changes: says(
      'The changes of this page, by date.',
      list(
        object({
          unit_id,
          crm_unit_id,
          unit_name,
          date: LOCAL_DATE,
          at: says('Instant of the change.', instant),
          from: says('The decision before.', DECIDED_SCHEMA),
          to: says('The decision after.', DECIDED_SCHEMA),
        }),
      ),
    ),
    next_cursor,
  }),
);
