import { PASS_REASONS } from '#domain/passes/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { WEEK } from '../hours/access-hours.schemas.js';

const { company_id, entry_point_id, location_id, lock_id, pass_id, phone, tenant_id } = field;
const { unit_id, unit_name } = field;
const { extended, flag, id, instant, list, named, nullable, object, oneOf, says, text } = schema;

export const PASS_REASON = says('What it is for.', named('PassReason', oneOf(PASS_REASONS)));

const PASS = named(
  'Pass',
  object({
    pass_id,
    company_id,
    location_id,
    tenant_id: says('The account of the holder, which signs in.', id),
    name: says('The holder. Null if it was erased.', nullable(text)),
    phone,
    standing: says(
      '`upcoming` before `from`, `in_force`, or `ended`, by itself or by an operator.',
      oneOf(['upcoming', 'in_force', 'ended']),
    ),
    reason: PASS_REASON,
    from: says('Instant from which it opens.', instant),
    until: says('Instant at which it ends by itself.', instant),
    ended_at: says('Instant at which it was ended before that. Null if it was not.', nullable(instant)),
    issued_at: says('Instant at which it was issued.', instant),
    hours: says('Hours of its own. Null: those of each entry point.', nullable(WEEK)),
    note: says('For operators. Null if there is none or it was erased.', nullable(text)),
    entry_points: says(
      'What it opens. An entry point that was removed has the name of then.',
      list(object({ entry_point_id, name: says('Null if it is not known.', nullable(text)) })),
    ),
    units: says(
      'The units that it names.',
      list(
        object({
          unit_id,
          unit_name,
          opens: says('False once the unit was let or retired: it has dropped out.', flag),
        }),
      ),
    ),
  }),
);

export const PASS_SCHEMA = named(
  'PassDetail',
  extended(PASS, {
    keys_outstanding: says(
      'Keys given out by the pass that still work offline, until they expire.',
      list(
        object(
          {
            name: says('Name of the lock or entry point. Null if it is gone.', nullable(text)),
            tenant_id,
            expires_at: says('Instant after which the lock refuses the key.', instant),
          },
          { lock_id, entry_point_id },
        ),
      ),
    ),
  }),
);

export const PASSES_SCHEMA = named(
  'PassPage',
  object({
    passes: says('The passes of this page, those that end last first.', list(PASS)),
    next_cursor: schema.next_cursor,
  }),
);
