import { WRITTEN_ACCESS_SCHEMA } from '#api/shapes/index.js';
import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import type { AnswerOf } from '#web/openapi/schemas.js';
import { WARNING_MESSAGES } from '#domain/units/index.js';

const { applied_at, crm_unit_id, dry_run, unit_id } = field;
const { fieldErrors, fieldFaults, id, instant, list, named, nullable, object, oneOf } = schema;
const { says, scalar, text, whole } = schema;

const WARNING_CODE = says(
  Object.entries(WARNING_MESSAGES)
    .map(([code, message]) => `\`${code}\`: ${message}`)
    .join(' '),
  named('WarningCode', oneOf(Object.keys(WARNING_MESSAGES) as (keyof typeof WARNING_MESSAGES)[])),
);
const WARNING = { code: WARNING_CODE, message: says('For people. It may change: match `code`.', text) };
const WARNING_FIELDS = {
  former_pms_tenant_id: says('Only with `tenant_replaced`: who rented the unit before.', text),
};
export const WARNING_SCHEMA = named('Warning', object(WARNING, WARNING_FIELDS));
export type WriteWarning = AnswerOf<typeof WARNING_SCHEMA>;

export const WARNED = 'Present only if there are any. The write was done.';

export const UNIT_WRITTEN_SCHEMA = named(
  'UnitWritten',
  object(
    {
      unit_id: says("The service's identifier of the unit. Null if a dry run would create it.", nullable(id)),
      applied_at,
    },
    {
      warnings: says(WARNED, list(WARNING_SCHEMA)),
      dry_run,
      access: says(
        'The decision after the write, or as it would be after a dry run. Left out if a retry found the write in the log after a crash.',
        WRITTEN_ACCESS_SCHEMA,
      ),
    },
  ),
);
export type UnitWritten = AnswerOf<typeof UNIT_WRITTEN_SCHEMA>;

export const ENTRY_ERROR_SCHEMA = named(
  'EntryError',
  object(
    {
      crm_unit_id,
      error: says('All messages of the entry in one line, each with its path.', text),
      code: schema.errorCode,
    },
    { errors: fieldErrors, details: fieldFaults },
  ),
);
export type EntryError = AnswerOf<typeof ENTRY_ERROR_SCHEMA>;

const SKIPPED = named(
  'SkippedEntry',
  object({
    crm_unit_id,
    written_at: says(
      'The instant of which the newer write speaks: its `snapshot_at`, or when it was written.',
      instant,
    ),
  }),
);
export type SkippedEntry = AnswerOf<typeof SKIPPED>;

export const BULK_SCHEMA = named(
  'BulkResult',
  object(
    {
      synced_at: says('Instant at which the bulk was applied.', instant),
      total: says('Entries of the request. The counts beside it add up to it.', whole),
      created: says('Units that were created.', whole),
      updated: says('Units that were changed, or whose tenant was.', whole),
      unchanged: says('Units that already were as sent. They leave no event.', whole),
      errors: says(
        'Entries that were not applied, in the order of the request. The others were.',
        list(ENTRY_ERROR_SCHEMA),
      ),
    },
    {
      skipped: says('Only with `snapshot_at`: units that something newer changed.', list(SKIPPED)),
      warnings: says(
        WARNED,
        list(named('EntryWarning', object({ crm_unit_id, ...WARNING }, WARNING_FIELDS))),
      ),
      dry_run,
    },
  ),
);
export type BulkResult = AnswerOf<typeof BULK_SCHEMA>;

const FIELD_DIFFERENCE = named(
  'FieldDifference',
  object({
    field: says(
      'A fact; `unit_name` or `pms_location_code`; or `tenant.name`, `tenant.email` or `tenant.phone`, whose values are not told.',
      text,
    ),
    here: says('The value that the service has.', scalar),
    given: says('The value of the request.', scalar),
  }),
);
export type FieldDifference = AnswerOf<typeof FIELD_DIFFERENCE>;

const DIFFERENCE = named(
  'UnitDifference',
  object({ crm_unit_id, unit_id, fields: says('The fields that differ.', list(FIELD_DIFFERENCE)) }),
);
export type UnitDifference = AnswerOf<typeof DIFFERENCE>;

export const COMPARISON_SCHEMA = named(
  'Comparison',
  object({
    compared_at: says('Instant of the comparison.', instant),
    total: says(
      '`same` and the lengths of `different`, `missing_here`, `skipped` and `errors` together.',
      whole,
    ),
    same: says('How many units are the same on both sides.', whole),
    different: says('Units that differ.', list(DIFFERENCE)),
    ignored: says(
      'Units with another name in the request, which a bulk ignores, or another location, for which a bulk refuses the entry. They count in `same` or `different` as well.',
      list(DIFFERENCE),
    ),
    missing_here: says('Units of the request that the service does not know.', list(text)),
    skipped: says(
      'Units that something newer than `snapshot_at` changed: a bulk leaves them as they are.',
      list(SKIPPED),
    ),
    errors: says(
      'Entries that could not be compared, in the order of the request.',
      list(ENTRY_ERROR_SCHEMA),
    ),
    missing_given: says(
      'Units of `complete_locations` that the request does not name: a page of them, by location. Empty where no location is given.',
      list(text),
    ),
    next_cursor: schema.next_cursor,
  }),
);
export type Comparison = AnswerOf<typeof COMPARISON_SCHEMA>;
