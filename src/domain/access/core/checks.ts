import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { FactName } from '#domain/units/core/fact-catalogue.js';
import type { CheckLine, Cure, DenyingLine, LookedAt, PassingLine, StateWithReason } from './check-line.js';
import type { Situation } from './outlook.js';
import { siblingsPastDue } from './outlook.js';
import type { SubjectUnit } from './subject.js';
import type { OverrideValue } from '#domain/units/core/override-catalogue.js';
import { overrideInForce } from '#domain/units/core/unit.state.js';

/** The decision table without its last line. The first check that holds decides. */
const SPECIFIC_CHECKS = [
  {
    name: 'auction',
    state: 'auction',
    when: 'The PMS has the unit in auction (pms_auction).',
    holds: ({ unit }) => unit.facts.pms_auction,
    looksAt: ({ unit }) => [fact(unit, 'pms_auction')],
    cures: ({ unit }) => [cure(unit, 'pms_auction', false)],
  },
  {
    name: 'unrentable',
    state: 'unrentable',
    when: 'The PMS marks the unit as not available for rent (pms_unrentable).',
    holds: ({ unit }) => unit.facts.pms_unrentable,
    looksAt: ({ unit }) => [fact(unit, 'pms_unrentable')],
    cures: ({ unit }) => [cure(unit, 'pms_unrentable', false)],
  },
  {
    name: 'vacant',
    state: 'vacant',
    when: 'The unit is not occupied.',
    holds: ({ unit }) => !unit.facts.occupied,
    looksAt: ({ unit }) => [fact(unit, 'occupied')],
  },
  {
    name: 'system_lockout',
    state: 'tenant_denied',
    when: 'An operator has locked out the unit, and that override has not ended.',
    ...overrideIs('lockout'),
    cures: overrideCleared,
  },
  {
    name: 'system_exempt',
    state: 'tenant_permitted',
    when: 'An operator has exempted the unit, and that override has not ended.',
    ...overrideIs('exempt'),
  },
  {
    name: 'future_move_in',
    state: 'tenant_denied',
    when: "move_in_date is later than today, the calendar date in the location's time zone.",
    holds: ({ outlook }, instant) => instant < outlook.leaseBegins,
    looksAt: (situation) => [fact(situation.unit, 'move_in_date'), today(situation)],
    cures: ({ unit, today: to }) => [cure(unit, 'move_in_date', to)],
  },
  {
    name: 'pms_exempt',
    state: 'tenant_permitted',
    when: 'The PMS exempts the unit from lockout (pms_lock_exempt).',
    holds: ({ unit }) => unit.facts.pms_lock_exempt,
    looksAt: ({ unit }) => [fact(unit, 'pms_lock_exempt')],
  },
  {
    name: 'pms_lockout',
    state: 'tenant_denied',
    when: 'The PMS flags the unit for denied access (pms_lockout).',
    holds: ({ unit }) => unit.facts.pms_lockout,
    looksAt: ({ unit }) => [fact(unit, 'pms_lockout')],
    cures: ({ unit }) => [cure(unit, 'pms_lockout', false)],
  },
  {
    name: 'delinquent',
    state: 'tenant_denied',
    when:
      'delinquency_mode is automatic, balance_due exceeds balance_threshold, paid_through_date is set, ' +
      'and today is later than paid_through_date plus grace_period_days.',
    holds: ({ outlook }, instant) => instant >= outlook.pastDueFrom,
    looksAt: (situation) => [
      fact(situation.unit, 'balance_due'),
      fact(situation.unit, 'paid_through_date'),
      today(situation),
      policyField(situation.policy, 'balance_threshold'),
      policyField(situation.policy, 'grace_period_days'),
      policyField(situation.policy, 'delinquency_mode'),
    ],
    cures: ({ unit }) => [cure(unit, 'balance_due', 0)],
  },
  {
    name: 'blanket_delinquency',
    state: 'tenant_denied',
    when:
      'blanket_delinquency is on, and the check delinquent holds for another occupied unit of the same tenant at the same ' +
      'location that is exempt neither by the PMS nor by an operator.',
    holds: ({ outlook }, instant) => instant >= outlook.blanketFrom,
    looksAt: lookAtSiblings,
    cures: (situation, instant) =>
      siblingsPastDue(situation, instant).map((debtor) => cure(debtor, 'balance_due', 0)),
  },
] as const satisfies readonly CheckLine[];

const LAST_CHECK = {
  name: 'active',
  state: 'tenant_permitted',
  when: 'None of the checks above matches.',
  holds: (situation, instant) => !SPECIFIC_CHECKS.some((check) => check.holds(situation, instant)),
  looksAt: () => [],
} as const satisfies CheckLine;

type Line = (typeof SPECIFIC_CHECKS)[number] | typeof LAST_CHECK;

/** Stored and published: clients identify a check by its name. */
export type CheckName = Line['name'];

/** The name of the check that permitted or denied (specification §3.1). The other states have no reason. */
export type AccessReason = Extract<Line, { state: StateWithReason }>['name'];

/** A line of the table with the reason that it gives to a decision. */
export type CheckRule = DenyingCheck | (PassingLine & NamedCheck);
export type DenyingCheck = DenyingLine & NamedCheck;

interface NamedCheck {
  readonly name: CheckName;
  readonly reason: AccessReason | null;
}

/** The decision table, in order. */
export const CHECKS: readonly CheckRule[] = [...SPECIFIC_CHECKS, LAST_CHECK].map((line) => ({
  ...line,
  reason: hasReason(line) ? line.name : null,
}));

export const ACCESS_REASONS: readonly AccessReason[] = CHECKS.flatMap(({ reason }) => reason ?? []);

function hasReason(line: Line): line is Extract<Line, { state: StateWithReason }> {
  return line.state === 'tenant_permitted' || line.state === 'tenant_denied';
}

/** Position in `CHECKS` of the check that decides at an instant. */
export function decidingCheck(situation: Situation, instant: number): number {
  let position = 0;
  for (const check of SPECIFIC_CHECKS) {
    if (check.holds(situation, instant)) break;
    position += 1;
  }
  return position;
}

function cure(
  { unit_id, crm_unit_id, source_type }: SubjectUnit,
  field: Cure['field'],
  to: Cure['to'],
): Cure {
  return { unit_id, crm_unit_id, field, to, by: source_type === 'standalone' ? 'operator' : 'pms' };
}

function fact(unit: SubjectUnit, name: FactName): LookedAt {
  return { name, value: unit.facts[name], revision: unit.set_at[name] ?? null };
}

/** The condition that an operator's override with this value is in force. */
function overrideIs(value: OverrideValue): Pick<CheckLine, 'holds' | 'looksAt'> {
  return {
    holds: ({ unit }, instant) => overrideInForce(unit.override, instant) === value,
    looksAt: ({ unit, now }) => [override(unit, now)],
  };
}

function overrideCleared({ unit: { unit_id, crm_unit_id } }: Situation): readonly Cure[] {
  return [{ unit_id, crm_unit_id, field: 'override', to: null, by: 'operator' }];
}

/** An override that has ended has the value null here, but keeps the revision that set it. */
function override(unit: SubjectUnit, now: number): LookedAt {
  const value = overrideInForce(unit.override, now);
  return { name: 'override', value, revision: unit.set_at.override ?? null };
}

function today(situation: Situation): LookedAt {
  return { name: 'today', value: situation.today, revision: null };
}

function policyField(policy: LocationPolicy, name: keyof LocationPolicy): LookedAt {
  return { name, value: policy[name], revision: null };
}

/** The policy's switches and, if the check matches, the facts of every sibling that makes it match. */
function lookAtSiblings(situation: Situation): readonly LookedAt[] {
  const { policy, now } = situation;
  const switches = [policyField(policy, 'blanket_delinquency'), policyField(policy, 'delinquency_mode')];
  const siblings = siblingsPastDue(situation, now);
  if (siblings.length === 0) return switches;
  return [
    ...switches,
    today(situation),
    policyField(policy, 'balance_threshold'),
    policyField(policy, 'grace_period_days'),
    ...siblings.flatMap((sibling) =>
      [
        fact(sibling, 'occupied'),
        fact(sibling, 'balance_due'),
        fact(sibling, 'paid_through_date'),
        fact(sibling, 'pms_lock_exempt'),
        override(sibling, now),
      ].map((lookedAt) => ({ ...lookedAt, unit_id: sibling.unit_id })),
    ),
  ];
}
