import { schema } from '../../http/index.js';
import { DECIDED_SCHEMA } from '../unit-access/unit.schemas.js';

const { amount, id, list, object, text, whole } = schema;

const FLIP = object({
  unit_id: id,
  crm_unit_id: text,
  unit_name: text,
  tenant_id: id,
  balance_due: amount,
  from: DECIDED_SCHEMA,
  to: DECIDED_SCHEMA,
});

/** Which units a change of policy locks or opens. */
export const POLICY_EFFECT_SCHEMA = {
  ...schema.named(
    'PolicyEffect',
    object({
      locked: { ...whole, description: 'Units that lose access.' },
      opened: { ...whole, description: 'Units that gain access.' },
      tenants: { ...whole, description: 'Tenants of these units.' },
      changes: {
        ...list(FLIP),
        description: 'These units, the highest balance first, at most 500.',
      },
    }),
  ),
  description: 'What the change does to the units, at this moment.',
};
