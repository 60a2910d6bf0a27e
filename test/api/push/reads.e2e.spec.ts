import type { Method } from '../../support/http-client.js';
import { type Company, Service } from '../../support/service.js';
import { untouchedCompanies } from './support/untouched-company.js';
import { invalid } from '../../support/invalid.js';

const ULID = expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
const untouchedCompany = untouchedCompanies(
  () => service,
  (running) => running.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago', name: 'Main St' }),
);
beforeEach(async () => {
  company = await untouchedCompany();
});

const names = (units: readonly { crm_unit_id: string }[]) => units.map(({ crm_unit_id }) => crm_unit_id);

describe('a unit', () => {
  it('is answered with facts, access and checks', async () => {
    await company.moveIn('A-1', { ledger_id: 'L-1', unit_name: 'One' });
    await company.patch('A-1', { balance_due: 50.25, paid_through_date: '2025-11-30' });
    const answer = await company.push('get', '/units/A-1');
    expect(answer.body).toEqual({
      message: 'Request successful.',
      data: {
        unit_id: ULID,
        crm_unit_id: 'A-1',
        unit_name: 'One',
        location: {
          id: company.locations.get('MAIN'),
          name: 'Main St',
          timezone: 'America/Chicago',
          currency: 'USD',
          pms_location_code: 'MAIN',
        },
        source_type: 'push',
        facts: {
          occupied: true,
          pms_tenant_id: 't-1',
          ledger_id: 'L-1',
          move_in_date: '2025-12-01',
          balance_due: 50.25,
          paid_through_date: '2025-11-30',
          pms_lockout: false,
          pms_lock_exempt: false,
          pms_auction: false,
          pms_unrentable: false,
          pms_status_raw: null,
        },
        access: {
          state: 'tenant_denied',
          reason: 'delinquent',
          also: [],
          resolution: [{ unit_id: ULID, crm_unit_id: 'A-1', field: 'balance_due', to: 0, by: 'pms' }],
          checks: expect.any(Array),
          valid_until: null,
        },
        revision: 2,
        last_accessed_at: null,
      },
    });
    const { checks } = answer.body.data.access;
    expect(checks.map(({ name, matched }: { name: string; matched: boolean }) => [name, matched])).toEqual([
      ['auction', false],
      ['unrentable', false],
      ['vacant', false],
      ['system_lockout', false],
      ['system_exempt', false],
      ['future_move_in', false],
      ['pms_exempt', false],
      ['pms_lockout', false],
      ['delinquent', true],
      ['blanket_delinquency', false],
      ['active', false],
    ]);
    const delinquent = checks.find(({ name }: { name: string }) => name === 'delinquent');
    expect(delinquent.looked_at).toContainEqual({ name: 'balance_due', value: 50.25, revision: 2 });
  });

  it('unknown is 404', async () => {
    const answer = await company.push('get', '/units/A-1');
    expect([answer.status, answer.body]).toMatchObject([
      404,
      { code: 'unit_not_found', message: 'Unit not found.' },
    ]);
  });

  it('is read as it was just written, by every route', async () => {
    for (let number = 1; number <= 4; number += 1) {
      const lockout = number % 2 === 1;
      await company.sync([
        {
          crm_unit_id: 'A-1',
          occupied: true,
          pms_tenant_id: 't-1',
          move_in_date: '2025-12-01',
          pms_lockout: lockout,
        },
      ]);
      const state = lockout ? 'tenant_denied' : 'tenant_permitted';
      const reads = await Promise.all([
        company.unit('A-1').then((unit) => [unit.access.state]),
        company.list().then((units) => units.map((unit) => unit.access.state)),
        company.list(`state=${state}`).then((units) => units.map((unit) => unit.access.state)),
      ]);
      expect(reads).toEqual([[state], [state], [state]]);
    }
  });
});

describe('the list of units', () => {
  it('is empty where there is none', async () => {
    const answer = await company.push('get', '/units');
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Request successful.', data: { units: [], next_cursor: null } },
    ]);
  });

  it('shows each unit as it is read alone, but for the checks', async () => {
    await company.moveIn('A-1');
    await company.sync([{ crm_unit_id: 'A-2', occupied: false }]);
    const [one, two] = [await company.unit('A-1'), await company.unit('A-2')];
    delete one.access.checks;
    delete two.access.checks;
    expect(await company.list()).toEqual([one, two]);
  });

  it.each([1, 2, 3, 7, 500])('comes whole and once each in pages of %d', async (limit) => {
    const ids = Array.from({ length: 7 }, (_, number) => `U-${number}`);
    await company.sync(ids.map((crm_unit_id) => ({ crm_unit_id, occupied: false })));
    const other = await service.company();
    await other.moveIn('X-1');
    expect(names(await company.list(`limit=${limit}`)).sort()).toEqual(ids);
    const first = await company.push('get', `/units?limit=${limit}`);
    expect(first.body.data.units).toHaveLength(Math.min(limit, 7));
  });

  it('narrows to a state and to a location, and to both', async () => {
    await company.addLocation({ pms_location_code: 'SECOND' });
    const entry = { occupied: true, pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
    await company.sync([
      { crm_unit_id: 'M-1', pms_location_code: 'MAIN', ...entry },
      { crm_unit_id: 'M-2', pms_location_code: 'MAIN', occupied: false },
      { crm_unit_id: 'S-1', pms_location_code: 'SECOND', ...entry },
      { crm_unit_id: 'S-2', pms_location_code: 'SECOND', ...entry, pms_auction: true },
      { crm_unit_id: 'S-3', pms_location_code: 'SECOND', occupied: false, pms_unrentable: true },
      { crm_unit_id: 'S-4', pms_location_code: 'SECOND', ...entry, pms_lockout: true },
    ]);
    const listed = async (query: string) => names(await company.list(`limit=1&${query}`));
    expect(await listed('state=tenant_permitted')).toEqual(['M-1', 'S-1']);
    expect(await listed('state=tenant_denied')).toEqual(['S-4']);
    expect(await listed('state=auction')).toEqual(['S-2']);
    expect(await listed('state=unrentable')).toEqual(['S-3']);
    expect(await listed('state=vacant')).toEqual(['M-2']);
    expect(await listed('pms_location_code=MAIN')).toEqual(['M-1', 'M-2']);
    expect(await listed('pms_location_code=SECOND&state=tenant_permitted')).toEqual(['S-1']);
  });

  it.each([
    ['limit=0', { limit: ['The limit field must be between 1 and 500.'] }],
    ['limit=501', { limit: ['The limit field must be between 1 and 500.'] }],
    ['limit=x', { limit: ['The limit field must be a whole number.'] }],
    [
      'state=open',
      {
        state: [
          'The state field must be one of vacant, tenant_permitted, tenant_denied, auction, unrentable.',
        ],
      },
    ],
    ['cursor=nonsense', { cursor: ['The cursor field is invalid.'] }],
    ['foo=1', { foo: ['The foo field is not allowed.'] }],
    [
      'pms_location_code=NOWHERE',
      {
        pms_location_code: [
          'The selected pms location code is invalid. GET /api/v2/company lists the codes.',
        ],
      },
    ],
  ])('refuses ?%s', async (query, errors) => {
    await company.moveIn('A-1');
    const answer = await company.push('get', `/units?${query}`);
    expect([answer.status, answer.body]).toEqual([422, invalid(errors)]);
  });

  it('refuses another list’s cursor, or answers it within the company', async () => {
    await company.sync(['A-1', 'A-2', 'A-3'].map((crm_unit_id) => ({ crm_unit_id, occupied: false })));
    const other = await service.company();
    await other.sync(['X-1', 'X-2', 'X-3'].map((crm_unit_id) => ({ crm_unit_id, occupied: false })));
    const { next_cursor } = (await other.push('get', '/units?limit=1')).body.data;
    const answer = await company.push('get', `/units?limit=5&cursor=${encodeURIComponent(next_cursor)}`);
    const seen = answer.status === 200 ? names(answer.body.data.units) : [];
    expect([200, 422]).toContain(answer.status);
    expect(seen.filter((name) => name.startsWith('X'))).toEqual([]);
  });
});

describe('the published decision table', () => {
  it('is shown to integrators and operators, and to nobody else', async () => {
    const shown = await company.push('get', '/access-policy');
    const token = await service.operatorToken();
    const operators = await service.call('get', '/api/v2/access-policy', { token });
    expect([shown.status, operators.text]).toEqual([200, shown.text]);
    expect(shown.body.data.checks.at(-1)).toMatchObject({ name: 'active' });
    expect((await service.call('get', '/api/v2/access-policy')).status).toBe(401);
  });
});

describe('every answer', () => {
  const long = 'x'.repeat(6000);
  it.each<[number, Method, string, unknown]>([
    [404, 'get', `/units/${long}`, undefined],
    [404, 'get', `/units/ulid:${long}`, undefined],
    [404, 'get', `/units/${'%F0%9F%8F%A0'.repeat(900)}`, undefined],
    [404, 'put', `/units/ulid:${long}/tenancy`, { pms_tenant_id: 'x', move_in_date: '2026-01-01' }],
    [422, 'put', `/units/${long}/tenancy`, { pms_tenant_id: 'x', move_in_date: '2026-01-01' }],
    [422, 'patch', '/units/A-1?dry_run=true&dry_run=true', { balance_due: 1 }],
    [422, 'patch', '/units/A-1?dry_run[x]=true', { balance_due: 1 }],
    [422, 'get', '/units?limit=1&limit=2', undefined],
    [422, 'get', '/units?cursor[]=2', undefined],
    [422, 'get', `/units?cursor=${'a'.repeat(4000)}`, undefined],
    [422, 'get', '/units?pms_location_code=%00', undefined],
    [200, 'patch', '/units', '{"units":[{"crm_unit_id":"\\ud800","occupied":false}]}'],
    [422, 'patch', '/units', '{"units":[{"__proto__":{"crm_unit_id":"A"},"occupied":false}]}'],
    [200, 'patch', '/units', '{"units":[{"crm_unit_id":"__proto__","occupied":false}]}'],
    [400, 'patch', '/units/A-1', '['.repeat(5000) + ']'.repeat(5000)],
    [400, 'patch', '/units', `{"units":${'['.repeat(3000)}${']'.repeat(3000)}}`],
  ])('is %d and never a failure, however odd the request: %s %.60s', async (status, method, path, body) => {
    expect((await company.push(method, path, body)).status).toBe(status);
  });

  it.each(['0001-01-01', '9999-12-31'])('can be read of a unit whose dates are %s', async (date) => {
    const facts = { paid_through_date: date, balance_due: 1 };
    const entry = { crm_unit_id: 'A-1', occupied: true, pms_tenant_id: 't-1', move_in_date: date, ...facts };
    expect((await company.sync([entry])).body.data.errors).toEqual([]);
    expect((await company.unit('A-1')).facts).toMatchObject(facts);
    expect(await company.list()).toHaveLength(1);
  });
});
