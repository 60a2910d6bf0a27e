import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { BALANCE_DUE, DECIDED_SCHEMA } from './unit.schemas.js';

const { crm_unit_id, tenant_id, unit_id, unit_name } = field;
const { list, object, says, whole } = schema;

const FLIP = object({
  unit_id,
  crm_unit_id,
  unit_name,
  tenant_id,
  balance_due: BALANCE_DUE,
  from: says('The decision before.', DECIDED_SCHEMA),
  to: says('The decision after.', DECIDED_SCHEMA),
});

export const POLICY_EFFECT_SCHEMA = says(
  'What the change does to the units, at this moment.',
  schema.named(
    'PolicyEffect',
    object({
      locked: says('Units that lose access.', whole),
      opened: says('Units that gain access.', whole),
      tenants: says('Tenants of these units.', whole),
      changes: says('These units, the highest balance first, at most 500.', list(FLIP)),
    }),
  ),
);
