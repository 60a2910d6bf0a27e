import { EXPLAINED_ACCESS_SCHEMA } from '../access/index.js';
import { schema } from '../http/index.js';
import { WARNING_MESSAGES } from '../units/index.js';

const { fieldErrors, fieldFaults, flag, id, instant } = schema;
const { list, named, nullable, object, oneOf, scalar, text, whole } = schema;

const WARNING_CODE = {
  ...oneOf(Object.keys(WARNING_MESSAGES)),
  description: Object.entries(WARNING_MESSAGES)
    .map(([code, message]) => `\`${code}\`: ${message}`)
    .join(' '),
};
const WARNING = { code: named('WarningCode', WARNING_CODE), message: text };
const OF_A_WARNING = {
  former_pms_tenant_id: { ...text, description: 'Only with `tenant_replaced`: who rented the unit before.' },
};
const warnings = list(object(WARNING, OF_A_WARNING, 'Warning'));

/** The answer to a write of one unit; `unit_id` is null where a dry run would create it. */
export const UNIT_WRITTEN_SCHEMA = object(
  { unit_id: nullable(id), applied_at: instant },
  { warnings, dry_run: flag, access: EXPLAINED_ACCESS_SCHEMA },
  'UnitWritten',
);

/** Why one entry of a bulk was not applied. */
export const ENTRY_ERROR_SCHEMA = object(
  { crm_unit_id: text, error: text, code: schema.errorCode },
  { errors: fieldErrors, details: fieldFaults },
  'EntryError',
);

const SKIPPED = object({ crm_unit_id: text, written_at: instant }, {}, 'SkippedEntry');

/** The answer to a bulk. */
export const BULK_SCHEMA = object(
  {
    synced_at: instant,
    total: whole,
    created: whole,
    updated: whole,
    unchanged: whole,
    errors: list(ENTRY_ERROR_SCHEMA),
  },
  {
    skipped: {
      ...list(SKIPPED),
      description: 'Only with `snapshot_at`: units that a single write changed after it.',
    },
    warnings: list(object({ crm_unit_id: text, ...WARNING }, OF_A_WARNING, 'EntryWarning')),
    dry_run: flag,
  },
  'BulkResult',
);

const DIFFERENCE = object(
  {
    crm_unit_id: text,
    unit_id: id,
    fields: list(
      object(
        {
          field: {
            ...text,
            description:
              'A fact; `unit_name` or `pms_location_code`; or `tenant.name`, `tenant.email` or `tenant.phone`, whose values are not told.',
          },
          here: scalar,
          given: scalar,
        },
        {},
        'FieldDifference',
      ),
    ),
  },
  {},
  'UnitDifference',
);

/** How a bulk would differ from what is known. */
export const COMPARISON_SCHEMA = object(
  {
    compared_at: instant,
    total: {
      ...whole,
      description: '`same` and the lengths of `different`, `missing_here`, `skipped` and `errors` together.',
    },
    same: whole,
    different: list(DIFFERENCE),
    ignored: {
      ...list(DIFFERENCE),
      description:
        'Units with another name or location in the request, which a bulk leaves as they are. They count in `same` or `different` as well.',
    },
    missing_here: list(text),
    skipped: {
      ...list(SKIPPED),
      description: 'Units that a single write changed after `snapshot_at`: a bulk leaves them as they are.',
    },
    errors: list(ENTRY_ERROR_SCHEMA),
    missing_given: {
      ...list(text),
      description:
        'Units of `complete_locations` that the request does not name: a page of them, by location. Empty where no location is given.',
    },
    next_cursor: schema.cursor,
  },
  {},
  'Comparison',
);
