import type { MappedUnit } from '#dashboard/site/site-map.js';
import { byZone, countStates, kindOf } from '#dashboard/site/site-map.js';

const unit = (unit_name: string, more: Partial<MappedUnit> = {}): MappedUnit => ({
  unit_id: unit_name,
  crm_unit_id: unit_name,
  unit_name,
  state: 'tenant_permitted',
  reason: 'active',
  tenant: 'Ada Park',
  balance_due: 0,
  currency: 'USD',
  zone_ids: [],
  ...more,
});

const ZONES = [
  { zone_id: 'n', name: 'North' },
  { zone_id: 's', name: 'South' },
  { zone_id: 'e', name: 'Empty' },
];

describe('the groups of a map', () => {
  it('are the zones in their order, then units in none, each unit once and by name', () => {
    const units = [
      unit('H-10', { zone_ids: ['s', 'n'] }),
      unit('H-9', { zone_ids: ['n'] }),
      unit('S-1', { zone_ids: ['s'] }),
      unit('X-1', { zone_ids: ['gone'] }),
    ];
    const groups = byZone(units, ZONES).map((group) => [
      group.zone_name,
      group.units.map((one) => one.unit_name),
    ]);
    expect(groups).toEqual([
      ['North', ['H-9', 'H-10']],
      ['South', ['S-1']],
      [null, ['X-1']],
    ]);
  });
});

describe('a tile', () => {
  it.each([
    ['tenant_permitted', 'active', 'fine'],
    ['tenant_permitted', 'system_exempt', 'exempt'],
    ['tenant_permitted', 'pms_exempt', 'exempt'],
    ['tenant_denied', 'delinquent', 'denied'],
    ['tenant_denied', 'future_move_in', 'early'],
    ['auction', null, 'auction'],
    ['unrentable', null, 'unrentable'],
    ['vacant', null, 'empty'],
  ] as const)('in state %s for %s is %s', (state, reason, kind) => {
    expect(kindOf({ state, reason })).toBe(kind);
  });
});

it('counts units by state, those of leases to come and those let in beside', () => {
  const early = unit('D', { state: 'tenant_denied', reason: 'future_move_in' });
  const units = [early, unit('A'), unit('B', { state: 'vacant' }), unit('C', { state: 'vacant' })];
  expect([...countStates(units)]).toEqual([
    ['early', 1],
    ['tenant_permitted', 1],
    ['vacant', 2],
  ]);
});
