import type { AccessOverride } from './override-catalogue.js';
import type { NewUnitLocation, Registration, UnitCommand, UnitRefusal } from './unit.commands.js';
import { LONGEST_SHARE_MS, type Share } from './shares.js';
import type { UnitState } from './unit.state.js';
import { refuseTenantShare } from './unit.sharing.js';
import { refuseTransfer } from './unit.transfer.js';

/** Each write of a unit decides all units of its tenant, so one tenant's units bound what a write costs. */
export const MOST_UNITS_OF_TENANT = 2_000;

/** An inferred location says nothing about an existing unit. */
export function namesOtherLocation(unit: UnitState, location: NewUnitLocation): boolean {
  return location.kind === 'known' && location.given && location.location_id !== unit.location_id;
}

/** Commands that a retired unit refuses. A write that would create the unit revives it. */
const REFUSED_IF_RETIRED: ReadonlySet<UnitCommand['type']> = new Set([
  'MoveTenantOut',
  'TakeTenancy',
  'ChangeFacts',
  'OverrideAccess',
]);

export function refuseAbsent(command: UnitCommand): UnitRefusal | undefined {
  return 'registration' in command ? refuseRegistration(command.registration) : { code: 'unit_not_found' };
}

export function refuseExisting(state: UnitState, command: UnitCommand, now: number): UnitRefusal | undefined {
  if (command.type === 'RegisterUnit') return { code: 'unit_exists' };
  if ('source' in command && command.source !== state.source_type) {
    return { code: 'other_source', owner: state.source_type };
  }
  const elsewhere = 'registration' in command ? refuseOtherLocation(state, command.registration) : undefined;
  if (elsewhere !== undefined) return elsewhere;
  if (command.type === 'SyncUnit' && isAfter(state.written_at, command.snapshot_at)) {
    return { code: 'written_since', written_at: state.written_at! };
  }
  if (state.retired && REFUSED_IF_RETIRED.has(command.type)) return { code: 'unit_retired' };
  return refuseByType(state, command, now);
}

/** Two locations with equal unit numbers must not take each other's units. */
function refuseOtherLocation(unit: UnitState, registration: Registration): UnitRefusal | undefined {
  const { location, on_other_location, present_location_code: pms_location_code } = registration;
  if (on_other_location === 'warn') return undefined;
  if (location.kind === 'unknown') return { code: 'location_unknown' };
  if (!namesOtherLocation(unit, location)) return undefined;
  return { code: 'unit_at_other_location', pms_location_code };
}

function isAfter(written_at: number | null, snapshot_at: number | undefined): boolean {
  return snapshot_at !== undefined && written_at !== null && written_at > snapshot_at;
}

function refuseByType(state: UnitState, command: UnitCommand, now: number): UnitRefusal | undefined {
  switch (command.type) {
    case 'MoveTenantIn':
      return refuseReplacement(state, command);
    case 'RetireUnit':
      return state.facts.occupied ? { code: 'unit_occupied' } : undefined;
    case 'OverrideAccess':
      return refuseOverride(command.override, now);
    case 'GrantRoundTheClock':
      return state.tenancy === null ? { code: 'unit_not_occupied' } : undefined;
    case 'ShareUnit':
      return refuseShare(state, command, now);
    case 'TakeTenancy':
      return refuseTransfer(state, command, now);
    default:
      return refuseTenantShare(state, command, now);
  }
}

export function refuseArrival(command: UnitCommand): UnitRefusal | undefined {
  const arrival = 'arrival' in command ? command.arrival : null;
  if (arrival?.contradicts === true) return { code: 'tenant_contradicted' };
  if (arrival?.tenant_is_reserved === true) return { code: 'tenant_is_reserved' };
  if (arrival?.tenant_is_full === true) return { code: 'tenant_is_full' };
  return arrival?.details_refused === true ? { code: 'history_damaged' } : undefined;
}

function refuseReplacement(
  { tenancy }: UnitState,
  { arrival, if_occupied }: Extract<UnitCommand, { readonly type: 'MoveTenantIn' }>,
): UnitRefusal | undefined {
  if (if_occupied !== 'refuse' || tenancy === null) return undefined;
  return tenancy.tenant_id === arrival.tenant_id ? undefined : { code: 'unit_occupied' };
}

function refuseOverride({ expires_at }: AccessOverride, now: number): UnitRefusal | undefined {
  return expires_at !== null && expires_at <= now ? { code: 'override_already_over' } : undefined;
}

/** Why a unit may not be shared so; undefined: it may. */
export function refuseShare(
  { tenancy }: Pick<UnitState, 'tenancy'>,
  { tenant_id, until }: Pick<Share, 'tenant_id' | 'until'>,
  now: number,
): UnitRefusal | undefined {
  if (tenancy === null) return { code: 'unit_not_occupied' };
  if (tenancy.tenant_id === tenant_id) return { code: 'tenant_is_primary' };
  if (until === null) return undefined;
  if (until <= now) return { code: 'share_already_over' };
  return until - now > LONGEST_SHARE_MS ? { code: 'share_too_long' } : undefined;
}

function refuseRegistration({ location, confusable }: Registration): UnitRefusal | undefined {
  if (confusable !== undefined) return { code: 'identifier_confusable', confusable };
  switch (location.kind) {
    case 'known':
      return undefined;
    case 'unknown':
      return { code: 'location_unknown' };
    case 'none':
      return { code: 'location_required' };
    case 'no_locations':
      return { code: 'location_missing' };
  }
}
