import type { Calendar, Cure, Decision } from './decision.js';
import { evaluate } from './policy.js';
import type { DecisionInput, SubjectUnit } from './subject.js';

/** A decision that the calendar brings. */
export interface ChangeAhead extends Decision {
  /** Its first instant, in milliseconds. */
  readonly from: number;
}

/**
 * The next decision if everything in `resolution` is done now and nothing else is written; null if none follows. Pure.
 * A locked unit opens by its cures, and may lock again by a debt whose grace has not ended yet.
 */
export function changeAhead(input: DecisionInput, calendar: Calendar): ChangeAhead | null {
  const units = new Map([...input.siblings, input.unit].map((one) => [one.unit_id, one]));
  for (const cure of evaluate(input, calendar).resolution ?? [])
    units.set(cure.unit_id!, cured(units.get(cure.unit_id!)!, cure));
  const after = { ...input, unit: units.get(input.unit.unit_id)!, siblings: [...units.values()] };
  const { valid_until: from } = evaluate(after, calendar);
  return from === null ? null : { ...evaluate({ ...after, now: from }, calendar), from };
}

function cured(unit: SubjectUnit, { field, to }: Cure): SubjectUnit {
  if (field === 'override') return { ...unit, override: null };
  return { ...unit, facts: { ...unit.facts, [field]: to } };
}
