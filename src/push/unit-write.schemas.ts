import { EXPLAINED_ACCESS_SCHEMA } from '../access/index.js';
import { schema } from '../http/index.js';

const { flag, id, instant, list, nullable, object, recordOf, scalar, text, whole } = schema;

const WARNING = { code: text, message: text };
const warnings = list(object(WARNING, {}, 'Warning'));

/** The answer to a write of one unit; `unit_id` is null where a dry run would create it. */
export const UNIT_WRITTEN_SCHEMA = object(
  { unit_id: nullable(id), applied_at: instant },
  { warnings, dry_run: flag, access: EXPLAINED_ACCESS_SCHEMA },
  'UnitWritten',
);

/** Why one entry of a bulk was not applied. */
export const ENTRY_ERROR_SCHEMA = object(
  { crm_unit_id: text, error: text, code: text },
  { errors: recordOf(list(text)) },
  'EntryError',
);

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
    warnings: list(object({ crm_unit_id: text, ...WARNING }, {}, 'EntryWarning')),
    dry_run: flag,
  },
  'BulkResult',
);

/** How a bulk would differ from what is known. */
export const COMPARISON_SCHEMA = object(
  {
    compared_at: instant,
    total: whole,
    same: whole,
    different: list(
      object({
        crm_unit_id: text,
        unit_id: id,
        fields: list(object({ field: text, here: scalar, given: scalar })),
      }),
    ),
    missing_here: list(text),
    missing_given: list(text),
    more_missing_given: flag,
    errors: list(ENTRY_ERROR_SCHEMA),
  },
  {},
  'Comparison',
);
