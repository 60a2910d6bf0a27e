import { type Company, demand, Service, unitPath } from '../../support/service.js';
import { untouchedCompanies } from './support/untouched-company.js';

const ULID = expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const NOW = '2026-01-01T00:00:00.000Z';

let service: Service;
let company: Company;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
const untouchedCompany = untouchedCompanies(
  () => service,
  async (running) => {
    const made = await running.company();
    await made.moveIn('A-1');
    return made;
  },
);
beforeEach(async () => {
  company = await untouchedCompany();
});

const patch = (body: unknown, unit = 'A-1') => company.push('patch', unitPath(unit), body);
const codes = (answer: { body: { data: { warnings?: { code: string }[] } } }) =>
  (answer.body.data.warnings ?? []).map(({ code }) => code);

describe('a change of facts', () => {
  it('sets exactly the facts that it names', async () => {
    const answer = await patch({
      balance_due: 120.45,
      paid_through_date: '2026-01-31',
      pms_status_raw: 'Late',
    });
    expect([answer.status, answer.body]).toEqual([
      200,
      { message: 'Unit updated.', data: { unit_id: ULID, applied_at: NOW, access: expect.any(Object) } },
    ]);
    await patch({ pms_lockout: true });
    expect((await company.unit('A-1')).facts).toEqual({
      occupied: true,
      pms_tenant_id: 't-1',
      ledger_id: null,
      move_in_date: '2025-12-01',
      balance_due: 120.45,
      paid_through_date: '2026-01-31',
      pms_lockout: true,
      pms_lock_exempt: false,
      pms_auction: false,
      pms_unrentable: false,
      pms_status_raw: 'Late',
    });
  });

  it.each([
    ['occupied', true, 'is not allowed.'],
    ['pms_tenant_id', 'x', 'is not allowed.'],
    ['move_in_date', '2026-01-01', 'is not allowed.'],
    ['ledger_id', 'x', 'is not allowed.'],
    ['foo', 1, 'is not allowed.'],
    ['balance_due', '12.00', 'must be a number.'],
    ['balance_due', null, 'must be a number.'],
    ['balance_due', 1.005, 'must have at most 2 decimal places.'],
    ['balance_due', 10000000000, 'must be between -9999999999.99 and 9999999999.99.'],
    ['paid_through_date', '2026-02-30', 'must be a valid date in the format YYYY-MM-DD.'],
    ['pms_lockout', null, 'must be true or false.'],
    ['pms_lock_exempt', null, 'must be true or false.'],
    ['pms_auction', null, 'must be true or false.'],
    ['pms_unrentable', null, 'must be true or false.'],
    ['pms_status_raw', 'x'.repeat(1001), 'must not be greater than 1000 characters.'],
    ['pms_status_raw', 5, 'must be a string.'],
    ['pms_status_raw', 'a\nb', 'must not contain control characters.'],
    ['pms_status_raw', 'paid\u202e', 'must not contain invisible characters.'],
  ])('with %s %j is refused and changes nothing', async (name, value, fault) => {
    const body = `{"pms_auction":true,${JSON.stringify(name)}:${JSON.stringify(value)}}`;
    const answer = await patch(body);
    expect(answer.status).toBe(422);
    expect(answer.body.message).toBe('Validation failed.');
    expect(Object.entries(answer.body.errors)).toEqual([
      [name, [`The ${name.replaceAll('_', ' ')} field ${fault}`]],
    ]);
    expect(await company.eventTypes()).toEqual(['UnitRegistered', 'TenantMovedIn']);
  });

  it('that names none is refused', async () => {
    const answer = await patch({});
    expect([answer.status, answer.body.message]).toEqual([422, 'Validation failed.']);
  });

  it('takes a status of 1,000 characters', async () => {
    const pms_status_raw = '🏠'.repeat(1000);
    expect((await patch({ pms_status_raw })).status).toBe(200);
    expect((await company.unit('A-1')).facts.pms_status_raw).toBe(pms_status_raw);
  });
});

describe('a warning', () => {
  it('tells that a lockout has no effect while the unit is exempt, and access stays', async () => {
    await patch({ pms_lock_exempt: true });
    const answer = await patch({ pms_lockout: true });
    expect(answer.body.data.warnings).toEqual([
      { code: 'lockout_suppressed_by_exemption', message: expect.any(String) },
    ]);
    expect(await company.access('A-1')).toBe('tenant_permitted pms_exempt');
  });

  it('tells so of an operator’s exemption as well', async () => {
    const { unit_id } = await company.unit('A-1');
    await service.operator('put', `/units/${unit_id}/override`, { override: 'exempt', reason: 'r' });
    expect(codes(await patch({ pms_lockout: true }))).toEqual(['lockout_suppressed_by_exemption']);
    expect(await company.access('A-1')).toBe('tenant_permitted system_exempt');
  });

  it('is absent where there is nothing to tell', async () => {
    expect((await patch({ pms_lockout: true })).body.data).not.toHaveProperty('warnings');
  });
});

describe('the access in the answer to a write', () => {
  it('names at most 20 of the units that owe', async () => {
    const units = Array.from({ length: 22 }, (_, number) => ({
      crm_unit_id: `D-${number}`,
      occupied: true,
      pms_tenant_id: 't-1',
      move_in_date: '2025-12-01',
      balance_due: 5,
      paid_through_date: '2025-11-01',
    }));
    await company.sync(units);
    const written = demand(200, await patch({ pms_status_raw: 'x' }));
    expect(written.access).toMatchObject({ reason: 'blanket_delinquency' });
    expect(written.access.resolution).toHaveLength(20);
  });

  it('is that of the write when the write is replayed later', async () => {
    const keyed = () =>
      service.call('patch', '/api/v2/units/A-1', {
        body: { pms_lockout: true },
        token: company.token,
        headers: { 'Idempotency-Key': 'a lockout' },
      });
    const first = await keyed();
    await patch({ pms_lockout: false });
    expect((await keyed()).text).toBe(first.text);
    expect(demand(200, first).access).toMatchObject({ state: 'tenant_denied', reason: 'pms_lockout' });
  });

  it('is not in the answer to a bulk', async () => {
    const units = [{ crm_unit_id: 'A-9', occupied: false }];
    expect(demand(200, await company.sync(units))).not.toHaveProperty('access');
  });
});

describe('a dry run', () => {
  const DRY = '?dry_run=true';

  it('of a move-in answers as the move-in would, without an id, and writes nothing', async () => {
    const before = await service.events();
    const body = { pms_tenant_id: 'new', move_in_date: '2026-01-02' };
    const answer = await company.push('put', `/units/B-1/tenancy${DRY}`, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'Dry run: nothing was stored.',
        data: {
          unit_id: null,
          applied_at: NOW,
          dry_run: true,
          access: {
            state: 'tenant_denied',
            reason: 'future_move_in',
            also: [],
            resolution: [
              { unit_id: null, crm_unit_id: 'B-1', field: 'move_in_date', to: '2026-01-01', by: 'pms' },
            ],
            checks: expect.any(Array),
            valid_until: '2026-01-02T00:00:00.000Z',
          },
        },
      },
    ]);
    expect(await service.events()).toEqual(before);
    expect((await company.push('get', '/units/B-1')).status).toBe(404);
    expect(await company.list()).toHaveLength(1);
  });

  it('of a write to a unit that exists names it, and leaves it as it was', async () => {
    await company.moveIn('A-2');
    const before = [await service.events(), await company.unit('A-1'), await company.list()];
    const { unit_id } = await company.unit('A-1');
    const move = { pms_tenant_id: 't-9', move_in_date: '2025-12-01' };
    const moveIn = await company.push('put', `/units/A-1/tenancy${DRY}`, move);
    expect([moveIn.status, moveIn.body.data.unit_id]).toEqual([200, unit_id]);
    const debt = { balance_due: 5, paid_through_date: '2025-11-01' };
    const change = await company.push('patch', `/units/A-1${DRY}`, debt);
    expect([change.status, change.body]).toMatchObject([
      200,
      {
        message: 'Dry run: nothing was stored.',
        data: { unit_id, dry_run: true, access: { state: 'tenant_denied', reason: 'delinquent' } },
      },
    ]);
    const moveOut = await company.push('delete', `/units/ulid:${unit_id}/tenancy${DRY}`);
    expect(moveOut.body).toMatchObject({
      message: 'Dry run: nothing was stored.',
      data: { unit_id, dry_run: true, access: { state: 'vacant', reason: null } },
    });
    expect([await service.events(), await company.unit('A-1'), await company.list()]).toEqual(before);
  });

  it('takes no key, and is not refused for one that is used', async () => {
    const debt = { balance_due: 5, paid_through_date: '2025-11-01' };
    const keyed = (query: string, body: object) =>
      service.call('patch', `/api/v2/units/A-1${query}`, {
        body,
        token: company.token,
        headers: { 'Idempotency-Key': 'rent of January' },
      });
    expect((await keyed(DRY, debt)).body.data.dry_run).toBe(true);
    expect((await keyed('', debt)).status).toBe(200);
    const other = await keyed(DRY, { balance_due: 0 });
    expect([other.status, other.body.data.access.state]).toEqual([200, 'tenant_permitted']);
  });

  it('tells the same access as the write that follows', async () => {
    const debt = { balance_due: 5, paid_through_date: '2025-11-01' };
    const dry = demand(200, await company.push('patch', `/units/A-1${DRY}`, debt));
    const { access } = demand(200, await patch(debt));
    expect(Object.keys(access)).toEqual(['state', 'reason', 'also', 'resolution', 'valid_until']);
    expect(dry.access).toMatchObject(access);
  });

  it('of a bulk answers the counts, the errors and the warnings', async () => {
    const before = [await service.events(), await company.list()];
    const units = [
      { crm_unit_id: 'A-1', occupied: true, pms_tenant_id: 't-1', move_in_date: '2025-12-01' },
      { crm_unit_id: 'A-2', occupied: false, pms_unrentable: true },
      { crm_unit_id: 'A-3', occupied: true },
      {
        crm_unit_id: 'A-4',
        occupied: true,
        move_in_date: '2025-12-01',
        balance_due: 5,
        pms_tenant_id: 't-7',
      },
    ];
    const answer = await company.push('patch', `/units${DRY}`, { units });
    expect([answer.status, answer.body]).toMatchObject([
      200,
      {
        message: 'Dry run: nothing was stored.',
        data: {
          synced_at: NOW,
          total: 4,
          created: 2,
          updated: 0,
          unchanged: 1,
          errors: [{ crm_unit_id: 'A-3' }],
          warnings: [{ crm_unit_id: 'A-4', code: 'balance_without_date' }],
          dry_run: true,
        },
      },
    ]);
    expect([await service.events(), await company.list()]).toEqual(before);
  });

  it('tells how a debt on one unit would deny that unit only, not what it does to others', async () => {
    await company.moveIn('A-2');
    await patch({ balance_due: 5, paid_through_date: '2025-11-01' });
    const paid = await company.push('patch', `/units/A-1${DRY}`, { balance_due: 0 });
    expect(paid.body.data.access).toMatchObject({ state: 'tenant_permitted', reason: 'active' });
    const other = await company.push('patch', `/units/A-2${DRY}`, { pms_status_raw: 'x' });
    expect(other.body.data.access).toMatchObject({ reason: 'blanket_delinquency' });
  });

  it('of a unit that would be created knows what its tenant owes on another', async () => {
    await patch({ balance_due: 5, paid_through_date: '2025-11-01' });
    const body = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
    const answer = await company.push('put', `/units/B-1/tenancy${DRY}`, body);
    expect(answer.body.data.access).toMatchObject({ state: 'tenant_denied', reason: 'blanket_delinquency' });
  });

  it('refuses what the write would refuse', async () => {
    for (const [method, path, body, status] of [
      ['patch', `/units/A-1${DRY}`, { foo: 1 }, 422],
      ['patch', `/units/B-1${DRY}`, { balance_due: 1 }, 404],
      ['delete', `/units/B-1/tenancy${DRY}`, undefined, 404],
      ['put', `/units/B-1/tenancy${DRY}`, {}, 422],
      ['patch', `/units${DRY}`, {}, 422],
    ] as const) {
      expect((await company.push(method, path, body)).status).toBe(status);
    }
  });

  it('that says false is none', async () => {
    expect((await company.push('patch', '/units/A-1?dry_run=false', { balance_due: 1 })).status).toBe(200);
    expect((await company.unit('A-1')).facts.balance_due).toBe(1);
  });
});
