import type { CheckName, Cure } from './decision.js';
import { siblingsPastDue, type Situation } from './outlook.js';
import type { SubjectUnit } from './subject.js';

type Cures = (situation: Situation, instant: number) => readonly Cure[];

/** What removes the cause that each check finds; a check that permits, or finds nobody there, has none. */
const CURES: Readonly<Partial<Record<CheckName, Cures>>> = {
  auction: ({ unit }) => [change(unit, 'pms_auction', false)],
  unrentable: ({ unit }) => [change(unit, 'pms_unrentable', false)],
  system_lockout: ({ unit: { unit_id, crm_unit_id } }) => [
    { unit_id, crm_unit_id, field: 'override', to: null, by: 'operator' },
  ],
  future_move_in: ({ unit, today }) => [change(unit, 'move_in_date', today)],
  pms_lockout: ({ unit }) => [change(unit, 'pms_lockout', false)],
  delinquent: ({ unit }) => [change(unit, 'balance_due', 0)],
  blanket_delinquency: (situation, instant) =>
    siblingsPastDue(situation, instant).map((debtor) => change(debtor, 'balance_due', 0)),
};

/** What removes all causes at an instant at which these checks deny. */
export function curesOf(
  causes: readonly CheckName[],
  situation: Situation,
  instant: number,
): readonly Cure[] {
  return causes.flatMap((cause) => CURES[cause]!(situation, instant));
}

function change(
  { unit_id, crm_unit_id, source_type }: SubjectUnit,
  field: Cure['field'],
  to: Cure['to'],
): Cure {
  return { unit_id, crm_unit_id, field, to, by: source_type === 'standalone' ? 'operator' : 'pms' };
}
