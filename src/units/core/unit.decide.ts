import type {
  Arrival,
  Registration,
  SyncUnit,
  UnitCommand,
  UnitRefusal,
  UnitResult,
  UnitWarning,
} from './unit.commands.js';
import { UnitDraft } from './unit.draft.js';
import type { ChangeableFacts, EndCause, UnitEvent } from './unit.events.js';
import type { AccessOverride, SourceType } from './unit.facts.js';
import type { UnitState } from './unit.state.js';

export type UnitDecision =
  { readonly events: readonly UnitEvent[]; readonly result: UnitResult } | { readonly rejected: UnitRefusal };

/**
 * Decides a command on a unit (undefined: it does not exist). A command that changes nothing is accepted without
 * events, so repeating one is harmless.
 * @param now milliseconds; matters only to an override that ends.
 */
export function decide(state: UnitState | undefined, command: UnitCommand, now: number): UnitDecision {
  const refusal = refuse(state, command, now);
  if (refusal !== undefined) return { rejected: refusal };
  const draft = new UnitDraft(state);
  apply(draft, command);
  return { events: draft.events, result: { created: state === undefined, warnings: draft.warnings } };
}

function refuse(state: UnitState | undefined, command: UnitCommand, now: number): UnitRefusal | undefined {
  if (state === undefined) return refuseAbsent(command);
  if ('source' in command && command.source !== state.source_type) {
    return command.type === 'RegisterUnit'
      ? { code: 'unit_exists' }
      : { code: 'other_source', owner: state.source_type };
  }
  return refuseExisting(state, command, now);
}

function refuseAbsent(command: UnitCommand): UnitRefusal | undefined {
  if (!('registration' in command)) return { code: 'unit_not_found' };
  const { location_id } = command.registration;
  if (location_id === undefined) return { code: 'location_required' };
  return location_id === 'unknown' ? { code: 'location_unknown' } : undefined;
}

function refuseExisting(state: UnitState, command: UnitCommand, now: number): UnitRefusal | undefined {
  switch (command.type) {
    case 'RegisterUnit':
      return { code: 'unit_exists' };
    case 'OverrideAccess': {
      const { expires_at } = command.override;
      return expires_at !== null && expires_at <= now ? { code: 'override_already_over' } : undefined;
    }
    case 'ShareUnit':
      if (state.tenancy === null) return { code: 'unit_not_occupied' };
      return state.tenancy.tenant_id === command.tenant_id ? { code: 'tenant_is_primary' } : undefined;
    case 'MoveTenantIn':
    case 'MoveTenantOut':
    case 'ChangeUnitFacts':
    case 'SyncUnit':
    case 'RenameUnit':
    case 'ClearAccessOverride':
    case 'EndUnitShare':
      return undefined;
  }
}

/** The command is not refused, so a unit that does not exist is one that the command registers. */
function apply(draft: UnitDraft, command: UnitCommand): void {
  if ('registration' in command) {
    const unit = register(draft, command.registration, command.source);
    if (command.type === 'MoveTenantIn') moveTenantIn(draft, unit, command.arrival, false);
    if (command.type === 'SyncUnit') syncUnit(draft, unit, command);
    return;
  }
  const unit = draft.state as UnitState;
  switch (command.type) {
    case 'MoveTenantOut':
      moveTenantOut(draft, unit);
      return;
    case 'ChangeUnitFacts':
      changeFacts(draft, unit, command.facts);
      return;
    case 'RenameUnit':
      if (unit.unit_name !== command.unit_name) {
        draft.emit({ type: 'UnitRenamed', data: { unit_name: command.unit_name } });
      }
      return;
    case 'OverrideAccess':
      if (!sameOverride(unit.override, command.override)) {
        draft.emit({ type: 'AccessOverridden', data: command.override });
      }
      return;
    case 'ClearAccessOverride':
      clearOverride(draft, unit, 'requested');
      return;
    case 'ShareUnit':
      if (!unit.shares.includes(command.tenant_id)) {
        draft.emit({ type: 'UnitShared', data: { tenant_id: command.tenant_id } });
      }
      return;
    case 'EndUnitShare':
      if (unit.shares.includes(command.tenant_id)) endShares(draft, [command.tenant_id], 'requested');
      return;
  }
}

/** Creates the unit, or warns of what an existing one keeps (specification §2.1: used when a unit is created). */
function register(draft: UnitDraft, registration: Registration, source_type: SourceType): UnitState {
  const { company_id, crm_unit_id, unit_id, unit_name, location_id, location_given } = registration;
  const existing = draft.state;
  if (existing === undefined) {
    const name = unit_name ?? crm_unit_id;
    const data = {
      company_id,
      location_id: location_id!,
      unit_id,
      crm_unit_id,
      unit_name: name,
      source_type,
    };
    return draft.emit({ type: 'UnitRegistered', data });
  }
  if (location_given && location_id !== existing.location_id) draft.warnings.push('location_ignored');
  if (unit_name !== undefined && unit_name !== existing.unit_name) draft.warnings.push('unit_name_ignored');
  return existing;
}

/** @param settlesBalance the same write says what is owed, so nothing is carried over unseen. */
function moveTenantIn(
  draft: UnitDraft,
  unit: UnitState,
  arrival: Arrival,
  settlesBalance: boolean,
): UnitState {
  const { tenant_id, pms_tenant_id, move_in_date } = arrival;
  const ledger_id = arrival.ledger_id === undefined ? unit.facts.ledger_id : arrival.ledger_id;
  const staying = unit.tenancy?.tenant_id === tenant_id ? unit.tenancy : undefined;
  if (staying && unit.facts.ledger_id === ledger_id && unit.facts.move_in_date === move_in_date) return unit;
  const replaced = staying === undefined ? (unit.tenancy?.tenant_id ?? null) : null;
  if (replaced !== null) {
    endShares(draft, unit.shares, 'tenant_replaced');
    clearOverride(draft, unit, 'tenant_replaced');
  }
  if (!staying && !settlesBalance && unit.facts.balance_due > 0) draft.warnings.push('balance_carried_over');
  const tenancy_id = staying?.tenancy_id ?? arrival.tenancy_id;
  return draft.emit({
    type: 'TenantMovedIn',
    data: { tenancy_id, tenant_id, pms_tenant_id, ledger_id, move_in_date, replaced_tenant_id: replaced },
  });
}

function moveTenantOut(draft: UnitDraft, unit: UnitState, staysUnrentable = false): UnitState {
  if (!unit.facts.occupied) return unit;
  if (unit.facts.pms_unrentable && !staysUnrentable)
    draft.warnings.push('unrentable_cleared' satisfies UnitWarning);
  endShares(draft, unit.shares, 'move_out');
  clearOverride(draft, unit, 'move_out');
  const { tenancy_id, tenant_id } = unit.tenancy ?? { tenancy_id: null, tenant_id: null };
  return draft.emit({ type: 'TenantMovedOut', data: { tenancy_id, tenant_id } });
}

function syncUnit(draft: UnitDraft, unit: UnitState, { arrival, facts }: SyncUnit): void {
  const placed =
    arrival === null
      ? moveTenantOut(draft, unit, facts.pms_unrentable)
      : moveTenantIn(draft, unit, arrival, facts.balance_due !== undefined);
  changeFacts(draft, placed, facts);
}

function changeFacts(draft: UnitDraft, unit: UnitState, facts: Partial<ChangeableFacts>): void {
  const changed = Object.entries(facts).filter(
    ([name, value]) => value !== undefined && unit.facts[name as keyof ChangeableFacts] !== value,
  );
  if (changed.length > 0) {
    draft.emit({ type: 'UnitFactsChanged', data: Object.fromEntries(changed) as Partial<ChangeableFacts> });
  }
}

function clearOverride(draft: UnitDraft, unit: UnitState, cause: EndCause): void {
  if (unit.override !== null) draft.emit({ type: 'AccessOverrideCleared', data: { cause } });
}

function endShares(draft: UnitDraft, tenants: readonly string[], cause: EndCause): void {
  for (const tenant_id of tenants) draft.emit({ type: 'UnitShareEnded', data: { tenant_id, cause } });
}

function sameOverride(one: AccessOverride | null, other: AccessOverride): boolean {
  return (
    one !== null &&
    one.override === other.override &&
    one.reason === other.reason &&
    one.expires_at === other.expires_at
  );
}
