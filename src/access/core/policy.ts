import { CHECKS, decidingCheck } from './checks.js';
import type { CheckRule } from './checks.js';
import type { AccessReason, Calendar, Check, Decision, ExplainedDecision, FactChange } from './decision.js';
import type { Outlook, Situation } from './outlook.js';
import { NEVER, situationOf } from './outlook.js';
import { resolutionOf, sameFields } from './resolution.js';
import type { DecisionInput } from './subject.js';

/** What a decision says at one instant; everything but until when it says so. */
type Judgement = Omit<Decision, 'valid_until'>;

const NO_REASONS: readonly AccessReason[] = [];
const NO_CHANGES: readonly FactChange[] = [];

/** Decides access to a unit at `input.now` (specification §3). Pure, and made for bulks: about a microsecond a unit. */
export function evaluate(input: DecisionInput, calendar: Calendar): Decision {
  return decide(situationOf(input, calendar));
}

/** Decides as `evaluate` does, and tells how: every check in order with what it looked at. */
export function explain(input: DecisionInput, calendar: Calendar): ExplainedDecision {
  const situation = situationOf(input, calendar);
  return { ...decide(situation), checks: CHECKS.map((check) => explainCheck(check, situation)) };
}

function explainCheck(check: CheckRule, situation: Situation): Check {
  return {
    number: check.number,
    name: check.name,
    state: check.state,
    reason: check.reason,
    matched: check.holds(situation, situation.now),
    looked_at: check.looksAt(situation),
  };
}

function decide(situation: Situation): Decision {
  const { state, reason, also, resolution } = judge(situation, situation.now);
  const valid_until = validUntil(situation, { state, reason, also, resolution });
  return { state, reason, also, resolution, valid_until };
}

function judge(situation: Situation, instant: number): Judgement {
  const position = decidingCheck(situation, instant);
  const { state, reason } = CHECKS[position] as CheckRule;
  if (state === 'tenant_permitted') return { state, reason, also: NO_REASONS, resolution: NO_CHANGES };
  if (state === 'vacant') return { state, reason, also: NO_REASONS, resolution: null };
  const also = furtherDenials(situation, instant, position + 1);
  return { state, reason, also, resolution: resolutionOf(situation, instant) };
}

/** What would deny if the causes before it went, as far as the first check that would then permit or find nobody there. */
function furtherDenials(situation: Situation, instant: number, from: number): readonly AccessReason[] {
  let reasons: AccessReason[] | undefined;
  for (let position = from; position < CHECKS.length; position++) {
    const check = CHECKS[position] as CheckRule;
    if (check.name === 'active') break;
    if (!check.holds(situation, instant)) continue;
    if (check.state === 'vacant' || check.state === 'tenant_permitted') break;
    if (check.reason !== null) (reasons ??= []).push(check.reason);
  }
  return reasons ?? NO_REASONS;
}

/**
 * The first instant after `now` at which the decision says something else. Only the outlook's instants can bring that;
 * not each of them does, so they are tried in order. The target date of a move-in moves with every midnight without
 * the decision being any different for it (`sameFields`), hence a future move-in holds until its day begins.
 */
function validUntil(situation: Situation, standing: Judgement): number | null {
  let turn = situation.now;
  for (;;) {
    turn = nextTurn(situation.outlook, turn);
    if (turn === NEVER) return null;
    if (differ(standing, judge(situation, turn))) return turn;
  }
}

function nextTurn(outlook: Outlook, after: number): number {
  let next = NEVER;
  for (const instant of [
    outlook.overrideEnds,
    outlook.leaseBegins,
    outlook.pastDueFrom,
    outlook.blanketFrom,
  ]) {
    if (instant > after && instant < next) next = instant;
  }
  return next;
}

function differ(one: Judgement, other: Judgement): boolean {
  return (
    one.state !== other.state ||
    one.reason !== other.reason ||
    one.also.length !== other.also.length ||
    one.also.some((reason, position) => reason !== other.also[position]) ||
    !sameFields(one.resolution, other.resolution)
  );
}
