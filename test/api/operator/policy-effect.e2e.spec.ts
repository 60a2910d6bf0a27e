import { type Company, demand, Service } from '../../support/service.js';

let service: Service;
let company: Company;
let path: string;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  path = `/locations/${company.locations.get('MAIN')}`;
});
afterAll(() => service.close());

const occupied = (crm_unit_id: string, pms_tenant_id: string, facts: object = {}) => ({
  crm_unit_id,
  occupied: true,
  move_in_date: '2025-10-01',
  tenant: { pms_tenant_id, first_name: 'Ada', last_name: 'Park' },
  ...facts,
});

async function states(): Promise<Map<string, string>> {
  const units = await company.list();
  return new Map(units.map(({ crm_unit_id, access }) => [crm_unit_id, access.state as string]));
}

// The local date is 2025-12-31.
const late = { balance_due: 80, paid_through_date: '2025-11-30' };
const inGrace = { balance_due: 50, paid_through_date: '2025-12-29' };

describe('a change of policy', () => {
  it('says in a dry run which units it locks and opens, writes nothing, and then does just that', async () => {
    await company.sync([
      occupied('LATE', 't-1', late),
      occupied('OTHER', 't-1'),
      occupied('GRACE', 't-2', inGrace),
      occupied('SIBLING', 't-2'),
      occupied('FLAGGED', 't-3', { ...inGrace, pms_lockout: true }),
      occupied('EXEMPT', 't-4', { ...inGrace, pms_lock_exempt: true }),
      { crm_unit_id: 'EMPTY', occupied: false },
    ]);
    const written = (await service.events()).length;
    const before = await states();
    const wanted = { grace_period_days: 0, blanket_delinquency: false };
    const { effect, ...location } = demand(
      200,
      await service.operator('patch', `${path}?dry_run=true`, wanted),
    );
    expect(location).toMatchObject({ ...wanted, dry_run: true });
    expect(effect).toMatchObject({ locked: 1, opened: 1, tenants: 2 });
    expect(effect.changes).toMatchObject([
      {
        crm_unit_id: 'GRACE',
        balance_due: 50,
        from: { state: 'tenant_permitted', reason: 'active' },
        to: { state: 'tenant_denied', reason: 'delinquent' },
      },
      {
        crm_unit_id: 'OTHER',
        balance_due: 0,
        from: { state: 'tenant_denied', reason: 'blanket_delinquency' },
        to: { state: 'tenant_permitted', reason: 'active' },
      },
    ]);
    expect([(await service.events()).length, await states()]).toEqual([written, before]);
    const saved = demand(200, await service.operator('patch', path, wanted));
    expect([saved.effect, saved.dry_run]).toEqual([effect, undefined]);
    const after = await states();
    const changed = [...after].filter(([unit, state]) => before.get(unit) !== state).map(([unit]) => unit);
    expect(changed.sort()).toEqual(['GRACE', 'OTHER']);
  });

  it('has no effect where it changes the name alone, or nothing', async () => {
    const nothing = { locked: 0, opened: 0, tenants: 0, changes: [] };
    for (const body of [{ name: 'Lake Street' }, { grace_period_days: 0 }]) {
      expect(demand(200, await service.operator('patch', path, body)).effect).toEqual(nothing);
    }
  });

  it('counts the leases that begin at once in another time zone', async () => {
    await company.sync([{ ...occupied('LEASE', 't-5'), move_in_date: '2026-01-01' }]);
    const { effect } = demand(
      200,
      await service.operator('patch', `${path}?dry_run=true`, { timezone: 'Pacific/Kiritimati' }),
    );
    expect(effect.changes).toMatchObject([
      { crm_unit_id: 'LEASE', from: { reason: 'future_move_in' }, to: { reason: 'active' } },
    ]);
  });

  it('counts all units and names the 500 that owe the most', async () => {
    const other = await service.company({ pms_location_code: 'MANY' });
    const units = Array.from({ length: 501 }, (_, place) =>
      occupied(`U-${place}`, `m-${place}`, { ...inGrace, balance_due: place + 1 }),
    );
    await other.sync(units.slice(0, 500));
    await other.sync(units.slice(500));
    const many = `/locations/${other.locations.get('MANY')}?dry_run=true`;
    const { effect } = demand(200, await service.operator('patch', many, { grace_period_days: 0 }));
    expect([effect.locked, effect.tenants, effect.changes.length]).toEqual([501, 501, 500]);
    expect(effect.changes.map(({ balance_due }: { balance_due: number }) => balance_due)).toEqual(
      Array.from({ length: 500 }, (_, place) => 501 - place),
    );
  });
});
