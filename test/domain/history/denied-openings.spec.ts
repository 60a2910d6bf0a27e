import { deniedAt, type PastUnit } from '#domain/history/core/denied-openings.js';
import type { UnitState } from '#domain/units/core/unit.state.js';

const LOCKED = { state: 'tenant_denied', reason: 'delinquent' } as const;
const OPEN = { state: 'tenant_permitted', reason: 'active' } as const;

/** A unit that a tenant has from 10 on and another shares, with its access from each instant on. */
function unit(name: string, ...held: PastUnit['held']): PastUnit {
  const state = (tenant_id: string | null) =>
    ({
      tenancy: tenant_id === null ? null : { tenancy_id: 'Y', tenant_id },
      shares: [
        { tenant_id: 'friend', until: null },
        { tenant_id: 'guest', until: 35 },
      ],
    }) as unknown as UnitState;
  const periods = [
    { from: 0, unit: state(null) },
    { from: 10, unit: state('tenant') },
    { from: 40, unit: state('next') },
  ];
  return { unit_id: name, unit_name: name, periods, held };
}

const locked = unit('A', { from: 0, access: OPEN }, { from: 20, access: LOCKED });
const open = unit('B', { from: 0, access: OPEN });

it.each<[what: string, tenant: string, at: number, units: PastUnit[], denied: string[]]>([
  ['a unit that was locked out then', 'tenant', 20, [locked], ['A']],
  ['nothing before the lockout', 'tenant', 19, [locked], []],
  ['nothing where another unit was open', 'tenant', 20, [locked, open], []],
  ['a unit that is only shared', 'friend', 30, [locked], ['A']],
  ['a unit of which the share had not ended', 'guest', 34, [locked], ['A']],
  ['nothing of a share that had ended', 'guest', 35, [locked], []],
  ['nothing of a tenant who came later', 'next', 39, [locked], []],
  ['nothing of a tenant who has left', 'tenant', 40, [locked], []],
  ['every unit that was locked out', 'tenant', 30, [locked, { ...locked, unit_name: 'C' }], ['A', 'C']],
])('an opening is an alarm for %s', (_, tenant, at, units, denied) => {
  expect(deniedAt(tenant, at, units).map(({ unit_name }) => unit_name)).toEqual(denied);
});
