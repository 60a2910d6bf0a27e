import { overrideInForce } from '#domain/units/core/unit.state.js';
import type { Calendar } from './calendar-date.js';
import { countsAgainstOthersFrom } from './outlook.js';
import { isOpen, shortDecision } from './policy.js';
import type { DecisionInput, SubjectUnit } from './subject.js';

interface TiedUnit extends SubjectUnit {
  /** The first instant at which it locks although the tenant is let in; null: never. In milliseconds. */
  readonly locksAt: number | null;
}

/** How an override of one unit affects the tenant's other units (check `blanket_delinquency`). */
export interface Ties {
  /** The other units that this unit's debt locks, and that open while an operator lets the tenant in here. */
  readonly others: readonly TiedUnit[];
  /** The units whose override keeps this one open. */
  readonly keptOpenBy: readonly SubjectUnit[];
}

const LET_IN = { override: 'exempt', reason: '', expires_at: null } as const;

/** Pure. An operator may let in a unit that owes: then its debt does not count against the tenant's other units. */
export function tiesOf(input: DecisionInput, calendar: Calendar): Ties {
  const { unit, siblings, policy, now } = input;
  const others = siblings.filter(({ unit_id }) => unit_id !== unit.unit_id);
  const wouldCount = (one: SubjectUnit) =>
    countsAgainstOthersFrom({ ...one, override: null }, policy, now, calendar) <= now;
  const decidedWith = (one: SubjectUnit, all: readonly SubjectUnit[]) =>
    shortDecision({ unit: one, siblings: all, policy, now }, calendar);
  const openWith = (one: SubjectUnit, all: readonly SubjectUnit[]) => isOpen(decidedWith(one, all));
  const letIn = [...others, { ...unit, override: LET_IN }];
  const owing = [...others, { ...unit, override: null }];
  const tied = wouldCount(unit) ? others.filter((one) => openWith(one, letIn) && !openWith(one, owing)) : [];
  const spared = others.filter((one) => overrideInForce(one.override, now) === 'exempt' && wouldCount(one));
  const without = others.map((one) => (spared.includes(one) ? { ...one, override: null } : one));
  const isSpared = spared.length > 0 && openWith(unit, siblings) && !openWith(unit, without);
  return {
    others: tied.map((one) => ({ ...one, locksAt: decidedWith(one, letIn).valid_until })),
    keptOpenBy: isSpared ? spared : [],
  };
}
