import type { Arrival } from '../unit.commands.js';
import type { UnitDraft } from '../unit.draft.js';
import type { EndCause } from '../unit.events.js';
import type { UnitState } from '../unit.state.js';

/** @param settlesBalance the same write says what is owed, so nothing is carried over unseen. */
export function moveTenantIn(
  draft: UnitDraft,
  unit: UnitState,
  arrival: Arrival,
  settlesBalance: boolean,
): UnitState {
  const { tenant_id, pms_tenant_id, move_in_date } = arrival;
  const ledger_id = arrival.ledger_id === undefined ? unit.facts.ledger_id : arrival.ledger_id;
  const terms = { pms_tenant_id, ledger_id, move_in_date };
  if (unit.tenancy?.tenant_id === tenant_id) return changeTerms(draft, unit, unit.tenancy, terms);
  if (!settlesBalance && unit.facts.balance_due > 0) draft.warnings.push('balance_carried_over');
  const replaced_tenant_id = unit.tenancy === null ? null : unit.tenancy.tenant_id;
  if (replaced_tenant_id !== null) endWhatTheTenancyBrought(draft, unit, 'tenant_replaced');
  const { tenancy_id } = arrival;
  return draft.emit({ type: 'TenantMovedIn', data: { tenancy_id, tenant_id, ...terms, replaced_tenant_id } });
}

type Terms = Pick<UnitState['facts'], 'ledger_id'> & Pick<Arrival, 'pms_tenant_id' | 'move_in_date'>;

/** The tenant who is there stays, on other terms or on the same. */
function changeTerms(
  draft: UnitDraft,
  unit: UnitState,
  tenancy: NonNullable<UnitState['tenancy']>,
  terms: Terms,
): UnitState {
  const { ledger_id, move_in_date } = unit.facts;
  if (ledger_id === terms.ledger_id && move_in_date === terms.move_in_date) return unit;
  return draft.emit({ type: 'TenantMovedIn', data: { ...tenancy, ...terms, replaced_tenant_id: null } });
}

/** @param staysUnrentable the same write says that the unit is not for rent, so that nothing is cleared unseen. */
export function moveTenantOut(draft: UnitDraft, unit: UnitState, staysUnrentable: boolean): UnitState {
  if (!unit.facts.occupied) return unit;
  if (unit.facts.pms_unrentable && !staysUnrentable) draft.warnings.push('unrentable_cleared');
  endWhatTheTenancyBrought(draft, unit, 'move_out');
  const { tenancy_id, tenant_id } = unit.tenancy ?? { tenancy_id: null, tenant_id: null };
  return draft.emit({ type: 'TenantMovedOut', data: { tenancy_id, tenant_id } });
}

function endWhatTheTenancyBrought(draft: UnitDraft, unit: UnitState, cause: EndCause): void {
  for (const tenant_id of unit.shares) draft.emit({ type: 'UnitShareEnded', data: { tenant_id, cause } });
  if (unit.override !== null) draft.emit({ type: 'AccessOverrideCleared', data: { cause } });
}
