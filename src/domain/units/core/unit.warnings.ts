import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { FactsWarning, UnitWarning, Registration, UnitCommand } from './unit.commands.js';
import type { FactName, UnitFacts, ChangeableFacts } from './fact-catalogue.js';
import { overrideInForce, type UnitState } from './unit.state.js';
import { namesOtherLocation } from './unit.refusals.js';

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
  location_ignored:
    'The unit exists and keeps its location; the given one was ignored. Only in answers to requests of earlier versions.',
  unit_revived: 'An operator had retired the unit as made by mistake. This write has revived it.',
  written_during_transfer:
    'The unit that the tenant left was written while the tenant moved. That write did not go along: compare balance and flags with those of the new unit.',
  keys_still_valid:
    'A key that was given out still opens a lock of the unit, if the lock has no network: after a transfer one of the unit that the tenant left, after a move-in one of the unit that a pass opened.',
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

/** Warnings about side effects of a command: they compare the unit before and after it. */
export function sideEffects(before: UnitState, after: UnitState, command: UnitCommand): UnitWarning[] {
  if (command.type === 'MoveTenantOut') return cleared(before, after, {});
  if (command.type === 'HandTenancyOver') return writtenDuringTransfer(before, command.taken);
  if (!('registration' in command)) return [];
  const named = 'facts' in command ? command.facts : {};
  const warnings = ignoredNames(before, command.registration);
  if (before.retired && !after.retired) warnings.push('unit_revived');
  if (after.revision === before.revision) return warnings;
  return [...warnings, ...carriedOver(before, after, named), ...cleared(before, after, named)];
}

/** What was written after the values went along stays behind. */
function writtenDuringTransfer(
  { tenancy, revision }: UnitState,
  taken: { readonly tenancy_id: string; readonly revision: number },
): UnitWarning[] {
  const isLeft = tenancy?.tenancy_id === taken.tenancy_id;
  return isLeft && revision !== taken.revision ? ['written_during_transfer'] : [];
}

/** An existing unit keeps its location and its name. */
function ignoredNames(unit: UnitState, { location, unit_name }: Registration): UnitWarning[] {
  const warnings: UnitWarning[] = [];
  if (location.kind === 'unknown' || namesOtherLocation(unit, location)) warnings.push('location_ignored');
  if (unit_name !== undefined && unit_name !== unit.unit_name) warnings.push('unit_name_ignored');
  return warnings;
}

/** Facts of the unit that a new tenant takes over, unless the same write names them. */
function carriedOver(before: UnitState, after: UnitState, named: Partial<ChangeableFacts>): UnitWarning[] {
  const isSameTenant = after.tenancy?.tenant_id === before.tenancy?.tenant_id;
  if (after.tenancy === null || isSameTenant) return [];
  const warnings: UnitWarning[] = before.tenancy === null ? [] : ['tenant_replaced'];
  // A credit is not a burden.
  const isCarried = (fact: 'balance_due' | 'pms_lock_exempt' | 'pms_lockout') =>
    Number(before.facts[fact]) > 0 && named[fact] === undefined;
  if (isCarried('balance_due')) warnings.push('balance_carried_over');
  if (isCarried('pms_lock_exempt')) warnings.push('exemption_carried_over');
  if (isCarried('pms_lockout')) warnings.push('lockout_carried_over');
  return warnings;
}

/** Flags that the reset of a unit cleared, unless the same write names them. */
function cleared(before: UnitState, after: UnitState, named: Partial<ChangeableFacts>): UnitWarning[] {
  const isCleared = (flag: 'pms_unrentable' | 'pms_auction' | 'pms_lockout') =>
    before.facts[flag] && !after.facts[flag] && named[flag] === undefined;
  const warnings: UnitWarning[] = [];
  if (isCleared('pms_unrentable')) warnings.push('unrentable_cleared');
  // A move-out is expected to clear the other flags, the reset of a vacant unit is not.
  if (before.tenancy !== null) return warnings;
  if (isCleared('pms_auction')) warnings.push('auction_cleared');
  if (isCleared('pms_lockout')) warnings.push('lockout_cleared');
  return warnings;
}
