import * as field from '#web/openapi/fields.js';
import * as schema from '#web/openapi/schemas.js';
import { FACT_NAMES, factOf, type UnitFacts } from '#domain/units/index.js';
import { ACCESS_REASONS, ACCESS_STATES } from '#domain/access/index.js';
import { ENTRY_POINT_CHECKS_SCHEMA, UNIT_ENTRY_POINTS_SCHEMA } from './entry-point.schemas.js';

const { crm_unit_id, currency, last_accessed_at, name, pms_location_code, timezone, unit_id, unit_name } =
  field;
const { date, extended, flag, instant, list, named, nullable, number, object } = schema;
const { oneOf, says, scalar, text, whole } = schema;

export const STATE = says(
  'The decision in one word. Only `tenant_permitted` opens.',
  named('AccessState', oneOf(ACCESS_STATES)),
);
const REASONS = named('AccessReason', oneOf(ACCESS_REASONS));
/** A reason that cannot be null. */
export const REASON_SCHEMA = says('Why access is denied.', REASONS);
export const REASON = says(
  'Why. Null for the states `auction`, `unrentable` and `vacant`.',
  nullable(REASONS),
);
/** For answers that show this fact alone. */
export const BALANCE_DUE = says(factOf('balance_due').description, number);

const CHECK_NAME = says('Name of the check. Stable.', text);

const CURE = named(
  'Cure',
  object({
    unit_id: says(
      'The unit to change: another unit of the tenant if that one owes. Null if a dry run would create it.',
      nullable(schema.id),
    ),
    crm_unit_id,
    field: says('The field to change.', text),
    to: says('The value to set.', scalar),
    by: says(
      'Side that can change it: `pms` by the PMS interface, `operator` by an override.',
      oneOf(['pms', 'operator']),
    ),
  }),
);

/** A fact or setting that a check read. */
export const LOOKED_AT = {
  name: says('Name of the fact or setting.', text),
  value: says('The value that it had.', scalar),
  revision: says(
    'Revision of the unit that set the value. Null for a setting, and for what no event set.',
    nullable(whole),
  ),
};
export const LOOKED_AT_UNIT = {
  unit_id: says('Present if the value is of another unit of the tenant.', schema.id),
};

/** A check of a decision. @param lookedAt schema of one value that a check read */
export function checkOf<LookedAt>(lookedAt: schema.Schema<LookedAt>) {
  return object({
    name: CHECK_NAME,
    state: says('The state if it decides.', STATE),
    reason: says('The reason if it decides.', REASON),
    matched: says('True if the check matches, whether or not it decides.', flag),
    looked_at: says('The facts and settings that the check read.', list(lookedAt)),
  });
}

export function checksOf<Check>(check: schema.Schema<Check>) {
  return says('The checks in order. The first that matches decides.', list(check));
}

const CHECK = named('Check', checkOf(object(LOOKED_AT, LOOKED_AT_UNIT)));

export const DECIDED_SCHEMA = named('Decided', object({ state: STATE, reason: REASON }));

const ACCESS = {
  state: STATE,
  reason: REASON,
  also: says(
    'Reasons of later checks that would deny too. Empty if access is permitted.',
    list(named('AlsoDenying', oneOf([...ACCESS_REASONS, 'unrentable']))),
  ),
  resolution: says(
    'The fewest changes that remove every cause. Empty if access is permitted, null if the unit is vacant.',
    nullable(list(CURE)),
  ),
  valid_until: says(
    'The next instant at which the decision changes if nothing is written. Null if there is none. Read again after it.',
    nullable(instant),
  ),
};

/** A decision as `presentDecision` shows it in lists. */
export const ACCESS_SCHEMA = named('Access', object(ACCESS));
/** The same with its checks. */
export const EXPLAINED_ACCESS_SCHEMA = named(
  'ExplainedAccess',
  object({ ...ACCESS, checks: checksOf(CHECK) }),
);

/** The decision after a write of one unit, as `presentDecision` shows it. */
export const WRITTEN_ACCESS_SCHEMA = named(
  'WrittenAccess',
  object(
    {
      ...ACCESS,
      resolution: says(`${ACCESS.resolution.description!} At most 20 of them.`, ACCESS.resolution),
    },
    {
      checks: says(
        'Only for a dry run. The checks in order. The first that matches decides.',
        checksOf(CHECK),
      ),
    },
  ),
);

const FACT_SCHEMAS = {
  amount: number,
  date: nullable(date),
  flag,
  text: nullable(text),
};

const FACTS_SCHEMA = named(
  'Facts',
  object(
    Object.fromEntries(
      FACT_NAMES.map((name) => {
        const { kind, example, description } = factOf(name);
        return [name, { ...FACT_SCHEMAS[kind], description, examples: [example] }];
      }),
    ),
  ),
) as schema.Schema<UnitFacts>;

/** The fields of a location's policy, wherever they are shown. */
export const POLICY_FIELDS = {
  grace_period_days: says(
    'Whole calendar days after `paid_through_date` before a debt denies. 0 to 90, default 5.',
    whole,
  ),
  balance_threshold: says(
    'A balance up to this amount denies nobody. At most 2 decimals, default 0.',
    number,
  ),
  blanket_delinquency: says(
    "True: one delinquent unit denies the tenant's other units at the location too. Default true.",
    flag,
  ),
  delinquency_mode: says(
    '`automatic`: debts deny by date. `pms_flag_only`: only the flags of the PMS deny. Default `automatic`.',
    named('DelinquencyMode', oneOf(['automatic', 'pms_flag_only'])),
  ),
  timezone,
};

/** A location's policy as `presentPolicy` shows it. */
export const POLICY_SCHEMA = named('Policy', object(POLICY_FIELDS));

const LOCATION = { id: field.location_id, name, timezone, pms_location_code, currency };

/** A location as `presentLocation` shows it, with its policy. */
export const LOCATION_WITH_POLICY_SCHEMA = named(
  'LocationWithPolicy',
  object({ ...LOCATION, policy: says("The location's settings for decisions.", POLICY_SCHEMA) }),
);

export const SHOWN_LOCATION_SCHEMA = named('UnitLocation', object(LOCATION));

const UNIT = {
  unit_id,
  crm_unit_id,
  unit_name,
  location: says('The location of the unit.', SHOWN_LOCATION_SCHEMA),
  source_type: says(
    'The side that writes the unit: `push`, `pull`, or `standalone` for operators.',
    named('SourceType', oneOf(['push', 'pull', 'standalone'])),
  ),
  facts: says('What the PMS says of the unit.', FACTS_SCHEMA),
  revision: field.revision,
  last_accessed_at,
};

const DECISION = 'The decision about the unit.';

/** A unit as `presentUnit` shows it in lists. */
export const UNIT_SCHEMA = named('Unit', object({ ...UNIT, access: says(DECISION, ACCESS_SCHEMA) }));
export const EXPLAINED_UNIT_SCHEMA = named(
  'ExplainedUnit',
  object({ ...UNIT, access: says(DECISION, EXPLAINED_ACCESS_SCHEMA) }),
);

/** A unit as of an instant, with the policy of then. */
export const UNIT_AS_OF_SCHEMA = named(
  'UnitAsOf',
  extended(EXPLAINED_UNIT_SCHEMA, {
    at: says('The instant that the answer describes.', instant),
    policy: says("The location's settings at that instant.", POLICY_SCHEMA),
    entry_points: UNIT_ENTRY_POINTS_SCHEMA,
  }),
);

/** The published table of checks. */
export const ACCESS_POLICY_SCHEMA = named(
  'AccessPolicy',
  object({
    version: says('Version of the table of checks.', whole),
    checks: says(
      'The checks in order. The first that matches decides.',
      list(
        object({
          name: CHECK_NAME,
          when: says('The condition in words.', text),
          state: says('The state if it decides.', STATE),
          reason: says('The reason if it decides.', REASON),
        }),
      ),
    ),
    entry_point_checks: ENTRY_POINT_CHECKS_SCHEMA,
    parameters: says(
      'The settings that the checks read.',
      list(
        object(
          {
            name: says('Name of the setting, as in a policy.', text),
            type: says('Type of the value.', oneOf(['integer', 'number', 'boolean', 'string'])),
            default: says('The value if nobody sets another.', scalar),
            description: says('What the setting means.', text),
          },
          {
            minimum: says('Least value. Left out: there is none.', number),
            maximum: says('Greatest value. Left out: there is none.', number),
            values: says('The values that it may have. Left out: any of its type.', list(text)),
          },
        ),
      ),
    ),
  }),
);
