import { CHECKS, decidingCheck } from './checks.js';
import type { CheckRule, DenyingCheck } from './checks.js';
import type { Calendar, Check, Cure, Decision, ExplainedDecision, FurtherCause } from './decision.js';
import type { Situation } from './outlook.js';
import { countPastDue, NEVER, nextTurn, situationOf } from './outlook.js';
import type { DecisionInput } from './subject.js';

/** A decision at one instant, in a cheap form: it has a cure for each of the tenant's units that owe. */
interface Judgement extends Pick<Decision, 'state' | 'reason'> {
  /** The checks that deny, the deciding one first; none where access is permitted or the unit vacant. */
  readonly causes: readonly DenyingCheck[];
  /** How many units owe, where that is a cause. */
  readonly debtors: number;
}

/** The part of a decision that is kept, and that a tenant is told. */
export type Standing = Pick<Decision, 'state' | 'reason' | 'valid_until'>;

// Stryker disable next-line ArrayDeclaration: of what stands by this list, only whether it is the same is ever looked at
const NO_CAUSES: readonly DenyingCheck[] = [];

/** Decides access to a unit at `input.now` (specification §3). Pure, and made for bulks: about a microsecond a unit. */
export function evaluate(input: DecisionInput, calendar: Calendar): Decision {
  return decide(situationOf(input, calendar));
}

/** As `evaluate`, without the cures: of thousands of units that owe each has thousands. */
export function standingOf(input: DecisionInput, calendar: Calendar): Standing {
  const situation = situationOf(input, calendar);
  const standing = judge(situation, situation.now);
  const { state, reason } = standing;
  return { state, reason, valid_until: validUntil(situation, standing) };
}

/** Decides as `evaluate` does, and tells how: every check in order with what it looked at. */
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
  const standing = judge(situation, situation.now);
  const { state, reason, causes } = standing;
  return {
    state,
    reason,
    also: causes.slice(1).map(nameOf),
    resolution: resolutionOf(situation, standing),
    valid_until: validUntil(situation, standing),
  };
}

/** The name of a cause beside the first. */
function nameOf(cause: DenyingCheck): FurtherCause {
  return cause.reason ?? (cause.state as 'unrentable');
}

function resolutionOf(situation: Situation, { causes }: Judgement): readonly Cure[] | null {
  if (!situation.unit.facts.occupied) return null;
  return causes.flatMap((cause) => cause.cures(situation, situation.now));
}

function judge(situation: Situation, instant: number): Judgement {
  const position = decidingCheck(situation, instant);
  const { state, reason } = CHECKS[position] as CheckRule;
  // Stryker disable next-line all: a shortcut for most units, no causes would be found below either
  if (state === 'tenant_permitted' || state === 'vacant')
    return { state, reason, causes: NO_CAUSES, debtors: 0 };
  const causes = causesOf(situation, instant);
  const isBlanket = causes.some(({ name }) => name === 'blanket_delinquency');
  return { state, reason, causes, debtors: isBlanket ? countPastDue(situation, instant) : 0 };
}

/** The check that decides and what would deny if the causes before it went, as far as the first that would then permit or find nobody there. */
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
 * The first instant after `now` at which the decision says something else. Only the turns of the outlook can bring that;
 * not each of them does, so they are tried in order. The target date of a move-in moves with every midnight without
 * the decision being any different for it, hence a future move-in holds until its day begins.
 */
function validUntil(situation: Situation, standing: Judgement): number | null {
  let turn = situation.now;
  for (;;) {
    turn = nextTurn(situation, turn);
    if (turn === NEVER) return null;
    if (differ(standing, judge(situation, turn))) return turn;
  }
}

/**
 * What is to be changed follows from the causes: amounts and flags from the field while nothing is written, and debtors only
 * become more. The unit itself counts among them no sooner than its own debt is a cause. The state turns with its reason, as what
 * has none are the PMS's own flags.
 */
function differ(one: Judgement, other: Judgement): boolean {
  return (
    one.reason !== other.reason ||
    one.debtors !== other.debtors ||
    one.causes.length !== other.causes.length ||
    one.causes.some((cause, position) => cause !== other.causes[position])
  );
}
