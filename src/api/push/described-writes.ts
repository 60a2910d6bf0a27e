import { BULK_BODY_SCHEMA } from './bulk/bulk.schemas.js';
import { BULK_SCHEMA, UNIT_WRITTEN_SCHEMA } from './unit-write.schemas.js';

export const MOVE_IN = {
  id: 'moveIn',
  description:
    'Creates the unit if it is new (201; a dry run answers 200). The same tenant with the same values changes nothing. Another tenant replaces the tenancy. Contact details are refused here: they come only by bulk.',
  summary: 'Move a tenant in, and create the unit where there is none',
  data: UNIT_WRITTEN_SCHEMA,
  errors: ['unit_not_found', 'unit_managed_elsewhere'],
} as const;
export const MOVE_OUT = {
  id: 'moveOut',
  description:
    'Resets the facts of the tenancy, ends shares and clears an override; `pms_status_raw` stays. A vacant unit stays as it is.',
  summary: 'Move the tenant out and reset the facts',
  data: UNIT_WRITTEN_SCHEMA,
  errors: ['unit_not_found', 'unit_managed_elsewhere'],
} as const;
export const CHANGE_FACTS = {
  id: 'changeFacts',
  description:
    'Facts that the body leaves out keep their value. Null resets a date or a text. The unit must exist.',
  summary: 'Change some facts of a unit',
  message: 'Unit updated.',
  data: UNIT_WRITTEN_SCHEMA,
  errors: ['unit_not_found', 'unit_managed_elsewhere'],
} as const;
export const SYNC_UNITS = {
  id: 'syncUnits',
  description:
    "Creates and updates units. An entry's fault is its own: it is listed in `data.errors`, the others apply, and the status is 200. Refused whole (422): `units` missing, no array, empty or over 500; an entry that is no object; a `crm_unit_id` that is missing, no string or named twice. Left out fields keep their value. Contact details of tenants come only here.",
  summary: 'Bring up to 500 units up to date',
  message: 'Sync completed.',
  body: BULK_BODY_SCHEMA,
  data: BULK_SCHEMA,
} as const;
