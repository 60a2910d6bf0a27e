import { CHECKS, decidingCheck } from './checks.js';
import type { CheckRule } from './checks.js';
import type { Calendar, Check, Cure, Decision, ExplainedDecision, FurtherCause } from './decision.js';
import type { Situation } from './outlook.js';
import { NEVER, nextTurn, situationOf } from './outlook.js';
import { curesOf, sameFields } from './resolution.js';
import type { DecisionInput } from './subject.js';

/** What a decision says at one instant; everything but until when it says so. */
type Judgement = Omit<Decision, 'valid_until'>;

const NO_CAUSES: readonly FurtherCause[] = [];
const NO_CHANGES: readonly Cure[] = [];

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
  if (state === 'tenant_permitted') return { state, reason, also: NO_CAUSES, resolution: NO_CHANGES };
  if (state === 'vacant') return { state, reason, also: NO_CAUSES, resolution: null };
  const causes = causesFrom(position, situation, instant);
  const names = causes.map(({ name }) => name);
  return {
    state,
    reason,
    also: causes.slice(1).map((cause) => cause.reason ?? (cause.state as 'unrentable')),
    resolution: situation.unit.facts.occupied ? curesOf(names, situation, instant) : null,
  };
}

/** The check that decides and what would deny if the causes before it went, as far as the first that would then permit or find nobody there. */
function causesFrom(position: number, situation: Situation, instant: number): readonly CheckRule[] {
  const causes: CheckRule[] = [];
  for (const check of CHECKS.slice(position)) {
    if (check.name === 'active') break;
    if (!check.holds(situation, instant)) continue;
    if (check.state === 'vacant' || check.state === 'tenant_permitted') break;
    causes.push(check);
  }
  return causes;
}

/**
 * The first instant after `now` at which the decision says something else. Only the turns of the outlook can bring that;
 * not each of them does, so they are tried in order. The target date of a move-in moves with every midnight without
 * the decision being any different for it (`sameFields`), hence a future move-in holds until its day begins.
 */
function validUntil(situation: Situation, standing: Judgement): number | null {
  let turn = situation.now;
  for (;;) {
    turn = nextTurn(situation, turn);
    if (turn === NEVER) return null;
    if (differ(standing, judge(situation, turn))) return turn;
  }
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
