import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { appOf } from '../tenant/app-of.js';
import { ManualClock } from '../../support/manual-clock.js';
import { newPhone } from '../../support/new-phone.js';
import { type Company, demand, Service } from '../../support/service.js';

const HOUR = 3_600_000;

let service: Service;
let company: Company;
let location_id: string;
let zone_id: string;
let gate: string;
let unit_id: string;
let tenant: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const inHours = (hours: number) => new Date(service.manualClock.now() + hours * HOUR).toISOString();
const unitPeople = async () => demand(200, await operator('get', `/units/${unit_id}/people`));
const gatePeople = async (query = '') =>
  demand(200, await operator('get', `/entry-points/${gate}/people${query}`));
const openApp = async (tenant_id: string) => demand(200, await (await appOf(service, tenant_id))());
const denyUnit = async () =>
  demand(200, await operator('put', `/units/${unit_id}/override`, { override: 'lockout', reason: 'check' }));
const share = async (rest: object = {}) =>
  demand(
    201,
    await operator('post', `/units/${unit_id}/shares`, {
      name: 'Daniel Brooks',
      phone: newPhone(),
      until: inHours(48),
      ...rest,
    }),
  ).tenant_id as string;
const pass = async (rest: object = {}) =>
  demand(
    201,
    await operator('post', `/locations/${location_id}/passes`, {
      name: 'Lakeside Pest Control',
      phone: newPhone(),
      entry_point_ids: [gate],
      until: inHours(24),
      reason: 'vendor',
      ...rest,
    }),
  );
const enterWrongCodes = async (tenant_id: string, share_id: string, code: string, times: number) => {
  const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
  const { token } = await service.part(TenantSessions).begin(account!);
  const body = { code: code === '000000' ? '000001' : '000000' };
  for (let time = 0; time < times; time += 1)
    await service.call('post', `/api/v2/tenant/shares/${share_id}/accept`, { token, body, mayFail: true });
};
const kinds = (people: readonly { kind: string }[]) => people.map(({ kind }) => kind);

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
  ({ zone_id } = demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'A' })));
  const north = { name: 'North gate', kind: 'gate', zone_ids: [zone_id] };
  gate = demand(201, await operator('post', `/locations/${location_id}/entry-points`, north))
    .entry_point_id as string;
  ({ unit_id } = demand(201, await company.moveIn('A-1')));
  demand(200, await company.patch('A-1', { paid_through_date: '2026-12-31' }));
  demand(200, await operator('put', `/zones/${zone_id}/units/${unit_id}`));
  const lock = demand(201, await operator('post', `/locations/${location_id}/locks`, { name: 'Door' }));
  demand(200, await operator('put', `/units/${unit_id}/locks/${lock.lock_id as string}`));
  tenant = demand(200, await operator('get', `/units/${unit_id}`)).tenant.tenant_id as string;
});

describe('the people of a unit', () => {
  it('are its tenant and those with whom it is shared, until their end', async () => {
    const guest = await share();
    expect(await unitPeople()).toMatchObject({
      state: 'tenant_permitted',
      people: [
        { kind: 'tenant', tenant_id: tenant, opens: true, key_expires_at: null },
        { kind: 'share', tenant_id: guest, name: 'Daniel Brooks', until: inHours(48), opens: true },
      ],
    });
    service.manualClock.advance(48 * HOUR);
    expect(kinds((await unitPeople()).people)).toEqual(['tenant']);
  });

  it('open nothing while the unit is denied, though a key given out before still opens', async () => {
    const { key_expires_at } = (await openApp(tenant)).units[0].locks[0];
    await denyUnit();
    expect((await unitPeople()).people).toMatchObject([{ kind: 'tenant', opens: false, key_expires_at }]);
  });

  it('are told while a key opens, also after they moved out', async () => {
    const { key_expires_at } = (await openApp(tenant)).units[0].locks[0];
    demand(200, await company.moveOut('A-1'));
    expect((await unitPeople()).people).toMatchObject([
      { kind: 'key_holder', tenant_id: tenant, pass_id: null, key_expires_at },
    ]);
    service.manualClock.advance(48 * HOUR);
    expect((await unitPeople()).people).toEqual([]);
  });

  it('are holders of passes from their beginning on, while nobody rents it', async () => {
    demand(200, await company.moveOut('A-1'));
    const { pass_id } = await pass({ unit_ids: [unit_id], from: inHours(1) });
    expect((await unitPeople()).people).toMatchObject([
      { kind: 'pass', pass_id, name: 'Lakeside Pest Control', reason: 'vendor', opens: false },
    ]);
    service.manualClock.advance(HOUR);
    expect((await unitPeople()).people).toMatchObject([{ kind: 'pass', opens: true }]);
    demand(200, await company.moveIn('A-1'));
    expect(kinds((await unitPeople()).people)).toEqual(['tenant']);
  });

  it('are invited ones, too, who open nothing yet, and nothing at all after five wrong codes', async () => {
    demand(200, await operator('patch', `/locations/${location_id}`, { tenant_sharing: true }));
    const [account] = await service.part(TenantAccounts).byTenantId([tenant]);
    const { token } = await service.part(TenantSessions).begin(account!);
    const body = {
      unit_id,
      name: 'Ann',
      country_code: '1',
      phone_number: '3125580999',
      until: inHours(24),
    };
    const { share_id, code } = demand(
      201,
      await service.call('post', '/api/v2/tenant/shares', { token, body }),
    );
    expect((await unitPeople()).people).toMatchObject([
      { kind: 'tenant' },
      { kind: 'invitation', until: inHours(24), accept_by: inHours(24) },
    ]);
    const [, { tenant_id }] = (await unitPeople()).people;
    await enterWrongCodes(tenant_id, share_id, code, 5);
    expect((await unitPeople()).people).toEqual([
      expect.objectContaining({ kind: 'tenant' }),
      {
        kind: 'locked_invitation',
        tenant_id,
        name: 'Ann',
        phone: '+13125580999',
        share_id,
        listed_until: inHours(24),
      },
    ]);
  });

  it('open nothing while the unit has no lock, tenants, shares and passes alike', async () => {
    demand(201, await company.moveIn('B-1'));
    const lockless = (await company.unit('B-1')).unit_id as string;
    const body = { name: 'Daniel Brooks', phone: newPhone() };
    demand(201, await operator('post', `/units/${lockless}/shares`, body));
    const people = async () => demand(200, await operator('get', `/units/${lockless}/people`));
    expect(await people()).toMatchObject({
      state: 'tenant_permitted',
      has_lock: false,
      people: [
        { kind: 'tenant', opens: false },
        { kind: 'share', opens: false },
      ],
    });
    demand(200, await company.moveOut('B-1'));
    await pass({ unit_ids: [lockless] });
    expect(await people()).toMatchObject({ has_lock: false, people: [{ kind: 'pass', opens: false }] });
  });

  it('are not told of a unit that there is not', async () => {
    const answer = await operator('get', '/units/01JB0NONE00000000000000001/people');
    expect([answer.status, answer.body.code]).toEqual([404, 'unit_not_found']);
  });
});

describe('the people of an entry point', () => {
  it('are tenants and shares of units in its zones, and holders of its passes', async () => {
    const guest = await share();
    const { pass_id } = await pass();
    demand(201, await company.moveIn('B-1'));
    expect(await gatePeople()).toMatchObject({
      entry_point_id: gate,
      people: [
        { kind: 'pass', pass_id, opens: true, denial: null },
        { kind: 'tenant', tenant_id: tenant, unit_id, unit_name: 'A-1', opens: true, denial: null },
        { kind: 'share', tenant_id: guest, unit_id, opens: true, until: inHours(48) },
      ],
      next_cursor: null,
    });
  });

  it.each([
    ['the unit is denied', 'units_denied', denyUnit],
    [
      'it is out of service',
      'out_of_service',
      async () => demand(200, await operator('patch', `/entry-points/${gate}`, { in_service: false })),
    ],
    [
      'it is closed',
      'outside_hours',
      async () => {
        const days = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [
          day,
          { open: '20:00', close: '21:00' },
        ]);
        const access_hours = { week: Object.fromEntries(days), exceptions: [] };
        demand(200, await operator('patch', `/locations/${location_id}`, { access_hours }));
      },
    ],
  ])('open nothing while %s', async (_, denial, happen) => {
    await happen();
    expect((await gatePeople()).people).toMatchObject([{ kind: 'tenant', opens: false, denial }]);
  });

  it.each([
    ['locked out', 'tenant_denied', 'pms_lockout', { pms_lockout: true }],
    ['in auction', 'auction', null, { pms_auction: true }],
    ['not for rent', 'unrentable', null, { pms_unrentable: true }],
  ])('are told with the access of their unit while it is %s', async (_, state, reason, facts) => {
    const guest = await share();
    demand(200, await company.patch('A-1', facts));
    const access = { state, reason };
    expect((await gatePeople()).people).toMatchObject([
      { kind: 'tenant', access },
      { kind: 'share', tenant_id: guest, access },
    ]);
  });

  it('are holders of passes to come, who open nothing yet', async () => {
    await pass({ from: inHours(2) });
    expect((await gatePeople()).people[0]).toMatchObject({
      kind: 'pass',
      opens: false,
      denial: 'not_begun',
    });
  });

  it('are told while a key opens, also of a pass that has ended', async () => {
    const { pass_id, tenant_id } = await pass();
    const { key_expires_at } = (await openApp(tenant_id)).passes[0].entry_points[0];
    demand(200, await operator('delete', `/passes/${pass_id}`));
    expect((await gatePeople()).people).toMatchObject([
      { kind: 'key_holder', tenant_id, pass_id, name: 'Lakeside Pest Control', key_expires_at },
      { kind: 'tenant' },
    ]);
  });

  it('are told while a key opens, also after a move-out, unless another unit of theirs opens it', async () => {
    await openApp(tenant);
    demand(200, await company.moveOut('A-1'));
    expect((await gatePeople()).people).toMatchObject([{ kind: 'key_holder', tenant_id: tenant }]);
    const other = demand(201, await company.moveIn('A-2'));
    demand(200, await operator('put', `/zones/${zone_id}/units/${other.unit_id as string}`));
    expect(kinds((await gatePeople()).people)).toEqual(['tenant']);
  });

  it('are not told for a cursor of another list, nor of an entry point that there is not', async () => {
    const query = (cursor: string) => operator('get', `/entry-points/${gate}/people?cursor=${cursor}`);
    expect(Object.keys((await query('nonsense')).body.errors as object)).toEqual(['cursor']);
    const unknown = await operator('get', '/entry-points/01JB0NONE00000000000000001/people');
    expect([unknown.status, unknown.body.code]).toEqual([404, 'entry_point_not_found']);
  });
});
