import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../../support/service.js';
import { invalid } from '../../support/invalid.js';

const ULID = expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
const NOW = '2026-01-01T00:00:00.000Z';
const NOBODY = '01ARZ3NDEKTSV4RRFFQ69G5FAV';
const MANAGED_ELSEWHERE = 'This unit is managed by a pull-mode PMS integration. Please contact support.';

let service: Service;
let company: Company;
let location_id: string;

beforeAll(async () => {
  service = await Service.start();
});
afterAll(() => service.close());
beforeEach(async () => {
  company = await service.company();
  location_id = company.locations.get('MAIN')!;
});

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const pushed = async (name = 'A-1', body: object = {}) =>
  demand(201, await company.moveIn(name, body)).unit_id as string;
const standalone = async (crm_unit_id = 'S-1') =>
  demand(201, await operator('post', `/locations/${location_id}/units`, { crm_unit_id })).unit_id as string;
const tenantOf = async (unit_id: string) =>
  demand(200, await operator('get', `/units/${unit_id}`)).tenant.tenant_id as string;

describe('a standalone unit', () => {
  it('is registered by the operator, once', async () => {
    const path = `/locations/${location_id}/units`;
    const answer = await operator('post', path, { crm_unit_id: 'S/1', unit_name: 'One' });
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        message: 'Request successful.',
        data: { unit_id: ULID, applied_at: NOW, access: expect.any(Object) },
      },
    ]);
    expect(await company.unit('S/1')).toMatchObject({
      unit_name: 'One',
      source_type: 'standalone',
      facts: { occupied: false },
      access: { state: 'vacant' },
    });
    const again = await operator('post', path, { crm_unit_id: 'S/1' });
    expect([again.status, again.body]).toEqual([
      422,
      invalid({ crm_unit_id: ['The crm unit id has already been taken.'] }, ['taken']),
    ]);
    const elsewhere = await operator('post', `/locations/${NOBODY}/units`, { crm_unit_id: 'S-2' });
    expect(elsewhere.status).toBe(404);
  });

  it.each([
    [{}, { crm_unit_id: ['The crm unit id field is required.'] }, 'required'],
    [
      { crm_unit_id: 'ulid:x' },
      { crm_unit_id: ['The crm unit id field must not begin with ulid:.'] },
      'format',
    ],
    [
      { crm_unit_id: 'S-1', occupied: true },
      { occupied: ['The occupied field is not allowed.'] },
      'not_allowed',
    ],
  ])('is not registered with %j', async (body, errors, code) => {
    const answer = await operator('post', `/locations/${location_id}/units`, body);
    expect([answer.status, answer.body]).toEqual([422, invalid(errors, [code])]);
  });

  it('is moved in, changed and moved out as in push', async () => {
    const unit_id = await standalone();
    const body = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
    const moveIn = await operator('put', `/units/${unit_id}/tenancy`, body);
    expect([moveIn.status, moveIn.body]).toEqual([
      200,
      { message: 'Request successful.', data: { unit_id, applied_at: NOW, access: expect.any(Object) } },
    ]);
    const change = await operator('patch', `/units/${unit_id}`, { pms_lockout: true });
    expect([change.status, change.body]).toEqual([
      200,
      { message: 'Unit updated.', data: { unit_id, applied_at: NOW, access: expect.any(Object) } },
    ]);
    expect(await company.access('S-1')).toBe('tenant_denied pms_lockout');
    expect((await operator('patch', `/units/${unit_id}`, {})).status).toBe(422);
    expect((await operator('patch', `/units/${unit_id}`, { occupied: false })).status).toBe(422);
    expect((await operator('delete', `/units/${unit_id}/tenancy`)).status).toBe(200);
    expect(await company.access('S-1')).toBe('vacant');
    const actors = (await company.unitEvents()).map(({ metadata }) => metadata['actor']);
    expect(new Set(actors.map((actor) => JSON.stringify(actor))).size).toBe(1);
    expect(actors[0]).toEqual({ kind: 'operator', id: expect.any(String) });
  });

  it('is the only kind whose tenancy and facts an operator writes', async () => {
    const unit_id = await pushed();
    const before = await company.unitEvents();
    const body = { pms_tenant_id: 't-1', move_in_date: '2025-12-01' };
    for (const answer of [
      await operator('put', `/units/${unit_id}/tenancy`, body),
      await operator('delete', `/units/${unit_id}/tenancy`),
      await operator('patch', `/units/${unit_id}`, { pms_lockout: true }),
    ]) {
      expect([answer.status, Object.keys(answer.body)]).toEqual([409, ['message', 'code']]);
    }
    expect(await company.unitEvents()).toEqual(before);
    expect((await company.moveIn('A-1')).body.message).not.toBe(MANAGED_ELSEWHERE);
  });
});

describe('a unit in the operator’s eyes', () => {
  it('has facts, access with checks, locks, zones, shares and tenant', async () => {
    const unit_id = await pushed('A-1', { ledger_id: 'L' });
    const lock = demand(201, await operator('post', `/locations/${location_id}/locks`, { name: 'Door' }));
    demand(200, await operator('put', `/units/${unit_id}/locks/${lock.lock_id}`));
    const zone = demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'North' }));
    demand(200, await operator('put', `/zones/${zone.zone_id}/units/${unit_id}`));
    const friend = await tenantOf(await pushed('A-2', { pms_tenant_id: 't-2' }));
    demand(200, await operator('put', `/units/${unit_id}/shares/${friend}`));
    const unit = await company.unit('A-1');
    expect(demand(200, await operator('get', `/units/${unit_id}`))).toEqual({
      ...unit,
      company_id: company.id,
      retired: false,
      override: null,
      round_the_clock: false,
      locks: [{ lock_id: lock.lock_id, name: 'Door', serial: null, key_format: 1, keys_outstanding: [] }],
      other_keys_outstanding: [],
      zones: [{ zone_id: zone.zone_id, name: 'North' }],
      shares: [
        {
          tenant_id: friend,
          pms_tenant_id: 't-2',
          name: null,
          email: null,
          phone: null,
          until: null,
          share_id: null,
        },
      ],
      invitations: [],
      tenant: { tenant_id: ULID, pms_tenant_id: 't-1', name: null, email: null, phone: null },
    });
  });

  it('and its tenant have every key that still opens something: locks, locks taken off since, and entry points', async () => {
    const unit_id = await pushed('A-1');
    const other = await pushed('A-2', { pms_tenant_id: 't-2' });
    const lock = demand(201, await operator('post', `/locations/${location_id}/locks`, { name: 'Door' }));
    demand(200, await operator('put', `/units/${unit_id}/locks/${lock.lock_id}`));
    const zone = demand(201, await operator('post', `/locations/${location_id}/zones`, { name: 'North' }));
    demand(200, await operator('put', `/zones/${zone.zone_id}/units/${unit_id}`));
    const gate = { name: 'Gate', kind: 'gate', zone_ids: [zone.zone_id] };
    const { entry_point_id } = demand(
      201,
      await operator('post', `/locations/${location_id}/entry-points`, gate),
    );
    const tenant_id = await tenantOf(unit_id);
    const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
    const { token } = await service.part(TenantSessions).begin(account!);
    demand(200, await service.call('get', '/api/v2/tenant/access', { token }));
    const shown = async (unit: string) => {
      const { locks, other_keys_outstanding } = demand(200, await operator('get', `/units/${unit}`));
      return { locks, other_keys_outstanding };
    };
    const expires_at = expect.stringMatching(/Z$/);
    const toDoor = { tenant_id, expires_at };
    const toGate = { entry_point_id, name: 'Gate', tenant_id, expires_at };
    expect(await shown(unit_id)).toMatchObject({
      locks: [{ keys_outstanding: [toDoor] }],
      other_keys_outstanding: [toGate],
    });
    const tenant = demand(200, await operator('get', `/tenants/${tenant_id}`));
    expect(tenant).toEqual({
      tenant_id,
      pms_tenant_id: 't-1',
      company_id: company.id,
      location_id,
      name: null,
      email: null,
      phone: null,
      created_at: NOW,
      erased_at: null,
      units: [
        expect.objectContaining({ unit_id, access: expect.objectContaining({ state: 'tenant_permitted' }) }),
      ],
      shares: [],
      sessions: [{ session_id: ULID, created_at: NOW, expires_at: '2026-01-31T00:00:00.000Z' }],
      keys_outstanding: expect.arrayContaining([
        { lock_id: lock.lock_id, name: 'Door', expires_at },
        { entry_point_id, name: 'Gate', expires_at },
      ]),
    });
    expect(tenant.keys_outstanding).toHaveLength(2);
    demand(200, await operator('put', `/units/${other}/shares/${tenant_id}`));
    expect(demand(200, await operator('get', `/tenants/${tenant_id}`)).shares).toMatchObject([
      { unit_id: other },
    ]);
    const nobody = await operator('get', `/tenants/${NOBODY}`);
    expect([nobody.status, nobody.body.code]).toEqual([404, 'tenant_not_found']);
    await company.moveOut('A-1');
    demand(200, await operator('delete', `/units/${unit_id}/locks/${lock.lock_id}`));
    demand(200, await operator('put', `/units/${other}/locks/${lock.lock_id}`));
    const keys = {
      locks: [],
      other_keys_outstanding: [{ lock_id: lock.lock_id, name: 'Door', ...toDoor }, toGate],
    };
    expect(await shown(unit_id)).toEqual(keys);
    // Whose ever it was, it opens that door now.
    expect(await shown(other)).toMatchObject({
      locks: [{ keys_outstanding: [toDoor] }],
      other_keys_outstanding: [],
    });
  });

  it.each([NOBODY, 'x', 'ulid:x', '%2e%2e'])('%s that is none is 404 on every route', async (unit_id) => {
    const override = { override: 'lockout', reason: 'r' };
    const move = { pms_tenant_id: 't', move_in_date: '2026-01-01' };
    for (const [method, path, body] of [
      ['get', '', undefined],
      ['patch', '', { pms_lockout: true }],
      ['patch', '/name', { unit_name: 'x' }],
      ['put', '/override', override],
      ['delete', '/override', undefined],
      ['put', '/tenancy', move],
      ['delete', '/tenancy', undefined],
      ['put', `/shares/${NOBODY}`, undefined],
      ['delete', `/shares/${NOBODY}`, undefined],
    ] as const) {
      const answer = await operator(method, `/units/${unit_id}${path}`, body);
      expect([path, answer.status, answer.body]).toMatchObject([
        path,
        404,
        { code: 'unit_not_found', message: 'Unit not found.' },
      ]);
    }
  });

  it('is renamed, whatever its source, without touching anything else', async () => {
    const unit_id = await pushed();
    const answer = await operator('patch', `/units/${unit_id}/name`, { unit_name: 'Corner' });
    expect([answer.status, answer.body.data.unit_id]).toEqual([200, unit_id]);
    expect((await company.unit('A-1')).unit_name).toBe('Corner');
    await company.moveIn('A-1');
    expect((await company.eventTypes()).at(-1)).toBe('UnitRenamed');
    for (const body of [{}, { unit_name: '' }, { unit_name: null }, { unit_name: 'x', foo: 1 }]) {
      expect((await operator('patch', `/units/${unit_id}/name`, body)).status).toBe(422);
    }
  });
});

describe('the operator’s list', () => {
  const listed = async (query: string) =>
    demand(200, await operator('get', `/units?${query}`)).units.map(
      ({ crm_unit_id }: { crm_unit_id: string }) => crm_unit_id,
    );

  it('narrows by company, location, state and text, in pages', async () => {
    const far = await company.addLocation({ pms_location_code: 'FAR' });
    const entry = { occupied: false, pms_location_code: 'MAIN' };
    await company.sync([
      { ...entry, crm_unit_id: 'North-1' },
      { ...entry, crm_unit_id: 'n2', unit_name: 'NORTH two', pms_unrentable: true },
      { ...entry, crm_unit_id: 'S-1', pms_location_code: 'FAR' },
    ]);
    await (await service.company()).moveIn('North-9');
    const scope = `company_id=${company.id}`;
    expect(await listed(scope)).toEqual(['North-1', 'n2', 'S-1']);
    expect(await listed(`location_id=${far}`)).toEqual(['S-1']);
    expect(await listed(`${scope}&state=vacant`)).toEqual(['North-1', 'S-1']);
    expect(await listed(`${scope}&q=north`)).toEqual(['North-1', 'n2']);
    expect(await listed(`${scope}&q=NORTH&state=unrentable`)).toEqual(['n2']);
    expect(await listed(`${scope}&q=absent`)).toEqual([]);
    const page = demand(200, await operator('get', `/units?${scope}&limit=2`));
    expect(page.units[0]).toMatchObject({ company_id: company.id, crm_unit_id: 'North-1' });
    expect(page.units[0].access).not.toHaveProperty('checks');
    const rest = await listed(`${scope}&limit=2&cursor=${encodeURIComponent(page.next_cursor)}`);
    expect(rest).toEqual(['S-1']);
  });

  it('of a company and another company’s location is empty', async () => {
    await pushed();
    const other = await service.company();
    expect(await listed(`company_id=${other.id}&location_id=${location_id}`)).toEqual([]);
  });

  it.each(['state=open', 'limit=0', 'limit=501', 'company_id=x', 'location_id=x', 'q=', 'cursor=x', 'foo=1'])(
    'refuses ?%s',
    async (query) => {
      await pushed();
      const answer = await operator('get', `/units?${query}`);
      expect([answer.status, answer.body.message]).toEqual([422, 'Validation failed.']);
      expect(Object.keys(answer.body.errors)).toEqual([query.split('=')[0]]);
    },
  );
});

describe('an override', () => {
  it('is answered with the access that follows, and shown', async () => {
    const unit_id = await pushed();
    const expires_at = '2026-01-01T12:00:00.000Z';
    const body = { override: 'lockout', reason: 'Police', expires_at };
    const answer = await operator('put', `/units/${unit_id}/override`, body);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'Request successful.',
        data: {
          unit_id,
          applied_at: NOW,
          access: {
            state: 'tenant_denied',
            reason: 'system_lockout',
            also: [],
            resolution: [{ unit_id, crm_unit_id: 'A-1', field: 'override', to: null, by: 'operator' }],
            valid_until: expires_at,
          },
        },
      },
    ]);
    expect(demand(200, await operator('get', `/units/${unit_id}`)).override).toEqual(body);
    const before = await company.unitEvents();
    await operator('put', `/units/${unit_id}/override`, body);
    expect(await company.unitEvents()).toEqual(before);
    service.manualClock.advance(12 * 60 * 60 * 1000);
    expect(demand(200, await operator('get', `/units/${unit_id}`)).override).toBeNull();
  });

  it.each([
    [{ reason: 'r' }, 'override', 'The override field is required.'],
    [{ override: 'open', reason: 'r' }, 'override', 'The override field must be one of lockout, exempt.'],
    [{ override: 'exempt' }, 'reason', 'The reason field is required.'],
    [{ override: 'exempt', reason: ' ' }, 'reason', 'The reason field is required.'],
    [{ override: 'exempt', reason: '\u2800' }, 'reason', 'The reason field is required.'],
    [
      { override: 'exempt', reason: 'x'.repeat(501) },
      'reason',
      'The reason field must not be greater than 500 characters.',
    ],
    [
      { override: 'exempt', reason: 'r', expires_at: '2026-01-02' },
      'expires_at',
      'The expires at field must be a valid ISO 8601 timestamp with a time zone.',
    ],
    [
      { override: 'exempt', reason: 'r', expires_at: '9999-12-31T23:59:59-14:00' },
      'expires_at',
      'The expires at field must be a valid ISO 8601 timestamp with a time zone.',
    ],
    [{ override: 'exempt', reason: 'r', foo: 1 }, 'foo', 'The foo field is not allowed.'],
  ])('of %j is refused', async (body, field, message) => {
    const answer = await operator('put', `/units/${await pushed()}/override`, body);
    expect([answer.status, answer.body]).toEqual([422, invalid({ [field]: [message] })]);
  });
});

describe('a share', () => {
  it('is given and ended, each once', async () => {
    const unit_id = await pushed();
    const friend = await tenantOf(await pushed('A-2', { pms_tenant_id: 't-2' }));
    const path = `/units/${unit_id}/shares/${friend}`;
    for (const method of ['put', 'put', 'delete', 'delete'] as const)
      demand(200, await operator(method, path));
    const types = (await service.events()).filter(({ stream }) => stream === `unit-${company.id}.A-1`);
    expect(types.map(({ type }) => type).slice(2)).toEqual(['UnitShared', 'UnitShareEnded']);
  });

  it('needs an occupied unit, and a tenant of the same location who is not its own', async () => {
    const unit_id = await pushed();
    const own = await tenantOf(unit_id);
    const toSelf = await operator('put', `/units/${unit_id}/shares/${own}`);
    expect([toSelf.status, Object.keys(toSelf.body.errors)]).toEqual([422, ['tenant_id']]);
    await company.addLocation({ pms_location_code: 'FAR' });
    const far = await tenantOf(await pushed('F-1', { pms_location_code: 'FAR', pms_tenant_id: 't-7' }));
    const away = await operator('put', `/units/${unit_id}/shares/${far}`);
    expect([away.status, Object.keys(away.body.errors)]).toEqual([422, ['tenant_id']]);
    const other = await service.company();
    await other.moveIn('X-1');
    const stranger = await tenantOf((await other.unit('X-1')).unit_id);
    for (const tenant of [stranger, NOBODY]) {
      expect((await operator('put', `/units/${unit_id}/shares/${tenant}`)).status).toBe(404);
    }
    await company.moveOut('A-1');
    const friend = await tenantOf(await pushed('A-2', { pms_tenant_id: 't-2', pms_location_code: 'MAIN' }));
    const vacant = await operator('put', `/units/${unit_id}/shares/${friend}`);
    expect([vacant.status, vacant.body.message]).toEqual([422, 'The unit is not occupied.']);
  });
});

describe('the operator’s routes', () => {
  it('lose a token at once when it is revoked', async () => {
    const path = `/companies/${company.id}/api-tokens`;
    const { api_tokens } = demand(200, await operator('get', path));
    demand(200, await operator('delete', `${path}/${api_tokens[0].token_id}`));
    expect((await company.push('get', '/units')).status).toBe(401);
  });
});

describe('a history', () => {
  it('calls who wrote by their names, a token that was revoked since too', async () => {
    const unit_id = await pushed();
    await operator('patch', `/units/${unit_id}/name`, { unit_name: 'Corner' });
    const path = `/companies/${company.id}/api-tokens`;
    const { api_tokens } = demand(200, await operator('get', path));
    demand(200, await operator('delete', `${path}/${api_tokens[0].token_id}`));
    const { entries } = demand(200, await operator('get', `/units/${unit_id}/history?order=desc`));
    const actors = entries.map(
      ({ actor: { kind, name } }: { actor: object & { kind: string; name: string } }) => [kind, name],
    );
    expect(actors).toEqual([
      ['operator', 'ada@example.com'],
      ['api_token', api_tokens[0].name],
      ['api_token', api_tokens[0].name],
    ]);
  });

  it('does not tell an integrator what operators sign in with', async () => {
    const unit_id = await pushed();
    await operator('patch', `/units/${unit_id}/name`, { unit_name: 'Corner' });
    const answer = await company.push('get', '/units/A-1/history?order=desc');
    expect(demand(200, answer).entries[0].actor).toMatchObject({ kind: 'operator', name: null });
    expect(answer.text).not.toContain('ada@example.com');
  });
});
