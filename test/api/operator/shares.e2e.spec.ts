import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { ManualClock } from '../../support/manual-clock.js';
import { type Company, demand, Service } from '../../support/service.js';

const HOUR = 3_600_000;

let service: Service;
let company: Company;
let unit_id: string;
let friend: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const inHours = (hours: number) => new Date(service.manualClock.now() + hours * HOUR).toISOString();
const share = (body?: object) => operator('put', `/units/${unit_id}/shares/${friend}`, body);
const unit = async () => demand(200, await operator('get', `/units/${unit_id}`));
const history = async () => demand(200, await company.push('get', '/units/A-1/history?limit=100')).entries;

async function appOf(tenant_id: string) {
  const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
  const { token } = await service.part(TenantSessions).begin(account!);
  return (headers: Record<string, string> = {}) =>
    service.call('get', '/api/v2/tenant/access', { token, headers });
}

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:00:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  ({ unit_id } = demand(201, await company.moveIn('A-1')));
  const other = demand(201, await company.moveIn('A-2', { pms_tenant_id: 't-2' })).unit_id as string;
  friend = demand(200, await operator('get', `/units/${other}`)).tenant.tenant_id as string;
  demand(200, await company.moveOut('A-2'));
});

describe('a share with an end', () => {
  it('is in the app with its end, and a key that ends with it', async () => {
    const until = inHours(2);
    const lock = demand(
      201,
      await operator('post', `/locations/${company.locations.get('MAIN')!}/locks`, { name: 'Door' }),
    );
    demand(200, await operator('put', `/units/${unit_id}/locks/${lock.lock_id as string}`));
    demand(200, await share({ until }));
    const app = await appOf(friend);
    expect(demand(200, await app())).toMatchObject({
      valid_until: until,
      refresh_at: until,
      units: [{ unit_id, relationship: 'shared', until, locks: [{ key_expires_at: until }] }],
    });
    expect((await unit()).locks).toMatchObject([
      { keys_outstanding: [{ tenant_id: friend, expires_at: until }] },
    ]);
  });

  it('opens nothing from that instant on, though nothing is written', async () => {
    demand(200, await share({ until: inHours(2) }));
    const app = await appOf(friend);
    const first = await app();
    const known = { 'If-None-Match': first.headers['etag'] as string };
    service.manualClock.advance(2 * HOUR - 1);
    expect((await app(known)).status).toBe(304);
    service.manualClock.advance(1);
    const after = await app(known);
    expect([after.status, after.body.data.units]).toEqual([200, []]);
    expect((await unit()).shares).toEqual([]);
    expect(demand(200, await operator('get', `/tenants/${friend}`)).shares).toEqual([]);
  });

  it('ends by itself in the history', async () => {
    const until = inHours(2);
    demand(200, await share({ until }));
    service.manualClock.advance(3 * HOUR);
    expect((await history()).slice(-2)).toMatchObject([
      { type: 'UnitShared', changes: { shared_until: { from: null, to: until } } },
      {
        type: 'UnitShareEnded',
        revision: null,
        occurred_at: until,
        cause: { kind: 'calendar' },
        changes: { shared_with: { from: [friend], to: [] } },
      },
    ]);
  });

  it('is among those who could open the unit then, and not after its end', async () => {
    const until = inHours(2);
    demand(200, await share({ until }));
    const then = async (at: string) => demand(200, await operator('get', `/units/${unit_id}/as-of?at=${at}`));
    service.manualClock.advance(5 * HOUR);
    expect(await then(inHours(-4))).toMatchObject({
      tenant: { pms_tenant_id: 't-1' },
      shares: [{ tenant_id: friend, pms_tenant_id: 't-2', until }],
    });
    expect((await then(until)).shares).toEqual([]);
    const told = demand(200, await company.push('get', `/units/A-1/as-of?at=${inHours(-4)}`));
    expect(told).not.toHaveProperty('shares');
  });

  it('will be among them at an instant ahead, until its end', async () => {
    demand(200, await share({ until: inHours(2) }));
    const then = async (hours: number) =>
      demand(200, await operator('get', `/units/${unit_id}/as-of?at=${inHours(hours)}`)).shares;
    expect(await Promise.all([then(1.9), then(2)])).toMatchObject([[{ tenant_id: friend }], []]);
  });

  it('is shown with its end on the unit and the account', async () => {
    const until = inHours(24);
    demand(200, await share({ until }));
    expect((await unit()).shares).toMatchObject([{ tenant_id: friend, until }]);
    expect(demand(200, await operator('get', `/tenants/${friend}`)).shares).toMatchObject([
      { unit_id, shared_until: until },
    ]);
  });

  it('is given another end, or none, by a repeat', async () => {
    demand(200, await share({ until: inHours(2) }));
    const until = inHours(1);
    demand(200, await share({ until }));
    expect((await unit()).shares).toMatchObject([{ until }]);
    demand(200, await share());
    expect((await unit()).shares).toMatchObject([{ until: null }]);
  });

  it('is told to integrators with its end', async () => {
    const until = inHours(2);
    demand(200, await share({ until }));
    const { events } = demand(200, await company.push('get', '/events?limit=100'));
    const told = (events as { type: string; data: object }[]).filter(({ type }) => type === 'UnitShared');
    expect(told.map(({ data }) => data)).toEqual([{ tenant_id: friend, until }]);
  });

  it('lets report what was opened before its end, and nothing after', async () => {
    const lock = demand(
      201,
      await operator('post', `/locations/${company.locations.get('MAIN')!}/locks`, { name: 'Door' }),
    );
    demand(200, await operator('put', `/units/${unit_id}/locks/${lock.lock_id as string}`));
    demand(200, await share({ until: inHours(2) }));
    const [account] = await service.part(TenantAccounts).byTenantId([friend]);
    const { token } = await service.part(TenantSessions).begin(account!);
    service.manualClock.advance(3 * HOUR);
    const report = (hours: number) =>
      service.call('post', `/api/v2/locks/${lock.lock_id as string}/logs`, {
        token,
        body: { event: 'unlock', result: 'success', occurred_at: inHours(hours) },
      });
    expect((await report(-2)).status).toBe(201);
    const late = await report(-0.5);
    expect([late.status, late.body.code]).toEqual([403, 'no_access_then']);
  });

  it.each([
    ['now', 0, 'The until field must be in the future.'],
    ['in the past', -1, 'The until field must be in the future.'],
    ['a year and a day ahead', 24 * 366 + 1, 'The until field must be at most 366 days ahead.'],
  ])('is refused at the field if it is %s', async (_, hours, message) => {
    const { status, body } = await share({ until: inHours(hours) });
    expect([status, body.errors]).toEqual([422, { until: [message] }]);
    expect((await unit()).shares).toEqual([]);
  });

  it.each([[{ until: '2027-01-01' }], [{ until: 5 }], [{ untill: null }]])(
    'is refused for %j',
    async (body) => {
      expect((await share(body)).status).toBe(422);
    },
  );
});

describe('a share with somebody who has no account', () => {
  let last = 100;
  /** A number that nobody has yet. */
  const newPhone = () => `+1312555${String((last += 1)).padStart(4, '0')}`;
  const shareWith = (body: object) => operator('post', `/units/${unit_id}/shares`, body);

  it('makes an account that signs in by phone, and that no PMS knows', async () => {
    const phone = newPhone();
    const until = inHours(24);
    const answer = await shareWith({ name: 'Daniel Brooks', phone, until });
    const { tenant_id } = demand(201, answer);
    expect(answer.headers['location']).toBe(`/api/operator/tenants/${tenant_id as string}`);
    expect((await unit()).shares).toMatchObject([{ tenant_id, name: 'Daniel Brooks', phone, until }]);
    expect(demand(200, await operator('get', `/tenants/${tenant_id as string}`))).toMatchObject({
      pms_tenant_id: `guest-${tenant_id as string}`,
      units: [],
      shares: [{ unit_id }],
    });
    const account = await appOf(tenant_id as string);
    expect(demand(200, await account()).units).toMatchObject([{ unit_id, relationship: 'shared' }]);
  });

  it('is given once for a repeated request', async () => {
    const body = { name: 'Daniel', phone: newPhone() };
    const token = await service.operatorToken();
    const headers = { 'Idempotency-Key': body.phone };
    const send = () =>
      service.call('post', `/api/operator/units/${unit_id}/shares`, { body, token, headers });
    const [first, again] = [await send(), await send()];
    expect([first.status, again.status, again.body.data.tenant_id]).toEqual([
      201,
      201,
      first.body.data.tenant_id,
    ]);
    expect((await unit()).shares).toHaveLength(1);
  });

  it('is given once for a number, also when it is asked for twice at once', async () => {
    const body = { name: 'Daniel', phone: newPhone() };
    const answers = await Promise.all([shareWith(body), shareWith(body)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
    expect((await unit()).shares).toHaveLength(1);
  });

  it('is refused at the phone of an account at the location', async () => {
    const phone = newPhone();
    demand(200, await operator('patch', `/tenants/${friend}`, { phone }));
    const { status, body } = await shareWith({ name: 'Daniel', phone });
    expect([status, Object.keys(body.errors)]).toEqual([422, ['phone']]);
  });

  it.each([
    ['no name', { phone: '+13125550100' }, 'name'],
    ['no phone', { name: 'Daniel' }, 'phone'],
    ['a number that is no whole one', { name: 'Daniel', phone: '555-0100' }, 'phone'],
    ["a sandbox's test number", { name: 'Daniel', phone: '+9990001' }, 'phone'],
    ['an end in the past', { name: 'Daniel', phone: '+13125550100', until: '2026-01-01T00:00:00Z' }, 'until'],
  ])('is refused with %s, and makes no account', async (_, body, field) => {
    const answer = await shareWith(body);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    const found = demand(200, await operator('get', `/tenants?company_id=${company.id}&q=Daniel`));
    expect(found.tenants).toEqual([]);
  });

  it('is refused for a vacant unit, and makes no account', async () => {
    demand(200, await company.moveOut('A-1'));
    const answer = await shareWith({ name: 'Daniel', phone: newPhone() });
    expect([answer.status, answer.body.code]).toEqual([422, 'unit_not_occupied']);
    const found = demand(200, await operator('get', `/tenants?company_id=${company.id}&q=Daniel`));
    expect(found.tenants).toEqual([]);
  });
});
