import { refreshOf } from '#domain/access/tenant-access/refresh.js';

const HOUR = 3_600_000;
const TEN = Date.parse('2026-01-01T10:00:00.000Z');
const noon = Date.parse('2026-01-01T12:00:00.000Z');
const tenants = ['01M8CA0GXHSE2K2DESYSDSVCBW', '01M8CA0GXHSE2K2DESYSDSVCBX', '01M8CA0GXHSE2K2DESYSDSVCBY'];
const of = (end: number, now = TEN, tenant = tenants[0]!) => refreshOf(end, tenant, now);

describe('when an app should ask again', () => {
  it('is the next end if that is within six hours', () => {
    expect(of(TEN + 1)).toEqual({ refresh_at: TEN + 1, changes_at: TEN + 1 });
    expect(of(TEN + 6 * HOUR).refresh_at).toBe(TEN + 6 * HOUR);
  });

  it('is in the hour after a multiple of six hours if nothing ends', () => {
    for (const tenant of tenants) {
      const { refresh_at } = of(Infinity, TEN, tenant);
      expect(refresh_at).toBeGreaterThanOrEqual(noon);
      expect(refresh_at).toBeLessThan(noon + HOUR);
    }
  });

  it('differs between tenants', () => {
    expect(new Set(tenants.map((tenant) => of(Infinity, TEN, tenant).refresh_at)).size).toBe(tenants.length);
  });

  it('holds still until it is reached, and is then six hours later', () => {
    const { refresh_at, changes_at } = of(Infinity);
    expect(changes_at).toBe(refresh_at);
    expect(of(Infinity, refresh_at - 1).refresh_at).toBe(refresh_at);
    expect(of(Infinity, refresh_at).refresh_at).toBe(refresh_at + 6 * HOUR);
  });

  it('becomes the end once that is six hours away, and not before', () => {
    const end = TEN + 7 * HOUR;
    const { refresh_at, changes_at } = of(end);
    expect(changes_at).toBe(TEN + HOUR);
    expect(of(end, changes_at - 1).refresh_at).toBe(refresh_at);
    expect(of(end, changes_at).refresh_at).toBe(end);
  });
});
