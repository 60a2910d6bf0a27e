import type { AccessBeginning, AccessCause, AccessEvent, Debtor } from '#domain/access/core/access.events.js';
import type { Calendar } from '#domain/access/core/decision.js';
import {
  type Access,
  accessOf,
  evaluate,
  isSameAccess,
  type ShortDecision,
  shortDecision,
} from '#domain/access/core/policy.js';
import type { DecisionInput } from '#domain/access/core/subject.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { evolve, type UnitState } from '#domain/units/core/unit.state.js';
import { type AnnouncedState, isAnnounced } from './announced.state.js';

/** Why a unit is looked at. `any`: for several reasons, or for one that does not name the cause of a change. */
export type Trigger =
  /** An event of the unit itself, the only one of its append. */
  | { readonly kind: 'own'; readonly revision: number }
  /** The append that has created the unit: all its events. */
  | { readonly kind: 'new'; readonly events: readonly UnitEvent[] }
  /** Nothing but a change of policy. `at`: when it occurred, in milliseconds. */
  | { readonly kind: 'policy'; readonly location_id: string; readonly revision: number; readonly at: number }
  | { readonly kind: 'any' };

/** A unit with all that says whether something is to be announced. Instants are milliseconds. */
export interface LookedUnit {
  readonly company_id: string;
  /** `now` is an instant of the company's clock. */
  readonly input: DecisionInput;
  /** The unit's last event. */
  readonly unit_revision: number;
  readonly last_at: number;
  readonly policy_revision: number;
  readonly announced: AnnouncedState | undefined;
  /** When the calendar changes the decision, as the last look has found. Null: never. */
  readonly look_at: number | null;
  readonly trigger: Trigger;
}

export function decideLooked({ input }: LookedUnit, calendar: Calendar): ShortDecision {
  return shortDecision(input, calendar);
}

/**
 * What to announce. `baseline`: the access is only recorded. `first`: nothing was announced about the unit yet, so it depends on
 * whether it is a new one.
 */
export function differenceOf(
  { announced }: LookedUnit,
  decision: Access,
): 'none' | 'baseline' | 'first' | 'change' {
  if (announced === undefined) return decision.state === 'vacant' ? 'baseline' : 'first';
  return isAnnounced(announced, decision) ? 'none' : 'change';
}

export function baselineOf({ company_id, input }: LookedUnit, decision: ShortDecision): AccessEvent {
  const { valid_until } = decision;
  const { unit_id } = input.unit;
  return { type: 'AccessBaseline', data: { company_id, unit_id, to: accessOf(decision), valid_until } };
}

export function changeOf(
  { company_id, input, announced }: LookedUnit,
  decision: ShortDecision,
  { cause, effective_at }: AccessBeginning,
): AccessEvent {
  const { unit_id } = input.unit;
  const from = announced === undefined ? null : accessOf(announced);
  const { valid_until } = decision;
  const data = { company_id, unit_id, from, to: accessOf(decision), cause, effective_at, valid_until };
  return { type: 'AccessChanged', data };
}

/**
 * The beginning of the present access, where one cause alone explains it: then the unit's history need not be read. Undefined
 * where several may.
 */
export function obviousBeginning(
  looked: LookedUnit,
  decision: Access,
  calendar: Calendar,
): AccessBeginning | undefined {
  const { announced, input, look_at, trigger } = looked;
  if (trigger.kind === 'new') return beginningOfNew(looked, trigger.events, decision, calendar);
  if (announced === undefined) return undefined;
  if (look_at !== null && look_at <= input.now)
    return trigger.kind === 'any' ? beginningAtBoundary(looked, announced, decision, calendar) : undefined;
  switch (trigger.kind) {
    case 'own':
      return isOfOthers(announced) ? undefined : beginningByOwnEvent(looked, trigger, decision, calendar);
    case 'policy':
      return beginningByPolicy(looked, trigger, decision, calendar);
    case 'any':
      return undefined;
  }
}

function beginningByOwnEvent(
  { input, unit_revision, last_at }: LookedUnit,
  { revision }: Extract<Trigger, { kind: 'own' }>,
  decision: Access,
  calendar: Calendar,
): AccessBeginning | undefined {
  if (revision !== unit_revision || isOfOthers(decision)) return undefined;
  if (!isDecidedAt(input, last_at, decision, calendar)) return undefined;
  return { cause: { kind: 'write', revision }, effective_at: last_at };
}

function beginningByPolicy(
  { input, policy_revision, last_at }: LookedUnit,
  { location_id, revision, at }: Extract<Trigger, { kind: 'policy' }>,
  decision: Access,
  calendar: Calendar,
): AccessBeginning | undefined {
  if (revision !== policy_revision || last_at >= at) return undefined;
  if (!isDecidedAt(input, at, decision, calendar)) return undefined;
  const debtor = debtorAt(input, at, decision, calendar);
  return { cause: { kind: 'policy', location_id, revision, ...debtor }, effective_at: at };
}

/** The calendar alone, at the instant that the last look has found. */
function beginningAtBoundary(
  { input, last_at, look_at }: LookedUnit,
  announced: Access,
  decision: Access,
  calendar: Calendar,
): AccessBeginning | undefined {
  const at = look_at!;
  if (last_at >= at || !isDecidedAt(input, at - 1, announced, calendar)) return undefined;
  if (!isDecidedAt(input, at, decision, calendar)) return undefined;
  return { cause: { kind: 'calendar', ...debtorAt(input, at, decision, calendar) }, effective_at: at };
}

function isDecidedAt(input: DecisionInput, now: number, access: Access, calendar: Calendar): boolean {
  return isSameAccess(shortDecision({ ...input, now }, calendar), access);
}

/** The event that has given a new unit its present access. */
function beginningOfNew(
  { input, last_at, unit_revision }: LookedUnit,
  events: readonly UnitEvent[],
  decision: Access,
  calendar: Calendar,
): AccessBeginning | undefined {
  if (unit_revision !== events.length - 1 || isOfOthers(decision)) return undefined;
  let unit: UnitState | undefined;
  let before: Access | undefined;
  let cause: AccessCause | undefined;
  for (const [revision, event] of events.entries()) {
    unit = evolve(unit, event, revision);
    const access = shortDecision({ ...input, unit, now: last_at }, calendar);
    if (before === undefined || !isSameAccess(access, before)) cause = { kind: 'write', revision };
    before = access;
  }
  return cause !== undefined && isSameAccess(before!, decision)
    ? { cause, effective_at: last_at }
    : undefined;
}

/** Whether other units of the tenant have to do with it. */
function isOfOthers({ reason }: Access): boolean {
  return reason === 'blanket_delinquency';
}

/** The first unit that owes, as the unit's history names it. */
function debtorAt(input: DecisionInput, now: number, { reason }: Access, calendar: Calendar): Debtor {
  if (reason !== 'blanket_delinquency') return {};
  const { unit_id, crm_unit_id } = evaluate({ ...input, now }, calendar).resolution?.[0] ?? {};
  return unit_id == null ? {} : { unit_id, crm_unit_id: crm_unit_id! };
}
