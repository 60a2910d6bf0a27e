import type { LocationPolicy } from '../../locations/index.js';
import type { FactsWarning, UnitWarning } from './unit.commands.js';
import { type FactName, type UnitFacts } from './fact-catalogue.js';
import { overrideInForce, type UnitState } from './unit.state.js';

/** Each message says what happened, and what to send for another outcome. */
export const WARNING_MESSAGES: Readonly<Record<UnitWarning, string>> = {
  tenant_replaced:
    'Another tenant rented the unit; that tenancy has ended. If that is wrong, move the former tenant in again.',
  balance_carried_over:
    'Another tenant moved in on a unit that owes a balance. The balance stays: send balance_due if it is not the new tenant’s.',
  exemption_carried_over:
    'Another tenant moved in on a unit that is exempt from lockout. The exemption stays: send pms_lock_exempt false if it is not the new tenant’s.',
  lockout_carried_over:
    'Another tenant moved in on a unit that is locked out. The lockout stays: send pms_lockout false if it is not the new tenant’s.',
  unrentable_cleared:
    'The reset put pms_unrentable to false. Send it again if the unit is still not for rent.',
  auction_cleared: 'The reset took a vacant unit out of auction. Send pms_auction again if it still holds.',
  lockout_cleared: 'The reset of a vacant unit cleared pms_lockout. Send it again if it still holds.',
  personal_data_suppressed:
    'The tenant’s personal details were erased and stay so; the given ones were not recorded. The operator can record them again.',
  location_ignored: 'The unit exists and keeps its location; the given one was ignored.',
  unit_revived: 'An operator had retired the unit as made by mistake. This write has revived it.',
  unit_name_ignored:
    'The unit exists and keeps its name; the given one was ignored. The operator can rename it.',
  lockout_suppressed_by_exemption:
    'The lockout has no effect while the unit is exempt. Set pms_lock_exempt to false, or have the operator end the exemption, for it to count.',
  balance_without_date:
    'The balance is never past due without a paid_through_date. Send paid_through_date for the grace period to count from it.',
  vacant_unit_owes:
    'Nobody rents the unit that owes this balance. Move the tenant in, or send balance_due 0.',
  auction_while_exempt:
    'The unit is in auction, which denies access in spite of its exemption. Set pms_auction to false to permit access.',
};

/**
 * Warnings about facts that have no effect, or an unexpected one, after a write. Given only if the write named one of the
 * facts, so that later writes do not repeat them.
 * @param touched the facts that the write named, changed or not
 */
export function factsWarnings(
  { facts, override }: Pick<UnitState, 'facts' | 'override'>,
  policy: LocationPolicy,
  now: number,
  touched: ReadonlySet<FactName>,
): FactsWarning[] {
  const exempt = facts.pms_lock_exempt || overrideInForce(override, now) === 'exempt';
  const warnings: readonly [FactsWarning, boolean, readonly FactName[]][] = [
    ['lockout_suppressed_by_exemption', facts.pms_lockout && exempt, ['pms_lockout', 'pms_lock_exempt']],
    ['balance_without_date', balanceWithoutDate(facts, policy), ['balance_due', 'paid_through_date']],
    ['vacant_unit_owes', facts.balance_due > 0 && !facts.occupied, ['balance_due']],
    ['auction_while_exempt', facts.pms_auction && exempt, ['pms_auction', 'pms_lock_exempt']],
  ];
  return warnings
    .filter(([, applies, names]) => applies && names.some((name) => touched.has(name)))
    .map(([code]) => code);
}

function balanceWithoutDate(facts: UnitFacts, policy: LocationPolicy): boolean {
  if (policy.delinquency_mode !== 'automatic' || !facts.occupied) return false;
  return facts.balance_due > policy.balance_threshold && facts.paid_through_date === null;
}
