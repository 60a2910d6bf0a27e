import { FACTS_THAT_GO_ALONG } from './fact-catalogue.js';
import { isTenantShare } from './offers.js';
import { type Share, sharesInForce } from './shares.js';
import { overrideInForce, type UnitState } from './unit.state.js';
import type { UnitCommand, UnitRefusal } from './unit.commands.js';
import type { UnitDraft } from './unit.draft.js';
import { changeFacts, moveTenantOut } from './unit.tenancy.js';

type TakeTenancy = Extract<UnitCommand, { readonly type: 'TakeTenancy' }>;
type HandTenancyOver = Extract<UnitCommand, { readonly type: 'HandTenancyOver' }>;

/**
 * What belongs to the tenancy goes along: the terms, what is owed, the flags that concern the tenant, shares, the override
 * and round-the-clock access.
 */
export function takeTenancy(draft: UnitDraft, unit: UnitState, { from, tenancy_id }: TakeTenancy): void {
  if (from === undefined || from.tenancy === null || hasTaken(unit, from)) return;
  const { tenant_id } = from.tenancy;
  const { ledger_id, pms_tenant_id, move_in_date } = from.facts;
  const terms = { pms_tenant_id: pms_tenant_id!, ledger_id, move_in_date: move_in_date! };
  const replaced_tenant_id = null;
  draft.emit({ type: 'TenantMovedIn', data: { tenancy_id, tenant_id, ...terms, replaced_tenant_id } });
  const origin = { from_unit_id: from.unit_id, from_tenancy_id: from.tenancy.tenancy_id };
  draft.emit({ type: 'TenantTransferredIn', data: { ...origin, from_revision: from.revision } });
  const facts = Object.fromEntries(FACTS_THAT_GO_ALONG.map((name) => [name, from.facts[name]]));
  changeFacts(draft, draft.state!, facts);
  for (const share of sharesInForce(from.shares, draft.now)) takeShare(draft, share);
  if (overrideInForce(from.override, draft.now) !== null)
    draft.emit({ type: 'AccessOverridden', data: from.override! });
  if (from.round_the_clock) draft.emit({ type: 'RoundTheClockGranted', data: {} });
}

function takeShare(draft: UnitDraft, share: Share): void {
  const { tenant_id, until } = share;
  if (!isTenantShare(share)) draft.emit({ type: 'UnitShared', data: { tenant_id, until } });
  else draft.emit({ type: 'UnitShareAccepted', data: { share_id: share.share_id, tenant_id, until } });
}

/** A move-out. The unit stays not for rent if it was: that is no fact of the tenancy. */
export function handTenancyOver(
  draft: UnitDraft,
  unit: UnitState,
  { to_unit_id, taken }: HandTenancyOver,
): void {
  if (unit.tenancy?.tenancy_id !== taken.tenancy_id) return;
  const { pms_unrentable } = unit.facts;
  moveTenantOut(draft, unit);
  const left = draft.emit({ type: 'TenantTransferredOut', data: { to_unit_id } });
  changeFacts(draft, left, { pms_unrentable });
}

/** A repeat of a transfer is not refused, whether the other unit still has the tenancy or not. @param now milliseconds */
export function refuseTransfer(
  unit: UnitState,
  { from, taken_by }: TakeTenancy,
  now: number,
): UnitRefusal | undefined {
  if (from === undefined || hasTaken(unit, from)) return undefined;
  return refuseToGive(from, unit, taken_by) ?? refuseToTake(unit, now);
}

function refuseToGive(from: UnitState, to: UnitState, taken_by: string | undefined): UnitRefusal | undefined {
  if (from.source_type !== 'standalone') return { code: 'other_source', owner: from.source_type };
  if (from.unit_id === to.unit_id) return { code: 'transfer_to_same_unit' };
  if (from.location_id !== to.location_id) return { code: 'transfer_to_other_location' };
  if (from.tenancy === null) return { code: 'unit_vacant' };
  if (taken_by !== undefined) return { code: 'transfer_unfinished', unit_name: taken_by };
  return from.facts.pms_auction ? { code: 'unit_in_auction', unit_name: from.unit_name } : undefined;
}

function refuseToTake(unit: UnitState, now: number): UnitRefusal | undefined {
  if (unit.tenancy !== null) return { code: 'transfer_to_occupied_unit' };
  if (unit.facts.pms_auction) return { code: 'unit_in_auction', unit_name: unit.unit_name };
  if (unit.facts.pms_unrentable) return { code: 'unit_unrentable' };
  // It was set for the unit, and would meet a tenant for whom it was not meant.
  return overrideInForce(unit.override, now) === null ? undefined : { code: 'unit_overridden' };
}

/** Whether the unit has the tenancy of another one, or had taken it over before that unit became vacant. */
export function hasTaken({ tenancy }: UnitState, from: UnitState): boolean {
  const taken = tenancy?.taken_from;
  if (taken === undefined || taken.unit_id !== from.unit_id) return false;
  return from.tenancy === null || taken.tenancy_id === from.tenancy.tenancy_id;
}
