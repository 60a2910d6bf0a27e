import { EXPLAINED_ACCESS_SCHEMA } from '../access/index.js';
import * as field from '../http/openapi/fields.js';
import * as schema from '../http/openapi/schemas.js';
import { WARNING_MESSAGES } from '../units/index.js';

const { applied_at, crm_unit_id, dry_run, unit_id } = field;
const { fieldErrors, fieldFaults, id, instant, list, named, nullable, object, oneOf } = schema;
const { says, scalar, text, whole } = schema;

const WARNING_CODE = says(
  Object.entries(WARNING_MESSAGES)
    .map(([code, message]) => `\`${code}\`: ${message}`)
    .join(' '),
  named('WarningCode', oneOf(Object.keys(WARNING_MESSAGES))),
);
const WARNING = { code: WARNING_CODE, message: says('For people. It may change: match `code`.', text) };
const WARNING_FIELDS = {
  former_pms_tenant_id: says('Only with `tenant_replaced`: who rented the unit before.', text),
};
const WARNED = 'Present only if there are any. The write was done.';

export const UNIT_WRITTEN_SCHEMA = object(
  {
    unit_id: says("The service's identifier of the unit. Null if a dry run would create it.", nullable(id)),
    applied_at,
  },
  {
    warnings: says(WARNED, list(object(WARNING, WARNING_FIELDS, 'Warning'))),
    dry_run,
    access: says('The decision as it would be. Present only for a dry run.', EXPLAINED_ACCESS_SCHEMA),
  },
  'UnitWritten',
);

export const ENTRY_ERROR_SCHEMA = object(
  {
    crm_unit_id,
    error: says('All messages of the entry in one line, each with its path.', text),
    code: schema.errorCode,
  },
  { errors: fieldErrors, details: fieldFaults },
  'EntryError',
);

const SKIPPED = object(
  { crm_unit_id, written_at: says('Instant of the newer write.', instant) },
  {},
  'SkippedEntry',
);

export const BULK_SCHEMA = object(
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
    skipped: says('Only with `snapshot_at`: units that a single write changed after it.', list(SKIPPED)),
    warnings: says(WARNED, list(object({ crm_unit_id, ...WARNING }, WARNING_FIELDS, 'EntryWarning'))),
    dry_run,
  },
  'BulkResult',
);

const DIFFERENCE = object(
  {
    crm_unit_id,
    unit_id,
    fields: says(
      'The fields that differ.',
      list(
        object(
          {
            field: says(
              'A fact; `unit_name` or `pms_location_code`; or `tenant.name`, `tenant.email` or `tenant.phone`, whose values are not told.',
              text,
            ),
            here: says('The value that the service has.', scalar),
            given: says('The value of the request.', scalar),
          },
          {},
          'FieldDifference',
        ),
      ),
    ),
  },
  {},
  'UnitDifference',
);

export const COMPARISON_SCHEMA = object(
  {
    compared_at: says('Instant of the comparison.', instant),
    total: says(
      '`same` and the lengths of `different`, `missing_here`, `skipped` and `errors` together.',
      whole,
    ),
    same: says('How many units are the same on both sides.', whole),
    different: says('Units that differ.', list(DIFFERENCE)),
    ignored: says(
      'Units with another name or location in the request, which a bulk leaves as they are. They count in `same` or `different` as well.',
      list(DIFFERENCE),
    ),
    missing_here: says('Units of the request that the service does not know.', list(text)),
    skipped: says(
      'Units that a single write changed after `snapshot_at`: a bulk leaves them as they are.',
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
  },
  {},
  'Comparison',
);
