import { type Company, Service, unitPath } from '../../support/service.js';
import { untouchedCompanies } from './support/untouched-company.js';
import { invalid as invalidFields } from '../../support/invalid.js';

const ULID = expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const NOW = '2026-01-01T00:00:00.000Z';
const MOVE_IN = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
const MANAGED_ELSEWHERE = 'This unit is managed by a pull-mode PMS integration. Please contact support.';

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

const move = (body: unknown, unit = 'A-1') => company.push('put', `${unitPath(unit)}/tenancy`, body);

function invalid(errors: Record<string, string>) {
  const lists = Object.entries(errors).map(([path, message]) => [path, [message]]);
  return invalidFields(Object.fromEntries(lists) as Record<string, string[]>);
}

describe('a move-in', () => {
  it('creates a unit that is absent, occupied, and answers 201', async () => {
    const body = { ...MOVE_IN, ledger_id: 'L-9', unit_name: 'Unit 1', pms_location_code: 'MAIN' };
    const answer = await move(body);
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        message: 'Request successful.',
        data: { unit_id: ULID, applied_at: NOW, access: expect.any(Object) },
      },
    ]);
    expect(await company.unit('A-1')).toMatchObject({
      unit_id: answer.body.data.unit_id,
      unit_name: 'Unit 1',
      source_type: 'push',
      location: { pms_location_code: 'MAIN' },
      facts: { occupied: true, pms_tenant_id: 't-1', ledger_id: 'L-9', move_in_date: '2025-12-01' },
      access: { state: 'tenant_permitted', reason: 'active' },
    });
    expect(await company.eventTypes()).toEqual(['UnitRegistered', 'TenantMovedIn']);
  });

  it('names a unit by its identifier where no name is given', async () => {
    await move(MOVE_IN);
    expect((await company.unit('A-1')).unit_name).toBe('A-1');
  });

  it('of another tenant replaces the tenancy, ends shares and override, keeps facts, and warns of a debt', async () => {
    const { unit_id } = (await move({ ...MOVE_IN, ledger_id: 'L-1' })).body.data;
    await company.moveIn('A-2', { pms_tenant_id: 't-2' });
    await company.patch('A-1', {
      balance_due: 12,
      paid_through_date: '2026-01-31',
      pms_lockout: true,
      pms_lock_exempt: true,
      pms_status_raw: 'x',
    });
    const friend = (await service.operator('get', `/units/${(await company.unit('A-2')).unit_id}`)).body.data;
    await service.operator('put', `/units/${unit_id}/shares/${friend.tenant.tenant_id}`);
    await service.operator('put', `/units/${unit_id}/override`, { override: 'lockout', reason: 'r' });
    const answer = await move({ pms_tenant_id: 't-3', move_in_date: '2026-01-01' });
    expect(answer.status).toBe(200);
    expect(answer.body.data.warnings).toEqual([
      { code: 'tenant_replaced', message: expect.stringContaining('t-1'), former_pms_tenant_id: 't-1' },
      { code: 'balance_carried_over', message: expect.stringContaining('balance') },
      { code: 'exemption_carried_over', message: expect.stringContaining('pms_lock_exempt') },
      { code: 'lockout_carried_over', message: expect.stringContaining('pms_lockout') },
    ]);
    const after = (await service.operator('get', `/units/${unit_id}`)).body.data;
    expect(after).toMatchObject({ override: null, shares: [], tenant: { pms_tenant_id: 't-3' } });
    expect(after.facts).toMatchObject({ balance_due: 12, pms_status_raw: 'x', ledger_id: null });
  });

  it('says that the company has no location, whichever code is named', async () => {
    const bare = await service.operator('post', '/companies', { name: 'Bare' });
    const tokens = `/companies/${bare.body.data.company_id}/api-tokens`;
    const { token } = (await service.operator('post', tokens, { name: 'PMS' })).body.data;
    const text = 'The company has no location yet. An operator must add one first.';
    for (const body of [MOVE_IN, { ...MOVE_IN, pms_location_code: 'MAIN' }]) {
      const answer = await service.call('put', '/api/v2/units/A-1/tenancy', { token, body });
      expect([answer.status, answer.body]).toEqual([422, invalid({ pms_location_code: text })]);
    }
    const units = [{ crm_unit_id: 'A-1', occupied: false }];
    const bulk = await service.call('patch', '/api/v2/units', { token, body: { units } });
    expect(bulk.body.data.errors).toMatchObject([{ error: `units.0.pms_location_code: ${text}` }]);
  });

  it('takes the company’s only location, and demands a code where there are several', async () => {
    expect((await move(MOVE_IN)).status).toBe(201);
    await company.addLocation({ pms_location_code: 'SECOND' });
    const missing = await move(MOVE_IN, 'B-1');
    expect([missing.status, missing.body]).toMatchObject([
      422,
      invalid({ pms_location_code: 'The pms location code field is required.' }),
    ]);
    const unknown = await move({ ...MOVE_IN, pms_location_code: 'NOWHERE' }, 'B-1');
    expect([unknown.status, unknown.body]).toEqual([
      422,
      invalid({
        pms_location_code: 'The selected pms location code is invalid. GET /api/v2/company lists the codes.',
      }),
    ]);
    const named = await move({ ...MOVE_IN, pms_location_code: 'SECOND' }, 'B-1');
    expect([named.status, (await company.unit('B-1')).location.pms_location_code]).toEqual([201, 'SECOND']);
  });

  it('keeps an existing unit’s name with a warning', async () => {
    await move({ ...MOVE_IN, unit_name: 'Old', pms_location_code: 'MAIN' });
    const same = await move({ ...MOVE_IN, unit_name: 'Old', pms_location_code: 'MAIN' });
    expect(same.body.data.warnings).toBeUndefined();
    const answer = await move({ ...MOVE_IN, unit_name: 'New', pms_location_code: 'MAIN' });
    expect([answer.status, answer.body.data.warnings]).toEqual([
      200,
      [{ code: 'unit_name_ignored', message: expect.any(String) }],
    ]);
    expect((await company.unit('A-1')).unit_name).toBe('Old');
  });

  it('of another location does not take the unit of this one', async () => {
    await company.addLocation({ pms_location_code: 'SOUTH' });
    await move({ ...MOVE_IN, pms_location_code: 'MAIN' });
    const answer = await move({ ...MOVE_IN, pms_tenant_id: 't-2', pms_location_code: 'SOUTH' });
    const hint = expect.stringContaining('at MAIN. If you mean another unit, put the site before');
    expect([answer.status, answer.body]).toMatchObject([
      422,
      {
        code: 'validation_failed',
        hint,
        details: [{ field: 'pms_location_code', code: 'unit_at_other_location', hint }],
      },
    ]);
    expect((await company.unit('A-1')).facts.pms_tenant_id).toBe('t-1');
  });

  it('of a location that does not exist is refused for an existing unit, too', async () => {
    await move(MOVE_IN);
    const answer = await move({ ...MOVE_IN, pms_location_code: 'NOWHERE' });
    expect(answer.body.details).toMatchObject([{ field: 'pms_location_code', code: 'unknown_value' }]);
  });

  it.each([
    [{}, { pms_tenant_id: 'is required.', move_in_date: 'is required.' }],
    [{ ...MOVE_IN, pms_tenant_id: null }, { pms_tenant_id: 'is required.' }],
    [{ ...MOVE_IN, pms_tenant_id: 7 }, { pms_tenant_id: 'must be a string.' }],
    [
      { ...MOVE_IN, pms_tenant_id: 'x'.repeat(256) },
      { pms_tenant_id: 'must not be greater than 255 characters.' },
    ],
    [{ ...MOVE_IN, pms_tenant_id: 'a\u0007' }, { pms_tenant_id: 'must not contain control characters.' }],
    [{ ...MOVE_IN, unit_name: null }, { unit_name: 'must be a string.' }],
    ...['a\u200bb', '\u202eb'].map((unit_name): [object, Record<string, string>] => [
      { ...MOVE_IN, unit_name },
      { unit_name: 'must not contain invisible characters.' },
    ]),
    ...['T\u200b-1', 'T-1\u202e', '\ufeffT-1'].map((pms_tenant_id): [object, Record<string, string>] => [
      { ...MOVE_IN, pms_tenant_id },
      { pms_tenant_id: 'must not contain invisible characters.' },
    ]),
    [{ ...MOVE_IN, pms_location_code: null }, { pms_location_code: 'must be a string.' }],
    ...['2026-02-30', '2026-2-1', '2026-01-01T00:00:00Z', 20260101].map(
      (move_in_date): [object, Record<string, string>] => [
        { ...MOVE_IN, move_in_date },
        { move_in_date: 'must be a valid date in the format YYYY-MM-DD.' },
      ],
    ),
    ...['name', 'email', 'phone', 'first_name', 'last_name', 'tenant', 'occupied', 'foo'].map(
      (name): [object, Record<string, string>] => [
        { ...MOVE_IN, [name]: 'x' },
        { [name]: 'is not allowed.' },
      ],
    ),
  ] as [object, Record<string, string>][])('of %j is refused', async (body, faults) => {
    const answer = await move(body);
    const errors = Object.entries(faults).map(([name, fault]) => [
      name,
      `The ${name.replaceAll('_', ' ')} field ${fault}`,
    ]);
    const { details, ...told } = invalid(Object.fromEntries(errors));
    expect([answer.status, answer.body]).toMatchObject([422, told]);
    expect(answer.body.details).toMatchObject(details as object[]);
    expect(await company.unitEvents()).toEqual([]);
  });

  it('says where a field belongs that it does not take', async () => {
    const answer = await move({ ...MOVE_IN, phone: '+13125550100', locationCode: 'MAIN' });
    expect(answer.body.details.map(({ hint }: { hint?: string }) => hint)).toEqual([
      'A move-in names no person. A bulk does, in tenant.',
      'Did you mean pms_location_code?',
    ]);
    const facts = await company.patch('A-1', { occupied: true });
    expect(facts.body.details[0].hint).toBe('Move in with PUT …/tenancy, out with DELETE …/tenancy.');
    const bulk = await company.sync([{ crm_unit_id: 'A-1', occupied: false, phone: '+13125550100' }]);
    expect(bulk.body.data.errors[0].details[0].hint).toBe('Send it as tenant.phone.');
  });

  it('accepts a ledger that is null', async () => {
    await move({ ...MOVE_IN, ledger_id: 'L-1' });
    expect((await move({ ...MOVE_IN, ledger_id: null })).status).toBe(200);
    expect((await company.unit('A-1')).facts.ledger_id).toBeNull();
  });
});

describe('a move-out', () => {
  it('warns that it made a unit rentable', async () => {
    await move(MOVE_IN);
    await company.patch('A-1', { pms_unrentable: true });
    expect((await company.moveOut('A-1')).body.data.warnings).toEqual([
      { code: 'unrentable_cleared', message: expect.any(String) },
    ]);
    expect(await company.access('A-1')).toBe('vacant');
  });
});

describe('a unit of the dashboard', () => {
  it('refuses every write of the integrator with the message of the specification', async () => {
    const path = `/locations/${company.locations.get('MAIN')}/units`;
    await service.operator('post', path, { crm_unit_id: 'S-1' });
    const before = await company.unitEvents();
    for (const answer of [
      await company.moveIn('S-1'),
      await company.moveOut('S-1'),
      await company.patch('S-1', { balance_due: 1 }),
      await company.push('put', '/units/S-1/tenancy?dry_run=true', MOVE_IN),
    ]) {
      expect([answer.status, answer.body]).toEqual([
        409,
        { code: 'unit_managed_elsewhere', message: MANAGED_ELSEWHERE },
      ]);
    }
    const bulk = await company.sync([{ crm_unit_id: 'S-1', occupied: false }]);
    expect([bulk.status, bulk.body.message]).toEqual([200, 'Sync completed with errors.']);
    expect(bulk.body.data.errors).toEqual([
      { crm_unit_id: 'S-1', error: MANAGED_ELSEWHERE, code: 'unit_managed_elsewhere' },
    ]);
    expect(await company.unitEvents()).toEqual(before);
  });
});

describe('identifiers of units', () => {
  const odd = ['A 1', 'A/1', '#7', '1?x=1&y', '50%', '🏠🔑', '...', 'ä-Ö', '%2F', "o'c;,:@+$*", 'ULID:1'];

  it.each([...odd, 'x'.repeat(128), '🏠'.repeat(128)])('may be %j', async (crm_unit_id) => {
    const answer = await company.moveIn(crm_unit_id);
    expect(answer.status).toBe(201);
    const unit = await company.unit(crm_unit_id);
    expect([unit.crm_unit_id, unit.unit_id]).toEqual([crm_unit_id, answer.body.data.unit_id]);
    expect((await company.patch(crm_unit_id, { balance_due: 1 })).status).toBe(200);
    const bulk = await company.sync([{ crm_unit_id, occupied: false }]);
    expect(bulk.body.data).toMatchObject({ updated: 1, errors: [] });
    expect((await company.moveOut(crm_unit_id)).status).toBe(200);
    expect((await company.list()).map((one) => one.crm_unit_id)).toEqual([crm_unit_id]);
  });

  it.each([
    ['x'.repeat(129), 'must be between 1 and 128 characters.'],
    ['🏠'.repeat(129), 'must be between 1 and 128 characters.'],
    ['a\tb', 'must not contain control characters.'],
    ['a\u0000', 'must not contain control characters.'],
  ])('may not be %j', async (crm_unit_id, fault) => {
    const answer = await company.moveIn(crm_unit_id);
    const expected = [422, invalid({ crm_unit_id: `The crm unit id field ${fault}` })];
    expect([answer.status, answer.body]).toEqual(expected);
    expect(await company.unitEvents()).toEqual([]);
  });

  it.each(['.', '..'])('may not be %s, which clients take out of a path', async (crm_unit_id) => {
    const { body } = await company.sync([{ crm_unit_id, occupied: false }]);
    expect(body.data.errors[0].errors).toEqual({
      'units.0.crm_unit_id': ['The crm unit id field must not be a relative path.'],
    });
  });

  it.each(['A\u200b1', '\u202eA1', 'A\u00ad1'])(
    'may not be %j, as a name may not hide anything',
    async (crm_unit_id) => {
      const fault = ['The crm unit id field must not contain invisible characters.'];
      const { body } = await company.sync([{ crm_unit_id, occupied: false }]);
      expect(body.data.errors[0].errors).toEqual({ 'units.0.crm_unit_id': fault });
      const answer = await company.moveIn(crm_unit_id);
      expect([answer.status, answer.body.errors]).toEqual([422, { crm_unit_id: fault }]);
    },
  );

  it('are compared code point by code point: letter case makes another unit', async () => {
    const names = ['a', 'A', 'e\u0301', 'E\u0301'];
    for (const name of names) expect((await company.moveIn(name)).status).toBe(201);
    expect((await company.list()).map((one) => one.crm_unit_id)).toEqual(names);
    const { body } = await company.sync(names.map((crm_unit_id) => ({ crm_unit_id, occupied: false })));
    expect(body.data).toMatchObject({ total: 4, updated: 4 });
  });
});

describe('a path by the service’s own identifier', () => {
  it('names the same unit in every route', async () => {
    const { unit_id } = (await move(MOVE_IN)).body.data;
    const key = `ulid:${unit_id}`;
    expect((await company.push('put', `/units/${key}/tenancy`, MOVE_IN)).status).toBe(200);
    expect((await company.patch(key, { balance_due: 5 })).body.data.unit_id).toBe(unit_id);
    expect((await company.unit(key)).crm_unit_id).toBe('A-1');
    expect((await company.moveOut(key)).status).toBe(200);
    expect(await company.access('A-1')).toBe('vacant');
  });

  it('is 404 where no unit of the company has it, and creates none', async () => {
    const other = await service.company();
    const { unit_id } = (await other.moveIn('B-1')).body.data;
    for (const key of [`ulid:${unit_id}`, `ulid:${unit_id.slice(1)}`, 'ulid:', 'ulid:../x']) {
      for (const answer of [
        await company.moveIn(key),
        await company.moveOut(key),
        await company.patch(key, { balance_due: 1 }),
        await company.push('get', unitPath(key)),
      ]) {
        expect([answer.status, answer.body]).toMatchObject([
          404,
          { code: 'unit_not_found', message: 'Unit not found.' },
        ]);
      }
    }
    expect(await company.unitEvents()).toEqual([]);
  });
});
