import { nextShareEnd } from '#domain/units/core/shares.js';

describe('the next end of a share', () => {
  const shares = [
    { tenant_id: 'cleo', until: null },
    { tenant_id: 'dan', until: 70 },
    { tenant_id: 'eve', until: 50 },
  ];

  test('is the first after the instant', () => {
    expect([49, 50, 70].map((after) => nextShareEnd(shares, after))).toEqual([50, 70, Infinity]);
  });

  test('is none if nothing is shared', () => {
    expect(nextShareEnd([], 0)).toBe(Infinity);
  });
});
