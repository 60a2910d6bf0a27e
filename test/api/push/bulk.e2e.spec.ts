import { demand, type Company, Service } from '../../support/service.js';
import { untouchedCompanies } from './support/untouched-company.js';
import { details, invalid } from '../../support/invalid.js';

const NOW = '2026-01-01T00:00:00.000Z';

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
const untouchedCompany = untouchedCompanies(
  () => service,
  (running) => running.company(),
);
beforeEach(async () => {
  company = await untouchedCompany();
});

const bulk = (body: unknown) => company.push('patch', '/units', body);
const rented = (crm_unit_id: string, more: object = {}) => ({
  crm_unit_id,
  occupied: true,
  pms_tenant_id: 't-1',
  move_in_date: '2025-12-01',
  ...more,
});
const vacant = (crm_unit_id: string, more: object = {}) => ({ crm_unit_id, occupied: false, ...more });

/** The one entry's error. */
async function errorOf(entry: unknown): Promise<string> {
  const answer = await company.sync([vacant('OTHER'), entry]);
  expect([answer.status, answer.body.message]).toEqual([200, 'Sync completed with errors.']);
  expect(answer.body.data).toMatchObject({ total: 2, errors: [{ crm_unit_id: 'A-1' }] });
  return answer.body.data.errors[0].error;
}

describe('a bulk sync', () => {
  it('creates, updates and leaves alone, and counts so', async () => {
    const first = await company.sync([rented('A-1'), vacant('A-2'), rented('A-3', { pms_tenant_id: 't-2' })]);
    expect([first.status, first.body]).toEqual([
      200,
      {
        message: 'Sync completed.',
        data: { synced_at: NOW, total: 3, created: 3, updated: 0, unchanged: 0, errors: [] },
      },
    ]);
    const second = await company.sync([rented('A-1', { balance_due: 3 }), vacant('A-2'), vacant('A-4')]);
    expect(second.body.data).toMatchObject({ total: 3, created: 1, updated: 1, unchanged: 1, errors: [] });
    expect(await company.access('A-3')).toBe('tenant_permitted active');
    expect((await company.list()).map(({ crm_unit_id }) => crm_unit_id)).toEqual([
      'A-1',
      'A-2',
      'A-3',
      'A-4',
    ]);
  });

  it('leaves absent facts as they are, and resets a nullable one by null', async () => {
    const facts = { ledger_id: 'L', balance_due: 5, paid_through_date: '2026-02-01', pms_status_raw: 's' };
    await company.sync([rented('A-1', { ...facts, pms_lockout: true })]);
    await company.sync([rented('A-1')]);
    expect((await company.unit('A-1')).facts).toMatchObject({ ...facts, pms_lockout: true });
    await company.sync([rented('A-1', { ledger_id: null, paid_through_date: null, pms_status_raw: null })]);
    expect((await company.unit('A-1')).facts).toMatchObject({
      ledger_id: null,
      paid_through_date: null,
      pms_status_raw: null,
      balance_due: 5,
      pms_lockout: true,
    });
  });

  const fault = (crm_unit_id: string, path: string, message: string) => ({
    crm_unit_id,
    error: `${path}: ${message}`,
    code: 'validation_failed',
    errors: { [path]: [message] },
    details: details({ [path]: [message] }),
  });

  it('applies the valid units and reports the others in the order of the request', async () => {
    const answer = await company.sync([
      { crm_unit_id: 'E-0', occupied: 'yes' },
      rented('A-1'),
      rented('E-2', { pms_location_code: 'NOWHERE' }),
      { crm_unit_id: 'E-3' },
      vacant('A-4'),
      rented('E-5', { move_in_date: undefined }),
    ]);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'Sync completed with errors.',
        data: {
          synced_at: NOW,
          total: 6,
          created: 2,
          updated: 0,
          unchanged: 0,
          errors: [
            fault('E-0', 'units.0.occupied', 'The occupied field must be true or false.'),
            fault(
              'E-2',
              'units.2.pms_location_code',
              'The selected pms location code is invalid. GET /api/v2/company lists the codes.',
            ),
            fault('E-3', 'units.3.occupied', 'The occupied field is required.'),
            fault('E-5', 'units.5.move_in_date', 'The move in date field is required when occupied is true.'),
          ],
        },
      },
    ]);
    expect((await company.list()).map(({ crm_unit_id }) => crm_unit_id)).toEqual(['A-1', 'A-4']);
  });

  it('takes an identifier that breaks a rule for the fault of its unit alone', async () => {
    const faulty = ['', 'ulid:x', 'x'.repeat(129), 'a\u0000', '..', 'a\ud800'];
    const answer = await company.sync([vacant('A-1'), ...faulty.map((id) => vacant(id)), vacant('A-2')]);
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      {
        total: 8,
        created: 2,
        errors: [
          fault('', 'units.1.crm_unit_id', 'The crm unit id field must be between 1 and 128 characters.'),
          fault('ulid:x', 'units.2.crm_unit_id', 'The crm unit id field must not begin with ulid:.'),
          { crm_unit_id: 'x'.repeat(129), code: 'validation_failed' },
          { crm_unit_id: 'a\u0000', code: 'validation_failed' },
          fault('..', 'units.5.crm_unit_id', 'The crm unit id field must not be a relative path.'),
          { crm_unit_id: 'a\ufffd', code: 'validation_failed' },
        ],
      },
    ]);
  });

  it('cuts an identifier in its error, which is kept for a day', async () => {
    const answer = await company.sync([vacant(`${'x'.repeat(255)}🏠${'x'.repeat(90_000)}`)]);
    const [{ crm_unit_id }] = answer.body.data.errors;
    expect(crm_unit_id).toBe(`${'x'.repeat(255)}\ufffd`);
  });

  it('that says when its state was taken undoes no newer move, and tells which', async () => {
    const snapshot_at = '2025-12-31T23:59:59.999Z';
    await bulk({ snapshot_at, units: [rented('A-1'), rented('A-2')] });
    await company.moveOut('A-1');
    const body = { snapshot_at, units: [rented('A-1'), rented('A-2', { balance_due: -1 })] };
    const answer = await bulk(body);
    expect([answer.status, answer.body.data]).toMatchObject([
      200,
      { total: 2, updated: 1, unchanged: 0, errors: [] },
    ]);
    const skipped = [{ crm_unit_id: 'A-1', written_at: NOW }];
    expect(answer.body.data.skipped).toEqual(skipped);
    expect((await company.unit('A-1')).facts.occupied).toBe(false);
    const v1 = await service.call('post', '/api/v1/pms/units/sync', { token: company.token, body });
    expect(v1.body.data).toMatchObject({ total: 2, unchanged: 1, skipped });
    expect((await bulk({ units: [rented('A-1')] })).body.data).toMatchObject({ updated: 1 });
  });

  it('of an older state undoes no move-in that came by a newer bulk, also after a rebuild', async () => {
    const [oldest, older, newer] = ['10', '20', '30'].map((second) => `2025-12-31T00:00:${second}.000Z`);
    await bulk({ snapshot_at: oldest, units: [vacant('A-1')] });
    const contact = { pms_tenant_id: 't-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
    const movedIn = rented('A-1', { pms_tenant_id: undefined, tenant: contact });
    expect((await bulk({ snapshot_at: newer, units: [movedIn] })).body.data).toMatchObject({ updated: 1 });
    const nightly = { snapshot_at: older, units: [vacant('A-1')] };
    const skipped = [{ crm_unit_id: 'A-1', written_at: newer }];
    expect((await bulk(nightly)).body.data.skipped).toEqual(skipped);
    await service.restart({ keepViews: false });
    expect((await bulk(nightly)).body.data.skipped).toEqual(skipped);
    expect((await company.unit('A-1')).facts.occupied).toBe(true);
  });

  describe('of an older state, after a newer bulk changed only contacts,', () => {
    const [older, newer] = ['2025-12-31T00:00:20.000Z', '2025-12-31T00:00:30.000Z'] as const;
    const reachedAt = (phone: string, facts: object = {}) => {
      const tenant = { pms_tenant_id: 't-1', first_name: 'Ada', last_name: 'Park', phone };
      return rented('A-1', { pms_tenant_id: undefined, tenant, ...facts });
    };
    const storedPhone = async () => {
      const query = new URLSearchParams({ company_id: company.id, q: 't-1' });
      return demand(200, await service.operator('get', `/tenants?${query}`)).tenants[0].phone as string;
    };

    beforeEach(async () => {
      await bulk({ snapshot_at: '2025-12-31T00:00:10.000Z', units: [reachedAt('+13125550100')] });
      await bulk({ snapshot_at: newer, units: [reachedAt('+13125550199')] });
    });

    it('is skipped and undoes none, also after a restart', async () => {
      await service.restart();
      const answer = await bulk({ snapshot_at: older, units: [reachedAt('+13125550100')] });
      const skipped = [{ crm_unit_id: 'A-1', written_at: newer }];
      expect(answer.body.data).toMatchObject({ total: 1, updated: 0, unchanged: 0, skipped });
      expect(await storedPhone()).toBe('+13125550199');
    });

    it('changes its facts alone', async () => {
      const answer = await bulk({
        snapshot_at: older,
        units: [reachedAt('+13125550100', { balance_due: 5 })],
      });
      expect(answer.body.data).toMatchObject({ total: 1, updated: 1, skipped: [] });
      expect((await company.unit('A-1')).facts.balance_due).toBe(5);
      expect(await storedPhone()).toBe('+13125550199');
    });

    it('undoes them without a snapshot_at', async () => {
      expect((await bulk({ units: [reachedAt('+13125550100')] })).body.data).toMatchObject({ updated: 1 });
      expect(await storedPhone()).toBe('+13125550100');
    });
  });

  it.each([
    ['2026-01-01T00:05:00.001Z', 'must be at most 5 minutes ahead.'],
    ['yesterday', 'must be a valid ISO 8601 timestamp with a time zone.'],
  ])('is refused whole where it says that its state was taken at %s', async (snapshot_at, fault) => {
    const answer = await bulk({ snapshot_at, units: [vacant('A-1')] });
    expect([answer.status, answer.body.errors]).toEqual([
      422,
      { snapshot_at: [`The snapshot at field ${fault}`] },
    ]);
  });

  it('of one site takes no units of another site with the same numbers', async () => {
    await company.addLocation({ pms_location_code: 'SOUTH' });
    await company.sync([rented('A-1', { pms_location_code: 'MAIN' })]);
    const south = { pms_location_code: 'SOUTH', pms_tenant_id: 't-9' };
    const answer = await company.sync([rented('A-1', south), rented('A-2', south)]);
    expect([answer.body.message, answer.body.data]).toMatchObject([
      'Sync completed with errors.',
      {
        created: 1,
        errors: [
          {
            crm_unit_id: 'A-1',
            code: 'validation_failed',
            details: [
              {
                field: 'units.0.pms_location_code',
                code: 'unit_at_other_location',
                hint: expect.stringContaining('at MAIN'),
              },
            ],
          },
        ],
      },
    ]);
    expect((await company.unit('A-1')).facts.pms_tenant_id).toBe('t-1');
  });

  it('judges no entry by the person of one that is refused for its location', async () => {
    await company.addLocation({ pms_location_code: 'SOUTH' });
    await company.sync([rented('A-1', { pms_location_code: 'MAIN' })]);
    const tenant = (first_name: string) => ({ pms_tenant_id: 't-7', first_name, last_name: 'Park' });
    const of = (crm_unit_id: string, pms_location_code: string, first_name: string) =>
      rented(crm_unit_id, { pms_tenant_id: undefined, pms_location_code, tenant: tenant(first_name) });
    const answer = await company.sync([of('A-1', 'SOUTH', 'Ada'), of('A-2', 'MAIN', 'Ben')]);
    expect(answer.body.data).toMatchObject({ created: 1, errors: [{ crm_unit_id: 'A-1' }] });
  });

  it('ignores another name of a unit that exists, warning for the unit', async () => {
    await company.sync([rented('A-1', { unit_name: 'Old' }), rented('A-2')]);
    const answer = await company.sync([rented('A-2'), rented('A-1', { unit_name: 'New' })]);
    expect([answer.body.message, answer.body.data]).toMatchObject([
      'Sync completed.',
      {
        unchanged: 2,
        errors: [],
        warnings: [{ crm_unit_id: 'A-1', code: 'unit_name_ignored', message: expect.any(String) }],
      },
    ]);
    expect((await company.unit('A-1')).unit_name).toBe('Old');
  });
});

describe('a malformed bulk', () => {
  const required = { units: ['The units field is required.'] };
  it.each([
    [{}, required],
    [{ units: null }, required],
    [{ units: {} }, { units: ['The units field must be an array.'] }],
    [{ units: 'x' }, { units: ['The units field must be an array.'] }],
    [{ units: [] }, { units: ['The units field must have at least 1 entry.'] }],
    [{ units: [vacant('A-1')], foo: 1 }, { foo: ['The foo field is not allowed.'] }],
    [
      { units: [vacant('A-1'), null, 5, [], 'x'] },
      {
        'units.1': ['The units.1 field must be an object.'],
        'units.2': ['The units.2 field must be an object.'],
        'units.3': ['The units.3 field must be an object.'],
        'units.4': ['The units.4 field must be an object.'],
      },
    ],
    [
      { units: [vacant('A-1'), { occupied: true }, { crm_unit_id: 7, occupied: false }] },
      {
        'units.1.crm_unit_id': ['The crm unit id field is required.'],
        'units.2.crm_unit_id': ['The crm unit id field must be a string.'],
      },
    ],
    [
      { units: [vacant('A-1'), vacant('A-2'), vacant('A-1'), rented('A-1'), vacant('A-2')] },
      {
        'units.2.crm_unit_id': ['The crm unit id field has a duplicate value.'],
        'units.3.crm_unit_id': ['The crm unit id field has a duplicate value.'],
        'units.4.crm_unit_id': ['The crm unit id field has a duplicate value.'],
      },
    ],
  ])('%j is refused as a whole', async (body, errors) => {
    const answer = await bulk(body);
    expect([answer.status, answer.body]).toEqual([422, invalid(errors)]);
    expect(await company.unitEvents()).toEqual([]);
  });

  it('of 501 entries is refused, and writes none of them', async () => {
    const answer = await company.sync(Array.from({ length: 501 }, (_, number) => vacant(`U-${number}`)));
    expect([answer.status, answer.body]).toEqual([
      422,
      invalid({ units: ['The units field must not have more than 500 entries.'] }),
    ]);
    expect(await company.unitEvents()).toEqual([]);
  });
});

/** Both ways to name a tenant. */
const NO_TENANT =
  'units.1.tenant: The tenant field is required when occupied is true. units.1.pms_tenant_id: The pms tenant id field is required when occupied is true and no tenant is given.';

describe('an entry', () => {
  const person = { first_name: 'Ada', last_name: 'Park', email: 'ada@example.com', phone: '+13125550100' };
  const nested = { pms_tenant_id: 't-1', ...person };

  it.each([
    ['flat', rented('A-1')],
    ['nested', { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant: nested }],
    ['both, agreeing', rented('A-1', { tenant: nested })],
    ['flat with a null tenant', rented('A-1', { tenant: null })],
    ['nested with a null flat one', rented('A-1', { pms_tenant_id: null, tenant: nested })],
  ])('may name its tenant %s', async (_shape, entry) => {
    expect((await company.sync([entry])).body.data).toMatchObject({ created: 1, errors: [] });
    expect((await company.unit('A-1')).facts.pms_tenant_id).toBe('t-1');
  });

  it('with a nested tenant records who that is, for the operator and the login by phone', async () => {
    await company.sync([rented('A-1', { tenant: { ...nested, phone: '+13125550111' } })]);
    const { unit_id } = await company.unit('A-1');
    const { tenant } = (await service.operator('get', `/units/${unit_id}`)).body.data;
    expect(tenant).toMatchObject({ name: 'Ada Park', email: 'ada@example.com', phone: '+13125550111' });
    const login = { country_code: '1', phone_number: '3125550111' };
    expect((await service.call('post', '/api/v2/auth/phone', { body: login })).status).toBe(200);
    expect(JSON.stringify((await service.events()).map(({ data }) => data))).not.toMatch(/Ada|3125550111/);
  });

  it.each([
    [
      { tenant: { ...nested, pms_tenant_id: 't-2' } },
      'units.1.pms_tenant_id: The pms tenant id field must agree with the one in tenant.',
    ],
    [{ pms_tenant_id: undefined }, NO_TENANT],
    [{ pms_tenant_id: null, tenant: null }, NO_TENANT],
    [
      { move_in_date: null },
      'units.1.move_in_date: The move in date field is required when occupied is true.',
    ],
    [{ tenant: [] }, 'units.1.tenant: The tenant field must be an object.'],
    [
      { tenant: { ...nested, first_name: undefined } },
      'units.1.tenant.first_name: The first name field is required.',
    ],
    [
      { tenant: { ...nested, pms_tenant_id: undefined } },
      'units.1.tenant.pms_tenant_id: The pms tenant id field is required.',
    ],
    [
      { tenant: { ...nested, phone: '3125550100' } },
      'units.1.tenant.phone: The phone field must be a valid phone number in international format, such as +13125550100.',
    ],
    [
      { tenant: { ...nested, email: 'x' } },
      'units.1.tenant.email: The email field must be a valid email address.',
    ],
    [{ tenant: { ...nested, ssn: '1' } }, 'units.1.tenant.ssn: The ssn field is not allowed.'],
    [{ balance_due: '1' }, 'units.1.balance_due: The balance due field must be a number.'],
    [
      { paid_through_date: '2026-13-01' },
      'units.1.paid_through_date: The paid through date field must be a valid date in the format YYYY-MM-DD.',
    ],
    [{ pms_lockout: null }, 'units.1.pms_lockout: The pms lockout field must be true or false.'],
    [{ foo: 1 }, 'units.1.foo: The foo field is not allowed.'],
    [{ tenant_id: 'x' }, 'units.1.tenant_id: The tenant id field is not allowed.'],
  ])('that is occupied with %j is that unit’s error', async (more, error) => {
    expect(await errorOf(rented('A-1', more))).toBe(error);
    expect((await company.push('get', '/units/A-1')).status).toBe(404);
  });

  it('of many whose faults are endless tells the first and the number of the others', async () => {
    const unknown = Array.from({ length: 25 }, (_, n) => [`${n}-${'long'.repeat(16)}`, 1]);
    const more = Object.fromEntries(unknown) as object;
    const entries = Array.from({ length: 500 }, (_, n) => vacant(`A-${n}`, more));
    const key = { 'Idempotency-Key': 'endless' };
    const answer = await company.sync(entries, key);
    expect([answer.status, answer.body.data.errors.length]).toEqual([200, 500]);
    // What is kept of it for a day.
    expect(answer.text.length).toBeLessThan(512 * 1024);
    const [first, last] = [answer.body.data.errors[0], answer.body.data.errors[499]];
    expect(Object.keys(first.errors)).toHaveLength(20);
    expect(Object.keys(last.errors)).toHaveLength(1);
    expect(last.error).toMatch(/^units\.499\.\S+: The \S+ field is not allowed\. And 19 more\.$/);
    expect((await company.sync(entries, key)).text).toBe(answer.text);
  });
});

describe('the person of a tenant', () => {
  const person = { first_name: 'Ada', last_name: 'Park', email: 'ada@example.com', phone: '+13125550100' };
  const nested = (more: object = {}) => ({ pms_tenant_id: 't-1', ...person, ...more });
  const counts = { created: 0, updated: 0, unchanged: 0, errors: [] };

  const shown = async () => {
    const { unit_id } = await company.unit('A-1');
    return (await service.operator('get', `/units/${unit_id}`)).body.data.tenant;
  };

  it('that changes counts the unit as updated, is kept where absent and cleared where null', async () => {
    const sync = async (more: object) =>
      (await company.sync([rented('A-1', { tenant: nested(more) })])).body.data;
    expect(await sync({})).toMatchObject({ ...counts, created: 1 });
    expect(await sync({ email: undefined, phone: undefined })).toMatchObject({ ...counts, unchanged: 1 });
    expect(await shown()).toMatchObject({ email: person.email, phone: person.phone });
    expect(await sync({ phone: '+13125550199' })).toMatchObject({ ...counts, updated: 1 });
    expect(await sync({ email: null, phone: null })).toMatchObject({ ...counts, updated: 1 });
    const { tenant_id, ...cleared } = await shown();
    expect(cleared).toMatchObject({ name: 'Ada Park', email: null, phone: null });
    const told = (await service.events()).filter(({ stream }) => stream === `tenant-${tenant_id}`);
    expect(told.map(({ type, data }) => [type, data['fields']])).toEqual([
      ['TenantDetailsChanged', ['phone']],
      ['TenantDetailsChanged', ['email', 'phone']],
    ]);
  });

  it('is not changed by a dry run, which says what would be', async () => {
    await company.sync([rented('A-1', { tenant: nested() })]);
    const units = [rented('A-1', { tenant: nested({ phone: null }) })];
    const dry = await company.push('patch', '/units?dry_run=true', { units });
    expect(dry.body.data).toMatchObject({ ...counts, updated: 1 });
    expect(await shown()).toMatchObject({ phone: person.phone });
  });

  it('that a second entry states otherwise is that unit’s error, whether the units exist or not', async () => {
    const clash = [
      rented('A-1', { tenant: nested({ email: undefined }) }),
      rented('A-2', { tenant: nested({ phone: undefined }) }),
      rented('A-3', { tenant: nested({ first_name: 'Eve', phone: '+13125550666' }) }),
      rented('A-4', { tenant: nested({ email: null }) }),
      rented('A-5', {
        tenant: nested({ pms_tenant_id: 't-2', first_name: 'Ben' }),
        pms_tenant_id: undefined,
      }),
    ];
    const errors = [2, 3].map((place) => {
      const path = `units.${place}.tenant`;
      const text = 'The tenant field gives another person than an earlier entry.';
      const crm_unit_id = `A-${place + 1}`;
      return {
        crm_unit_id,
        code: 'validation_failed',
        error: `${path}: ${text}`,
        errors: { [path]: [text] },
        details: details({ [path]: [text] }, ['conflict']),
      };
    });
    expect((await company.sync(clash)).body.data).toMatchObject({ ...counts, created: 3, errors });
    expect(await shown()).toMatchObject({ name: 'Ada Park', email: person.email, phone: person.phone });
    expect((await company.sync(clash)).body.data).toMatchObject({ ...counts, unchanged: 3, errors });
  });

  it('that was erased stays so, whatever a PMS sends, until an operator records one', async () => {
    await company.sync([rented('A-1', { tenant: nested() })]);
    const { tenant_id } = await shown();
    await service.operator('delete', `/tenants/${tenant_id}/personal-data`);
    const again = await company.sync([rented('A-1', { tenant: nested() })]);
    expect(again.body.data).toMatchObject({
      ...counts,
      unchanged: 1,
      warnings: [{ crm_unit_id: 'A-1', code: 'personal_data_suppressed' }],
    });
    expect(await shown()).toMatchObject({ name: null, email: null, phone: null });
    await service.operator('patch', `/tenants/${tenant_id}`, { name: 'Ada Moss' });
    const lifted = await company.sync([rented('A-1', { tenant: nested() })]);
    expect(lifted.body.data).toMatchObject({ ...counts, updated: 1 });
    expect(lifted.body.data.warnings).toBeUndefined();
    expect(await shown()).toMatchObject({ name: 'Ada Park', phone: person.phone });
  });
});

describe('an entry that is not occupied', () => {
  it('may name what a move-out resets at its reset value', async () => {
    const reset = { pms_tenant_id: null, tenant: null, ledger_id: null, move_in_date: null };
    const answer = await company.sync([vacant('A-1', { ...reset, balance_due: 0, paid_through_date: null })]);
    expect(answer.body.data).toMatchObject({ created: 1, errors: [] });
  });

  it.each([
    ['balance_due', 0.01],
    ['balance_due', -1],
    ['paid_through_date', '2026-01-01'],
    ['pms_tenant_id', 't-1'],
    ['ledger_id', 'L'],
    ['move_in_date', '2026-01-01'],
    ['tenant', { pms_tenant_id: 't-1', first_name: 'A', last_name: 'B' }],
  ])('with %s %j is that unit’s error', async (name, value) => {
    expect(await errorOf(vacant('A-1', { [name]: value }))).toMatch(new RegExp(`^units\\.1\\.${name}: The `));
    expect((await company.push('get', '/units/A-1')).status).toBe(404);
  });
});

describe('a warning of a bulk', () => {
  it('names its unit and comes in the order of the request', async () => {
    await company.sync([rented('A-1', { balance_due: 7, paid_through_date: '2026-01-01' })]);
    const answer = await company.sync([
      rented('A-2', { balance_due: 5 }),
      rented('A-1', { pms_tenant_id: 't-2' }),
      rented('A-3', { pms_lockout: true, pms_lock_exempt: true, pms_auction: true }),
    ]);
    const told = answer.body.data.warnings.map((one: { crm_unit_id: string; code: string }) => [
      one.crm_unit_id,
      one.code,
    ]);
    expect(told).toEqual([
      ['A-2', 'balance_without_date'],
      ['A-1', 'tenant_replaced'],
      ['A-1', 'balance_carried_over'],
      ['A-3', 'lockout_suppressed_by_exemption'],
      ['A-3', 'auction_while_exempt'],
    ]);
  });
});
