import { schema } from '../../http/index.js';
import { DECIDED_SCHEMA, SHOWN_LOCATION_SCHEMA } from '../unit-access/unit.schemas.js';

const { cursor, date, id, instant, list, object, text, whole } = schema;

/** Which units of a location change when, if nothing is written. */
export const FORECAST_SCHEMA = schema.named(
  'Forecast',
  object({
    location: SHOWN_LOCATION_SCHEMA,
    from: instant,
    until: instant,
    dates: list(object({ date, changes: whole, denied: whole, permitted: whole })),
    changes: list(
      object({
        unit_id: id,
        crm_unit_id: text,
        unit_name: text,
        date,
        at: instant,
        from: DECIDED_SCHEMA,
        to: DECIDED_SCHEMA,
      }),
    ),
    next_cursor: cursor,
  }),
);
