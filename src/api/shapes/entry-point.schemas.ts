import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { ENTRY_POINT_CHECKS } from '#domain/access/index.js';

const { instant, list, named, nullable, object, oneOf, says, text } = schema;

const CHECK_NAME = named('EntryPointReason', oneOf(ENTRY_POINT_CHECKS.map(({ name }) => name)));

export const ENTRY_POINT_REASON = says('Why it is denied. Null if it is permitted.', nullable(CHECK_NAME));
export const OPENS_AT = says(
  'Instant at which it opens. Null unless its hours are the reason, and if they never open.',
  nullable(instant),
);
export const CLOSES_AT = says(
  'Instant of the closing. In the time to leave after it, it is past. Null if it is denied or never closes.',
  nullable(instant),
);

export const ENTRY_POINT_CHECKS_SCHEMA = says(
  'The checks of an entry point in order. The first that matches denies. If none does, it is permitted.',
  list(
    named(
      'EntryPointCheck',
      object({
        name: says('Name of the check, and the reason if it denies. Stable.', text),
        when: says('The condition in words.', text),
      }),
    ),
  ),
);

/** Entry points of a unit, as the unit alone opens them. */
export const UNIT_ENTRY_POINTS_SCHEMA = says(
  'Gates, doors and elevators to the zones of the unit, as this unit alone opens them.',
  list(
    named(
      'UnitEntryPoint',
      object({
        entry_point_id: field.entry_point_id,
        state: says('`permitted` or `denied`.', oneOf(['permitted', 'denied'])),
        reason: ENTRY_POINT_REASON,
        opens_at: OPENS_AT,
        closes_at: CLOSES_AT,
      }),
    ),
  ),
);
