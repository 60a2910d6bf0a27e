import { LocationDirectory } from '#domain/locations/index.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { World } from '../system/isolation/support/world.js';
import { describedAnswers } from '../support/openapi/described-answers.js';
import type { Answer, CallOptions, Method } from '../support/http-client.js';

const ORIGIN = 'https://app.example';
const NOTHING = '01JAAAAAAAAAAAAAAAAAAAAAAA';
const REPORT = { event: 'unlock', result: 'success' };

describe('the headers of an answer', () => {
  let world: World;
  let tokens: Readonly<Record<'pms' | 'tenant' | 'operator' | 'nobody', string | undefined>>;

  beforeAll(async () => {
    // Whatever is sent only where it is wished for is wished for.
    world = await World.open({ CORS_ORIGINS: ORIGIN, V1_SUNSET: '2030-01-01' });
    await world.settle();
    tokens = {
      pms: world.home.token,
      tenant: await world.credential('tenant'),
      operator: await world.credential('operator'),
      nobody: undefined,
    };
  });
  afterAll(() => world.close());

  type Caller = keyof typeof tokens;

  function send(who: Caller, [method, path]: readonly [Method, string], options: CallOptions = {}) {
    const headers = { Origin: ORIGIN, ...options.headers };
    return world.call(method, path, { token: tokens[who], mayFail: true, ...options, headers });
  }

  /** The second answer to a write: a replay. */
  async function repeat(who: Caller, call: readonly [Method, string], body?: unknown) {
    const options = { headers: { 'Idempotency-Key': JSON.stringify([call, body]) }, body };
    await send(who, call, options);
    return send(who, call, options);
  }

  function expectDescribed(status: number, [method, path]: readonly [Method, string], answer: Answer) {
    const { told, sent } = describedAnswers(world.app.application).headersOf(method, path, answer);
    expect([answer.status, sent]).toEqual([status, told]);
  }

  it.each<[number, string, Caller, Method, string, unknown?]>([
    [200, 'a read', 'pms', 'get', '/api/v2/units'],
    [404, 'a unit that is not there', 'pms', 'get', '/api/v2/units/none'],
    [501, 'webhooks', 'pms', 'post', '/api/v2/webhooks', {}],
    [401, 'no credential', 'nobody', 'get', '/api/v2/units'],
    [401, 'no credential before v2', 'nobody', 'get', '/api/v1/tenant/access'],
    [200, "a tenant's access", 'tenant', 'get', '/api/v2/tenant/access'],
    [200, 'the same before v2', 'tenant', 'get', '/api/v1/tenant/access'],
    [201, 'a report', 'tenant', 'post', '/api/v2/locks/OWN/logs', REPORT],
    [403, 'a report of a lock of others', 'tenant', 'post', '/api/v2/locks/OTHER/logs', REPORT],
    [404, 'a report of no lock', 'tenant', 'post', `/api/v2/locks/${NOTHING}/logs`, REPORT],
    [422, 'a wrong code before v2', 'nobody', 'post', '/api/v1/auth/verify-otp', { otp: '000000' }],
    [401, 'a sign-in that fails', 'nobody', 'post', '/api/operator/sessions', { email: 'x', password: 'x' }],
    [200, 'a list of an operator', 'operator', 'get', '/api/operator/companies'],
    [200, 'this description', 'nobody', 'get', '/api/v2/openapi.json'],
    [200, 'health', 'nobody', 'get', '/health'],
  ])('are those that are described: %i, %s', async (...row) => {
    const [status, , who, method, path, body] = row;
    const { ada, bob } = world.home;
    const call = [method, path.replace('OWN', ada.lock_id).replace('OTHER', bob.lock_id)] as const;
    const named = path.includes('auth') ? { ...bob.phone, ...(body as object) } : body;
    expectDescribed(status, call, await send(who, call, { body: named }));
  });

  it.each<[number, string, Caller, Method, string, unknown?]>([
    [201, 'a move-in', 'pms', 'put', '/api/v2/units/N-1/tenancy', { move_in_date: '2025-12-01' }],
    [200, 'a change', 'pms', 'patch', '/api/v2/units/HOME-A', { balance_due: 1 }],
    [404, 'a change of no unit', 'pms', 'patch', '/api/v2/units/none', { balance_due: 1 }],
    [201, 'a thing that an operator makes', 'operator', 'post', '/api/operator/companies', { name: 'New' }],
    [422, 'one that is refused', 'operator', 'post', '/api/operator/companies', { name: '' }],
    [
      409,
      'a clock that is none',
      'operator',
      'post',
      '/api/operator/companies/HOME/clock',
      { advance_seconds: 1 },
    ],
  ])('are those that are described, of a replay too: %i, %s', async (...row) => {
    const [status, , who, method, path, body] = row;
    const call = [method, path.replace('HOME/', `${world.home.company_id}/`)] as const;
    const named = method === 'put' ? { ...(body as object), pms_tenant_id: 'N' } : body;
    expectDescribed(status, call, await repeat(who, call, named));
  });

  it.each<[Caller, string]>([
    ['tenant', '/api/v2/tenant/access'],
    ['nobody', '/api/v1/openapi.json'],
  ])('are those that are described of a 304: %s %s', async (who, path) => {
    const answer = await send(who, ['get', path], { headers: { 'If-None-Match': '*' } });
    expectDescribed(304, ['get', path], answer);
  });

  it('are those that are described of a 429, which names the limit that was met', async () => {
    const call = ['post', '/api/v2/auth/phone'] as const;
    const body = world.home.bob.phone;
    await send('nobody', call, { body });
    const answer = await send('nobody', call, { body });
    expectDescribed(429, call, answer);
    expect(answer.headers['ratelimit']).toMatch(/^"otp-cooldown";r=0;/);
  });

  it('are those that are described of a 503', async () => {
    const locations = world.app.part(LocationDirectory);
    jest.spyOn(locations, 'location').mockRejectedValueOnce(new StoreUnavailableError('away', false));
    const call = ['get', `/api/operator/locations/${world.home.location_id}`] as const;
    expectDescribed(503, call, await send('operator', call));
  });

  const UNIT = { crm_unit_id: 'S-1' };
  const TENANT = { pms_tenant_id: 'T-9', name: 'Eve' };
  const SOURCE = { name: 'PMS', url: 'http://127.0.0.1:9/', interval_seconds: 86_400 };
  const PLACE = { pms_location_code: 'NEW', name: 'New' };

  it.each<[Caller, Method, string, object]>([
    ['pms', 'put', '/api/v2/units/N%2F2/tenancy', { move_in_date: '2025-12-01', pms_tenant_id: 'N' }],
    ['operator', 'post', '/api/operator/companies', { name: 'Another' }],
    ['operator', 'post', '/api/operator/companies/HOME/locations', PLACE],
    ['operator', 'post', '/api/operator/companies/HOME/pull-sources', SOURCE],
    ['operator', 'post', '/api/operator/locations/MAIN/units', UNIT],
    ['operator', 'post', '/api/operator/locations/MAIN/tenants', TENANT],
  ])('say where what was created is read: %s %s %s', async (who, method, path, body) => {
    const { company_id, location_id } = world.home;
    const call = [method, path.replace('HOME', company_id).replace('MAIN', location_id)] as const;
    const made = await send(who, call, { body });
    expect(made.status).toBe(201);
    expectDescribed(201, call, { ...made, headers: { ...made.headers, 'idempotency-replayed': 'true' } });
    const read = await send(who, ['get', made.headers['location']!]);
    expect([read.status, read.body.data]).toEqual([200, expect.objectContaining(idsOf(made.body.data))]);
  });
});

/** The fields by which it is known again. */
function idsOf(data: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(
    Object.entries(data).filter(([name]) => /^(?!company|location)\w+_id$/.test(name)),
  );
}
