import { decide } from '#domain/units/core/unit.decide.js';
import type { Arrival, Registration, UnitCommand } from '#domain/units/core/unit.commands.js';
import type { TenantMovedIn, UnitRegistered } from '#domain/units/core/unit.events.js';
import { evolve } from '#domain/units/core/unit.state.js';

export const unitDecider = { evolve, decide };

export const registration: Registration = {
  company_id: 'company',
  crm_unit_id: 'A-101',
  unit_id: 'unit',
  unit_name: undefined,
  location: { kind: 'known', location_id: 'location', given: false },
  present_location_code: undefined,
  on_other_location: 'refuse',
};

export const registered: UnitRegistered = {
  type: 'UnitRegistered',
  data: {
    company_id: 'company',
    location_id: 'location',
    unit_id: 'unit',
    crm_unit_id: 'A-101',
    unit_name: 'A-101',
    source_type: 'push',
  },
};

export const ada: Arrival = {
  tenant_id: 'ada',
  pms_tenant_id: 'T-1',
  move_in_date: '2026-01-05',
  ledger_id: 'L-1',
  tenancy_id: 'tenancy-1',
};

export const ben: Arrival = {
  tenant_id: 'ben',
  pms_tenant_id: 'T-2',
  move_in_date: '2026-03-01',
  ledger_id: undefined,
  tenancy_id: 'tenancy-2',
};

export function movedIn(arrival: Arrival, over: Partial<TenantMovedIn['data']> = {}): TenantMovedIn {
  const { tenancy_id, tenant_id, pms_tenant_id, ledger_id = null, move_in_date } = arrival;
  const data = { tenancy_id, tenant_id, pms_tenant_id, ledger_id, move_in_date, replaced_tenant_id: null };
  return { type: 'TenantMovedIn', data: { ...data, ...over } };
}

export function moveIn(
  arrival: Arrival,
  over: Partial<Registration> = {},
): Extract<UnitCommand, { type: 'MoveTenantIn' }> {
  return { type: 'MoveTenantIn', source: 'push', registration: { ...registration, ...over }, arrival };
}

export function sync(
  arrival: Arrival | null,
  facts: Extract<UnitCommand, { type: 'SyncUnit' }>['facts'] = {},
): Extract<UnitCommand, { type: 'SyncUnit' }> {
  return { type: 'SyncUnit', source: 'push', registration, arrival, facts };
}
