import { type Company, demand, Service, unitPath } from '../../support/service.js';
import type { Method } from '../../support/http-client.js';

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start({ environment: { V1_SUNSET: '2027-01-31' } });
  company = await service.company();
});
afterAll(() => service.close());

const call = (method: Method, path: string, body?: object, headers: Record<string, string> = {}) =>
  service.call(method, path, { body, token: company.token, headers });

const MOVE_IN = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
const successor = (path: string) => `</api/v2${path}>; rel="successor-version"`;

describe.each(['/api/v1', '/api'])('the PMS paths under %s', (prefix) => {
  let unit: string;
  let path: string;
  let units = 0;
  beforeEach(() => {
    unit = `A/${(units += 1)} of ${prefix}`;
    path = unitPath(unit);
  });

  it('write what v2 reads, answer alike and name the route that does the same', async () => {
    const moveIn = { crm_unit_id: unit, ...MOVE_IN };
    const created = await call('post', `${prefix}/pms/events/move-in`, moveIn);
    expect(demand(201, created).unit_id).toBe((await company.unit(unit)).unit_id);
    expect(created.headers).toMatchObject({
      deprecation: '@1767225600',
      sunset: 'Sun, 31 Jan 2027 00:00:00 GMT',
      link: successor(`${path}/tenancy`),
    });
    const repeated = await call('post', `${prefix}/pms/events/move-in`, moveIn);
    expect(repeated.status).toBe(200);
    const changed = await call('patch', `${prefix}/pms${path}`, { balance_due: 12.5 });
    expect([changed.status, changed.body.message]).toEqual([200, 'Unit updated.']);
    expect(changed.headers['link']).toBe(successor(path));
    expect((await company.unit(unit)).facts.balance_due).toBe(12.5);
    const left = await call('post', `${prefix}/pms/events/move-out`, { crm_unit_id: unit });
    expect([left.status, left.headers['link']]).toEqual([200, successor(`${path}/tenancy`)]);
    expect((await company.unit(unit)).facts).toMatchObject({ occupied: false, balance_due: 0 });
  });

  it('take a bulk, one unit of it for wrong, and nothing for a dry run', async () => {
    const pushed = [{ crm_unit_id: unit, occupied: true, ...MOVE_IN }, { crm_unit_id: 'wrong' }];
    const dry = await call('post', `${prefix}/pms/units/sync?dry_run=true`, { units: pushed });
    expect(demand(200, dry)).toMatchObject({ created: 1, dry_run: true });
    const answer = await call('post', `${prefix}/pms/units/sync`, { units: pushed });
    expect(answer.body.message).toBe('Sync completed with errors.');
    expect(demand(200, answer)).toMatchObject({ total: 2, created: 1, errors: [{ crm_unit_id: 'wrong' }] });
    expect(answer.headers['link']).toBe(successor('/units'));
    expect(answer.headers['ratelimit-policy']).toContain('pms-bulk');
  });

  it('do not take a unit that is at another location', async () => {
    const other = await service.company();
    await other.moveIn('A-1');
    await other.addLocation({ pms_location_code: 'SOUTH' });
    const body = { crm_unit_id: 'A-1', ...MOVE_IN, pms_location_code: 'SOUTH' };
    const request = { body, token: other.token };
    const refused = await service.call('post', `${prefix}/pms/events/move-in`, request);
    expect([refused.status, refused.body.details[0].code]).toEqual([422, 'unit_at_other_location']);
  });

  it('honour a key, and refuse as v2 does', async () => {
    const body = { crm_unit_id: unit, ...MOVE_IN, ledger_id: 'L-2' };
    const headers = { 'Idempotency-Key': `key of ${prefix}` };
    const first = await call('post', `${prefix}/pms/events/move-in`, body, headers);
    const again = await call('post', `${prefix}/pms/events/move-in`, body, headers);
    expect([again.text, again.headers['idempotency-replayed']]).toEqual([first.text, 'true']);
    expect([first.headers['link'], again.headers['link']]).toEqual(
      Array(2).fill(successor(`${path}/tenancy`)),
    );
    const nobody = await call('post', `${prefix}/pms/events/move-out`, { crm_unit_id: 'nobody' });
    expect([nobody.status, nobody.body.message]).toEqual([404, 'Unit not found.']);
    const empty = await call('post', `${prefix}/pms/events/move-in`, {});
    expect(Object.keys(empty.body.errors as object)).toEqual([
      'crm_unit_id',
      'pms_tenant_id',
      'move_in_date',
    ]);
    const wrong = await call('post', `${prefix}/pms/events/move-out`, { crm_unit_id: unit, foo: 1 });
    expect([wrong.status, wrong.headers['link']]).toEqual([422, successor(`${path}/tenancy`)]);
    const stranger = await service.call('post', `${prefix}/pms/events/move-in`, { body });
    expect(stranger.status).toBe(401);
  });

  it.each([
    ['no Unicode text', '\ud800'],
    ['far too long for a header', 'x'.repeat(100_000)],
  ])('refuse a unit whose key is %s, and name no route of it', async (_what, key) => {
    for (const event of ['move-in', 'move-out']) {
      const body = { crm_unit_id: key, ...(event === 'move-in' ? MOVE_IN : {}) };
      const answer = await call('post', `${prefix}/pms/events/${event}`, body);
      expect([answer.status, answer.body.code]).toEqual([422, 'validation_failed']);
      expect(Object.keys(answer.body.errors as object)).toEqual(['crm_unit_id']);
      expect(answer.headers['link']).toBe(successor('/units'));
    }
  });

  it('tell a unit that is called "sync" from the sync', async () => {
    const bulk = await call('post', `${prefix}/pms/units/sync`, { units: [] });
    const facts = await call('patch', `${prefix}/pms/units/sync`, { balance_due: 1 });
    expect([bulk, facts].map(({ status, headers }) => [status, headers['link']])).toEqual([
      [422, successor('/units')],
      [404, successor('/units/sync')],
    ]);
  });
});

it.each(['/api/v1/nope', '/api/nope', '/api/v1/units', '/api/v1/pms/units/sync/x'])(
  '%s is of no version',
  async (path) => {
    const { status, headers } = await call('get', path);
    expect(status).toBe(404);
    for (const name of ['deprecation', 'link', 'sunset']) expect(headers).not.toHaveProperty(name);
  },
);

describe('webhooks', () => {
  let readToken: string;
  beforeAll(async () => {
    const token = { name: 'Reader', scope: 'read' };
    const path = `/companies/${company.id}/api-tokens`;
    readToken = demand(201, await service.operator('post', path, token)).token as string;
  });

  const ways = (['get', 'post', 'put', 'patch', 'delete'] as const).flatMap((method) =>
    ['/webhooks', '/webhooks/w-1', '/webhooks/w-1/deliveries'].map((path) => [method, path] as const),
  );

  it.each(ways)('are not implemented: %s %s', async (method, path) => {
    const body = method === 'get' || method === 'delete' ? undefined : { url: 'https://example.com' };
    const options = { body, token: company.token, mayFail: true };
    const answer = await service.call(method, `/api/v2${path}`, options);
    expect([answer.status, answer.body]).toEqual([
      501,
      {
        message: 'Not implemented.',
        code: 'not_implemented',
        hint: 'An admin adds webhooks on the company’s API page in the dashboard. Or follow `GET /api/v2/events`.',
      },
    ]);
    expect((await service.call(method, `/api/v2${path}`, { body })).status).toBe(401);
    const reading = { ...options, token: readToken };
    expect((await service.call(method, `/api/v2${path}`, reading)).status).toBe(501);
  });
});
