import { CHECKS, decidingCheck } from './checks.js';
import type { CheckRule, DenyingCheck } from './checks.js';
import type { Calendar, Check, Cure, Decision, ExplainedDecision } from './decision.js';
import type { Situation } from './outlook.js';
import { countPastDue, NEVER, nextChange, situationOf } from './outlook.js';
import type { DecisionInput } from './subject.js';

/** The cheap part of a decision at one instant: cures are left out, because each unit that owes adds one. */
interface Judgement extends Access {
  /** The checks that deny, the deciding check first. Empty if access is permitted or the unit is vacant. */
  readonly causes: readonly DenyingCheck[];
  /** The number of units that owe, if blanket delinquency is a cause; otherwise 0. */
  readonly debtors: number;
}

export type Access = Pick<Decision, 'state' | 'reason'>;

/** The part of a decision that views store and that a tenant sees. */
export type ShortDecision = Pick<Decision, 'state' | 'reason' | 'valid_until'>;

export function accessOf({ state, reason }: Access): Access {
  return { state, reason };
}

export function isSameAccess(one: Access, other: Access): boolean {
  return one.state === other.state && one.reason === other.reason;
}

/** True if the tenant is denied for another reason than a lease that has not begun. */
export function isLockedOut({
  state,
  reason,
}: Pick<Access, 'state'> & { readonly reason: string | null }): boolean {
  return state === 'tenant_denied' && reason !== 'future_move_in';
}

export function isOpen({ state }: Pick<Access, 'state'>): boolean {
  return state === 'tenant_permitted';
}

const NO_CAUSES: readonly DenyingCheck[] = [];

/** Decides access to a unit at `input.now` (specification §3). Pure. Takes about a microsecond. */
export function evaluate(input: DecisionInput, calendar: Calendar): Decision {
  return decide(situationOf(input, calendar));
}

/** As `evaluate`, without the cures: if thousands of a tenant's units owe, each has thousands of cures. */
export function shortDecision(input: DecisionInput, calendar: Calendar): ShortDecision {
  const situation = situationOf(input, calendar);
  const judgement = judge(situation, situation.now);
  const { state, reason } = judgement;
  return { state, reason, valid_until: validUntil(situation, judgement) };
}

/** As `evaluate`, with every check in order and the values that it looked at. */
export function explain(input: DecisionInput, calendar: Calendar): ExplainedDecision {
  const situation = situationOf(input, calendar);
  return { ...decide(situation), checks: CHECKS.map((check) => explainCheck(check, situation)) };
}

function explainCheck(check: CheckRule, situation: Situation): Check {
  return {
    name: check.name,
    state: check.state,
    reason: check.reason,
    matched: check.holds(situation, situation.now),
    looked_at: check.looksAt(situation),
  };
}

function decide(situation: Situation): Decision {
  const judgement = judge(situation, situation.now);
  const { state, reason, causes } = judgement;
  return {
    state,
    reason,
    also: causes.slice(1).map((cause) => cause.reason ?? (cause.state as 'unrentable')),
    resolution: resolutionOf(situation, judgement),
    valid_until: validUntil(situation, judgement),
  };
}

function resolutionOf(situation: Situation, { causes }: Judgement): readonly Cure[] | null {
  if (!situation.unit.facts.occupied) return null;
  return causes.flatMap((cause) => cause.cures(situation, situation.now));
}

function judge(situation: Situation, instant: number): Judgement {
  const position = decidingCheck(situation, instant);
  const { state, reason } = CHECKS[position] as CheckRule;
  if (state === 'tenant_permitted' || state === 'vacant')
    return { state, reason, causes: NO_CAUSES, debtors: 0 };
  const causes = causesOf(situation, instant);
  const isBlanket = causes.some(({ name }) => name === 'blanket_delinquency');
  return { state, reason, causes, debtors: isBlanket ? countPastDue(situation, instant) : 0 };
}

/**
 * The deciding check, and the later checks that would deny if the causes before them were removed. The list ends at the
 * first check that would then permit, or find the unit vacant.
 */
function causesOf(situation: Situation, instant: number): readonly DenyingCheck[] {
  const causes: DenyingCheck[] = [];
  for (const check of CHECKS) {
    if (!check.holds(situation, instant)) continue;
    if (check.state === 'vacant' || check.state === 'tenant_permitted') break;
    causes.push(check);
  }
  return causes;
}

/**
 * The first instant after `now` at which the decision differs. Only instants of the outlook can change a decision, and
 * not each of them does, so they are tried in order.
 */
function validUntil(situation: Situation, judgement: Judgement): number | null {
  let instant = situation.now;
  for (;;) {
    instant = nextChange(situation, instant);
    if (instant === NEVER) return null;
    if (differ(judgement, judge(situation, instant))) return instant;
  }
}

/**
 * Whether two decisions about the same facts differ. Comparing reasons, causes and the number of debtors is enough:
 * without a write, debtors are only added, and a state without a reason comes from a flag, which stays.
 */
function differ(one: Judgement, other: Judgement): boolean {
  return (
    one.reason !== other.reason ||
    one.debtors !== other.debtors ||
    one.causes.length !== other.causes.length ||
    one.causes.some((cause, position) => cause !== other.causes[position])
  );
}
