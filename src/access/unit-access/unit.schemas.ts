import { type JsonSchema, schema } from '../../http/index.js';
import { FACT_NAMES, type FactKind, factOf } from '../../units/index.js';
import { ACCESS_REASONS, ACCESS_STATES } from '../core/decision.js';

const {
  amount,
  date,
  extended,
  flag,
  id,
  instant,
  list,
  named,
  nullable,
  object,
  oneOf,
  scalar,
  text,
  whole,
} = schema;

export const STATE = named('AccessState', oneOf(ACCESS_STATES));
/** A reason where there must be one. */
export const REASON_SCHEMA = named('AccessReason', oneOf(ACCESS_REASONS));
export const REASON = nullable(REASON_SCHEMA);

const CURE = object(
  {
    unit_id: nullable(id),
    crm_unit_id: text,
    field: text,
    to: scalar,
    by: oneOf(['pms', 'operator']),
  },
  {},
  'Cure',
);

const CHECK = object(
  {
    name: text,
    state: STATE,
    reason: REASON,
    matched: flag,
    looked_at: list(object({ name: text, value: scalar, revision: nullable(whole) }, { unit_id: id })),
  },
  {},
  'Check',
);

/** A decision in short. */
export const DECIDED_SCHEMA = object({ state: STATE, reason: REASON }, {}, 'Decided');

const ACCESS = {
  state: STATE,
  reason: REASON,
  also: list(named('AlsoDenying', oneOf([...ACCESS_REASONS, 'unrentable']))),
  resolution: nullable(list(CURE)),
  valid_until: nullable(instant),
};

/** A decision as `presentDecision` shows it in lists. */
export const ACCESS_SCHEMA = object(ACCESS, {}, 'Access');
/** The same with its checks. */
export const EXPLAINED_ACCESS_SCHEMA = object({ ...ACCESS, checks: list(CHECK) }, {}, 'ExplainedAccess');

const FACT_SCHEMAS: Readonly<Record<FactKind, JsonSchema>> = {
  amount,
  date: nullable(date),
  flag,
  text: nullable(text),
};

const FACTS_SCHEMA = object(
  Object.fromEntries(
    FACT_NAMES.map((name) => {
      const { kind, example, description } = factOf(name);
      return [name, { ...FACT_SCHEMAS[kind], description, examples: [example] }];
    }),
  ),
  {},
  'Facts',
);

/** A location's policy as `presentPolicy` shows it. */
export const POLICY_SCHEMA = object(
  {
    grace_period_days: whole,
    balance_threshold: amount,
    blanket_delinquency: flag,
    delinquency_mode: named('DelinquencyMode', oneOf(['automatic', 'pms_flag_only'])),
    timezone: text,
  },
  {},
  'Policy',
);

const LOCATION = { id, name: text, timezone: text, pms_location_code: text };

/** A location as `presentLocation` shows it, with its policy. */
export const LOCATION_WITH_POLICY_SCHEMA = object(
  { ...LOCATION, policy: POLICY_SCHEMA },
  {},
  'LocationWithPolicy',
);

export const SHOWN_LOCATION_SCHEMA = object(LOCATION, {}, 'UnitLocation');

const UNIT = {
  unit_id: id,
  crm_unit_id: text,
  unit_name: text,
  location: SHOWN_LOCATION_SCHEMA,
  source_type: named('SourceType', oneOf(['push', 'pull', 'standalone'])),
  facts: FACTS_SCHEMA,
  revision: whole,
  last_accessed_at: nullable(instant),
};

/** A unit as `presentUnit` shows it in lists. */
export const UNIT_SCHEMA = object({ ...UNIT, access: ACCESS_SCHEMA }, {}, 'Unit');
/** The same with the checks of its decision. */
export const EXPLAINED_UNIT_SCHEMA = object(
  { ...UNIT, access: EXPLAINED_ACCESS_SCHEMA },
  {},
  'ExplainedUnit',
);

/** A unit as of an instant, with the policy of then. */
export const UNIT_AS_OF_SCHEMA = named(
  'UnitAsOf',
  extended(EXPLAINED_UNIT_SCHEMA, { at: instant, policy: POLICY_SCHEMA }),
);

/** The published table of checks. */
export const ACCESS_POLICY_SCHEMA = named(
  'AccessPolicy',
  object({
    version: whole,
    checks: list(object({ name: text, when: text, state: STATE, reason: REASON })),
    parameters: list(
      object(
        {
          name: text,
          type: oneOf(['integer', 'number', 'boolean', 'string']),
          default: scalar,
          description: text,
        },
        { minimum: amount, maximum: amount, values: list(text) },
      ),
    ),
  }),
);
