import { MOST_UNITS_OF_TENANT } from '#domain/units/core/unit.refusals.js';
import { beyondLimit } from '#domain/units/full-tenants.js';

const streams = (count: number) => new Set(Array.from({ length: count }, (_, n) => `unit-${n}`));
const arrivals = (tenant_id: string, ...named: string[]) =>
  named.map((stream, index) => ({ index, stream, tenant_id }));

describe('a tenant', () => {
  test('takes the last unit, and the next of the same run is beyond the limit', () => {
    const rented = new Map([['ada', streams(MOST_UNITS_OF_TENANT - 1)]]);
    expect([...beyondLimit(arrivals('ada', 'new-1', 'new-2'), rented)]).toEqual([1]);
  });

  test('who is beyond the limit already keeps the units that it has', () => {
    const rented = new Map([['ada', streams(MOST_UNITS_OF_TENANT + 5)]]);
    expect([...beyondLimit(arrivals('ada', 'unit-7', 'new-1'), rented)]).toEqual([1]);
  });

  test('does not fill the units of another', () => {
    const rented = new Map([
      ['ada', streams(MOST_UNITS_OF_TENANT)],
      ['ben', streams(0)],
    ]);
    expect([...beyondLimit(arrivals('ben', 'new-1'), rented)]).toEqual([]);
  });
});
