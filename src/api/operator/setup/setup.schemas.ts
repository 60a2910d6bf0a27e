import { schemaOf } from '#web/openapi/dto-schema.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { LARGEST_SETUP, SetupRowBody } from './setup-rows.js';

const { errorCode, fieldErrors, fieldFaults, id, list, named, nullable, object } = schema;
const { flag, oneOf, says, text, whole } = schema;

export const SETUP_BODY_SCHEMA = {
  ...named(
    'SetUpLocation',
    object(
      {},
      {
        rows: {
          ...says('The rows. Left out: `csv` has them.', list(schemaOf(SetupRowBody))),
          minItems: 1,
          maxItems: LARGEST_SETUP,
        },
        csv: says(
          'The same as text. Its first line names the columns `unit`, `zone`, `lock`, `serial` and `round_the_clock` (`yes` or `no`), in any order. At most 256,000 characters. Left out: `rows` has them.',
          text,
        ),
        add_units: says(
          'True: a unit that does not exist is made as a standalone unit, with the text of its row as identifier. A PMS cannot write to it.',
          flag,
        ),
      },
    ),
  ),
  additionalProperties: false,
  // A body has rows or CSV text, so one example cannot hold both.
  examples: [{ rows: [{ unit: 'A-101', zone: 'First floor', lock: 'Latch 101', serial: 'SN-0001' }] }],
};

const ROW = {
  row: says('Number of the row, from 1.', whole),
  unit: says('The unit as the row names it.', text),
};

const DONE = object({
  ...ROW,
  unit_id: says('Null for a new unit in a dry run.', nullable(id)),
  unit_name: field.unit_name,
  zone: says('The zone of the row. Null: none.', nullable(text)),
  zone_id: says('Null if the row names no zone, and in a dry run.', nullable(id)),
  lock: says('Name or serial number of the lock. Null: none.', nullable(text)),
  lock_id: says('Null if the row names no lock, and in a dry run.', nullable(id)),
  changes: says(
    'What was done. Empty if the unit has all that already.',
    list(
      oneOf([
        'unit_created',
        'zone_created',
        'unit_zoned',
        'lock_created',
        'lock_attached',
        'round_the_clock_granted',
        'round_the_clock_ended',
      ]),
    ),
  ),
});

const REFUSED = object(
  {
    ...ROW,
    error: says('All messages of the row in one line, each with its path.', text),
    code: errorCode,
  },
  { errors: fieldErrors, details: fieldFaults },
);

const WARNED = object({
  ...ROW,
  code: says(
    'The reason.',
    oneOf(['zone_name_similar', 'unit_in_other_zone', 'unit_has_other_lock', 'unit_beside_pms']),
  ),
  message: says('The reason in words, with the names that exist.', text),
});

export const SETUP_SCHEMA = named(
  'LocationSetup',
  object(
    {
      total: says('Rows of the request. `changed`, `unchanged` and `errors` add up to it.', whole),
      changed: says('Rows that were carried out.', whole),
      unchanged: says('Rows of units that have all that already.', whole),
      units_created: says('Units that were made.', whole),
      zones_created: says('Zones that were made.', whole),
      locks_created: says('Locks that were made.', whole),
      zones_without_entry_point: says(
        'Names of zones of these rows that no entry point leads to: units there open none.',
        list(text),
      ),
      rows: says('The rows that were not refused, in their order.', list(DONE)),
      warnings: says(
        'Rows of `rows` that may be a mistake: a new zone with nearly the name of another, a second zone or lock of a unit, a new unit where a PMS sends units.',
        list(WARNED),
      ),
      errors: says('Rows of which nothing was done, in their order.', list(REFUSED)),
    },
    { dry_run: field.dry_run },
  ),
);
