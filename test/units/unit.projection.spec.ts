import type { Snapshot } from '../../src/writing/aggregate.js';
import { evolve, type UnitState } from '../../src/units/core/unit.state.js';
import type {
  TenantMovedIn,
  TenantMovedOut,
  UnitEvent,
  UnitRegistered,
} from '../../src/units/core/unit.events.js';
import { UnitProjection } from '../../src/units/unit.projection.js';

const projection = new UnitProjection(undefined as never, undefined as never);

const registered: UnitRegistered = {
  type: 'UnitRegistered',
  data: {
    company_id: 'company',
    location_id: 'location',
    unit_id: 'unit',
    crm_unit_id: 'A-1',
    unit_name: 'A-1',
    source_type: 'push',
  },
};

function movedIn(tenant_id: string, replaced_tenant_id: string | null = null): TenantMovedIn {
  const tenancy = { tenancy_id: `of ${tenant_id}`, pms_tenant_id: tenant_id, ledger_id: null };
  return {
    type: 'TenantMovedIn',
    data: { ...tenancy, tenant_id, move_in_date: '2026-01-01', replaced_tenant_id },
  };
}

const movedOut = (tenant_id: string): TenantMovedOut => ({
  type: 'TenantMovedOut',
  data: { tenancy_id: `of ${tenant_id}`, tenant_id },
});

/** Of the events, each with the fold that holds it, those that show by themselves. */
function shown(...events: readonly UnitEvent[]): string[] {
  let state: UnitState | undefined;
  return events.flatMap((event, revision) => {
    state = evolve(state, event, revision);
    const after = { state, revision, last_hash: '', last_at: 0 } satisfies Snapshot<UnitState>;
    return projection.showsEvent(event, after) ? [event.type] : [];
  });
}

describe('events of a unit that show by themselves', () => {
  it('are none where the fold tells who has the unit', () => {
    const changed: UnitEvent = { type: 'UnitFactsChanged', data: { balance_due: 100 } };
    expect(shown(registered, movedIn('ada'), changed, movedIn('ada'))).toEqual([]);
  });

  it('are those that name somebody who has it no more, or never had', () => {
    const [shared, ended]: UnitEvent[] = [
      { type: 'UnitShared', data: { tenant_id: 'eve' } },
      { type: 'UnitShareEnded', data: { tenant_id: 'eve', cause: 'requested' } },
    ];
    expect(shown(registered, movedIn('ada'), movedIn('bob', 'ada'))).toEqual(['TenantMovedIn']);
    expect(shown(registered, movedIn('ada'), movedOut('ada'))).toEqual(['TenantMovedOut']);
    expect(shown(registered, movedIn('ada'), shared!, ended!)).toEqual(['UnitShared', 'UnitShareEnded']);
  });
});
