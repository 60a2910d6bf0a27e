import { decideIntent, type PeerIntent, type PeerUnit } from '../../../tools/bench/peer/peer-unit.js';

const MOVE_IN: PeerIntent = {
  crm_unit_id: 'A-1',
  occupied: true,
  facts: { occupied: true, pms_tenant_id: 'T', move_in_date: '2025-11-01', ledger_id: 'L' },
};

function decide(known: PeerUnit | undefined, intent: PeerIntent, tenant_id?: string) {
  return decideIntent(known, intent, tenant_id, () => 'new-id');
}

const rented = decide(undefined, MOVE_IN, 'tenant-1').unit;

describe("the peer's decision on a unit", () => {
  it('registers a unit that is new and moves its tenant in', () => {
    const { unit, events } = decide(undefined, MOVE_IN, 'tenant-1');
    expect(events.map(({ type }) => type)).toEqual(['UnitRegistered', 'TenantMovedIn']);
    expect(unit).toMatchObject({ unit_id: 'new-id', unit_name: 'A-1', revision: 1, tenant_id: 'tenant-1' });
    expect(unit.set_at).toEqual({ occupied: 1, pms_tenant_id: 1, ledger_id: 1, move_in_date: 1 });
  });

  it('finds nothing to do in what is so already', () => {
    expect(decide(rented, MOVE_IN, 'tenant-1')).toEqual({ unit: rented, events: [] });
    expect(decide(rented, { crm_unit_id: 'A-1', facts: { balance_due: 0 } })).toEqual({
      unit: rented,
      events: [],
    });
  });

  it('changes facts without touching the tenancy', () => {
    const { unit, events } = decide(rented, { crm_unit_id: 'A-1', facts: { balance_due: 5_000 } });
    expect(events).toEqual([{ type: 'UnitFactsChanged', data: { balance_due: 5_000 } }]);
    expect(unit).toMatchObject({ revision: 2, tenant_id: 'tenant-1', set_at: { balance_due: 2 } });
  });

  it('resets a unit that is vacant again, but for what the PMS calls it', () => {
    const owing = decide(rented, {
      crm_unit_id: 'A-1',
      facts: { balance_due: 5_000, pms_status_raw: 'Late' },
    }).unit;
    const { unit, events } = decide(owing, { crm_unit_id: 'A-1', occupied: false, facts: {} });
    expect(events.map(({ type }) => type)).toEqual(['TenantMovedOut', 'UnitFactsChanged']);
    expect(unit.tenant_id).toBeNull();
    expect(unit.facts).toMatchObject({
      occupied: false,
      pms_tenant_id: null,
      balance_due: 0,
      pms_status_raw: 'Late',
    });
  });
});
