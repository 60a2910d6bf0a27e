import { schema, schemaOf } from '../../http/index.js';
import { LARGEST_SETUP, SetupRowBody } from './setup-rows.js';

const { errorCode, fieldErrors, fieldFaults, flag, id, list, named, nullable, object, oneOf, text, whole } =
  schema;

/** Either the rows, or the same as CSV text. */
export const SETUP_BODY_SCHEMA = {
  ...named(
    'SetUpLocation',
    object(
      {},
      {
        rows: {
          ...list(schemaOf(SetupRowBody)),
          minItems: 1,
          maxItems: LARGEST_SETUP,
          description: 'The rows. Left out: `csv` has them.',
        },
        csv: {
          ...text,
          description:
            'The same as text. Its first line names the columns `unit`, `zone`, `lock` and `serial`, in any order. Left out: `rows` has them.',
        },
      },
    ),
  ),
  additionalProperties: false,
  // Rows and CSV text stand for each other, so one example cannot hold both.
  examples: [{ rows: [{ unit: 'A-101', zone: 'First floor', lock: 'Latch 101', serial: 'SN-0001' }] }],
};

const DONE = object({
  row: { ...whole, description: 'Number of the row, from 1.' },
  unit: { ...text, description: 'The unit as the row names it.' },
  unit_id: id,
  unit_name: text,
  zone: { ...nullable(text), description: 'The zone of the row. Null: none.' },
  zone_id: { ...nullable(id), description: 'Null if the row names no zone, and in a dry run.' },
  lock: { ...nullable(text), description: 'Name or serial number of the lock. Null: none.' },
  lock_id: { ...nullable(id), description: 'Null if the row names no lock, and in a dry run.' },
  changes: {
    ...list(oneOf(['zone_created', 'unit_zoned', 'lock_created', 'lock_attached'])),
    description: 'What was done. Empty if the unit has all that already.',
  },
});

/** The outcome of each row. */
export const SETUP_SCHEMA = named(
  'LocationSetup',
  object(
    {
      total: {
        ...whole,
        description: 'Rows of the request. `changed`, `unchanged` and `errors` add up to it.',
      },
      changed: { ...whole, description: 'Rows that were carried out.' },
      unchanged: { ...whole, description: 'Rows of units that have all that already.' },
      zones_created: { ...whole, description: 'Zones that were made.' },
      locks_created: { ...whole, description: 'Locks that were made.' },
      rows: { ...list(DONE), description: 'The rows that were not refused, in their order.' },
      errors: {
        ...list(
          object(
            {
              row: { ...whole, description: 'Number of the row, from 1.' },
              unit: { ...text, description: 'The unit as the row names it.' },
              error: text,
              code: errorCode,
            },
            { errors: fieldErrors, details: fieldFaults },
          ),
        ),
        description: 'Rows of which nothing was done, in their order.',
      },
    },
    { dry_run: flag },
  ),
);
