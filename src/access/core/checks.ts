import type { LocationPolicy } from '../../locations/index.js';
import type { FactName } from '../../units/index.js';
import type { AccessReason, AccessState, CheckName, Cure, LookedAt } from './decision.js';
import type { Situation } from './outlook.js';
import { siblingsPastDue } from './outlook.js';
import type { SubjectUnit } from './subject.js';
import { overrideInForce } from './subject.js';

/** One line of the decision table: evaluated, explained and published from here alone. */
export type CheckRule = DenyingCheck | CheckOf<'tenant_permitted'> | CheckOf<'vacant'>;

export interface DenyingCheck extends CheckOf<Exclude<AccessState, 'tenant_permitted' | 'vacant'>> {
  /** What removes the cause that it finds, at an instant at which it holds. */
  cures(situation: Situation, instant: number): readonly Cure[];
}

interface CheckOf<State extends AccessState> {
  readonly number: number;
  readonly name: CheckName;
  readonly state: State;
  readonly reason: AccessReason | null;
  /** The condition as one sentence, for `GET /api/v2/access-policy`. */
  readonly when: string;
  /** Whether the condition holds at an instant not before the situation's `now`. */
  holds(situation: Situation, instant: number): boolean;
  looksAt(situation: Situation): readonly LookedAt[];
}

const SPECIFIC_CHECKS: readonly CheckRule[] = [
  {
    number: 1,
    name: 'auction',
    state: 'auction',
    reason: null,
    when: 'The PMS has the unit in auction (pms_auction).',
    holds: ({ unit }) => unit.facts.pms_auction,
    looksAt: ({ unit }) => [fact(unit, 'pms_auction')],
    cures: ({ unit }) => [change(unit, 'pms_auction', false)],
  },
  {
    number: 2,
    name: 'unrentable',
    state: 'unrentable',
    reason: null,
    when: 'The PMS marks the unit as not available for rent (pms_unrentable).',
    holds: ({ unit }) => unit.facts.pms_unrentable,
    looksAt: ({ unit }) => [fact(unit, 'pms_unrentable')],
    cures: ({ unit }) => [change(unit, 'pms_unrentable', false)],
  },
  {
    number: 3,
    name: 'vacant',
    state: 'vacant',
    reason: null,
    when: 'The unit is not occupied.',
    holds: ({ unit }) => !unit.facts.occupied,
    looksAt: ({ unit }) => [fact(unit, 'occupied')],
  },
  {
    number: 4,
    name: 'system_lockout',
    state: 'tenant_denied',
    reason: 'system_lockout',
    when: 'An operator has locked out the unit, and that override has not ended.',
    holds: ({ unit }, instant) => overrideInForce(unit.override, instant) === 'lockout',
    looksAt: ({ unit, now }) => [override(unit, now)],
    cures: ({ unit: { unit_id, crm_unit_id } }) => [
      { unit_id, crm_unit_id, field: 'override', to: null, by: 'operator' },
    ],
  },
  {
    number: 5,
    name: 'system_exempt',
    state: 'tenant_permitted',
    reason: 'system_exempt',
    when: 'An operator has exempted the unit, and that override has not ended.',
    holds: ({ unit }, instant) => overrideInForce(unit.override, instant) === 'exempt',
    looksAt: ({ unit, now }) => [override(unit, now)],
  },
  {
    number: 6,
    name: 'future_move_in',
    state: 'tenant_denied',
    reason: 'future_move_in',
    when: "move_in_date is later than today, the calendar date in the location's time zone.",
    holds: ({ outlook }, instant) => instant < outlook.leaseBegins,
    looksAt: (situation) => [fact(situation.unit, 'move_in_date'), today(situation)],
    cures: ({ unit, today: to }) => [change(unit, 'move_in_date', to)],
  },
  {
    number: 7,
    name: 'pms_exempt',
    state: 'tenant_permitted',
    reason: 'pms_exempt',
    when: 'The PMS exempts the unit from lockout (pms_lock_exempt).',
    holds: ({ unit }) => unit.facts.pms_lock_exempt,
    looksAt: ({ unit }) => [fact(unit, 'pms_lock_exempt')],
  },
  {
    number: 8,
    name: 'pms_lockout',
    state: 'tenant_denied',
    reason: 'pms_lockout',
    when: 'The PMS flags the unit for denied access (pms_lockout).',
    holds: ({ unit }) => unit.facts.pms_lockout,
    looksAt: ({ unit }) => [fact(unit, 'pms_lockout')],
    cures: ({ unit }) => [change(unit, 'pms_lockout', false)],
  },
  {
    number: 9,
    name: 'delinquent',
    state: 'tenant_denied',
    reason: 'delinquent',
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
    cures: ({ unit }) => [change(unit, 'balance_due', 0)],
  },
  {
    number: 10,
    name: 'blanket_delinquency',
    state: 'tenant_denied',
    reason: 'blanket_delinquency',
    when:
      'blanket_delinquency is on, and check 9 holds for another occupied unit of the same tenant at the same ' +
      'location that is exempt neither by the PMS nor by an operator.',
    holds: ({ outlook }, instant) => instant >= outlook.blanketFrom,
    looksAt: lookAtSiblings,
    cures: (situation, instant) =>
      siblingsPastDue(situation, instant).map((debtor) => change(debtor, 'balance_due', 0)),
  },
];

const OTHERWISE: CheckRule = {
  number: 11,
  name: 'active',
  state: 'tenant_permitted',
  reason: 'active',
  when: 'None of the checks above matches.',
  holds: (situation, instant) => !SPECIFIC_CHECKS.some((check) => check.holds(situation, instant)),
  looksAt: () => [],
};

/** The decision table, in order: the first check that holds decides. */
export const CHECKS: readonly CheckRule[] = [...SPECIFIC_CHECKS, OTHERWISE];

/** Position in `CHECKS` of the check that decides at an instant. */
export function decidingCheck(situation: Situation, instant: number): number {
  const position = SPECIFIC_CHECKS.findIndex((check) => check.holds(situation, instant));
  return position === -1 ? CHECKS.length - 1 : position;
}

function change(
  { unit_id, crm_unit_id, source_type }: SubjectUnit,
  field: Cure['field'],
  to: Cure['to'],
): Cure {
  return { unit_id, crm_unit_id, field, to, by: source_type === 'standalone' ? 'operator' : 'pms' };
}

function fact(unit: SubjectUnit, name: FactName): LookedAt {
  return { name, value: unit.facts[name], revision: unit.set_at[name] ?? null };
}

/** An override that has ended shows as null: the checks see none. Its revision is still the one that last set it. */
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

/** The switches and, where the check matches, the facts of every sibling that makes it match. */
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
