import { PassDirectory } from '#domain/passes/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { appOf } from '../tenant/app-of.js';
import { ManualClock } from '../../support/manual-clock.js';
import { newPhone } from '../../support/new-phone.js';
import { addPassSite, inHours } from '../../support/pass-site.js';
import { type Company, demand, Service } from '../../support/service.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

let service: Service;
let company: Company;
let location_id: string;
let gate: string;
let unit_id: string;
let lock_id: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const body = (rest: object = {}) => ({
  name: 'Lakeside Pest Control',
  phone: newPhone(),
  entry_point_ids: [gate],
  until: inHours(service, 48),
  reason: 'vendor',
  ...rest,
});
const issue = (rest: object = {}) => operator('post', `/locations/${location_id}/passes`, body(rest));
const issued = async (rest: object = {}) => demand(201, await issue(rest));
const read = async (pass_id: string) => demand(200, await operator('get', `/passes/${pass_id}`));
const change = (pass_id: string, given: object) => operator('patch', `/passes/${pass_id}`, given);
const app = async (tenant_id: string) => demand(200, await (await appOf(service, tenant_id))());
const errorsOf = (answer: { body: { errors?: unknown } }) => answer.body.errors;

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-03-02T15:10:00.000Z')) });
});
afterAll(() => service.close());
beforeEach(async () => {
  ({ company, location_id, gate, unit_id, lock_id } = await addPassSite(service, 'A'));
});

describe('a new pass', () => {
  it('opens its gate and its unit for whoever signs in by its phone', async () => {
    const phone = newPhone();
    const pass = await issued({ phone, unit_ids: [unit_id] });
    expect(pass).toMatchObject({
      location_id,
      name: 'Lakeside Pest Control',
      phone,
      standing: 'in_force',
      ended_at: null,
      hours: null,
      note: null,
      entry_points: [{ entry_point_id: gate, name: 'North gate' }],
      units: [{ unit_id, unit_name: 'A-1', opens: true }],
      keys_outstanding: [],
    });
    const [account] = await service.part(TenantAccounts).byPhone(phone);
    expect(account!.tenant_id).toBe(pass.tenant_id);
    const key_expires_at = inHours(service, 50 / 60);
    expect(await app(pass.tenant_id)).toMatchObject({
      units: [],
      entry_points: [],
      passes: [
        {
          pass_id: pass.pass_id,
          location: { id: location_id },
          until: pass.until,
          entry_points: [{ entry_point_id: gate, state: 'permitted', key_expires_at }],
          units: [{ unit_id, state: 'vacant', locks: [{ lock_id, key_expires_at }] }],
        },
      ],
    });
    expect((await read(pass.pass_id)).keys_outstanding).toMatchObject([
      { name: 'North gate', entry_point_id: gate, expires_at: key_expires_at },
      { name: 'Door', lock_id, expires_at: key_expires_at },
    ]);
  });

  it('belongs to the account of its phone, one for all sites of a company', async () => {
    const phone = newPhone();
    const other = await company.addLocation({ pms_location_code: 'SOUTH' });
    const one = await issued({ phone });
    const there = body({ phone, entry_point_ids: undefined, name: 'Vic' });
    const gone = await operator('post', `/locations/${other}/passes`, there);
    expect(errorsOf(gone)).toHaveProperty('entry_point_ids');
    const door = { name: 'Lobby', kind: 'door', zone_ids: [] };
    const lobby = demand(201, await operator('post', `/locations/${other}/entry-points`, door));
    const given = { ...there, entry_point_ids: [lobby.entry_point_id as string] };
    const second = demand(201, await operator('post', `/locations/${other}/passes`, given));
    expect([second.tenant_id, second.name, (await read(one.pass_id)).name]).toEqual([
      one.tenant_id,
      'Vic',
      'Lakeside Pest Control',
    ]);
    expect((await app(one.tenant_id)).passes).toHaveLength(2);
  });

  it('is not the account of a tenant with the same phone', async () => {
    const phone = newPhone();
    const tenant = { pms_tenant_id: 't-9', name: 'Ada', phone };
    const ada = demand(201, await operator('post', `/locations/${location_id}/tenants`, tenant))
      .tenant_id as string;
    expect((await issued({ phone })).tenant_id).not.toBe(ada);
    expect((await app(ada)).passes).toEqual([]);
  });

  it('is made once, however often it is sent', async () => {
    const given = body();
    const headers = { 'Idempotency-Key': 'pass-once' };
    const send = async () => {
      const token = await service.operatorToken();
      return service.call('post', `/api/operator/locations/${location_id}/passes`, {
        token,
        body: given,
        headers,
      });
    };
    const [first, again] = [demand(201, await send()), demand(201, await send())];
    expect(again).toEqual(first);
    expect(demand(200, await operator('get', `/locations/${location_id}/passes`)).passes).toHaveLength(1);
  });

  it('is seen in the location’s list until it ends, then among the ended', async () => {
    const { pass_id } = await issued({ until: inHours(service, 1) });
    const list = async (standing = '') =>
      demand(200, await operator('get', `/locations/${location_id}/passes${standing}`)).passes;
    expect([await list(), await list('?standing=ended')]).toMatchObject([[{ pass_id }], []]);
    service.manualClock.advance(HOUR);
    expect([await list(), await list('?standing=ended')]).toMatchObject([
      [],
      [{ pass_id, standing: 'ended', ended_at: null }],
    ]);
  });
});

describe('a pass is refused', () => {
  const refused = async (rest: object) => {
    const answer = await issue(rest);
    return [answer.status, Object.keys(errorsOf(answer) ?? {})];
  };

  it.each([
    ['without a name', { name: ' ' }, 'name'],
    ['with a phone that is no whole number', { phone: '555-0100' }, 'phone'],
    ['with the number of a sandbox', { phone: '+9990000123' }, 'phone'],
    ['with an end that is past', { until: '2026-03-02T15:00:00.000Z' }, 'until'],
    ['with an end too far ahead', { until: '2027-03-04T15:10:00.000Z' }, 'until'],
    ['without an end', { until: undefined }, 'until'],
    [
      'with an end before its beginning',
      { from: '2026-03-05T00:00:00Z', until: '2026-03-04T00:00:00Z' },
      'until',
    ],
    ['with a reason of its own', { reason: 'friend' }, 'reason'],
    ['if it opens nothing', { entry_point_ids: [] }, 'entry_point_ids'],
    [
      'with an entry point that there is not',
      { entry_point_ids: ['01JB0GATE00000000000000001'] },
      'entry_point_ids.0',
    ],
    ['with a unit that there is not', { unit_ids: ['nothing'] }, 'unit_ids.0'],
    ['with a week without Sunday', { hours: { mon: 'always' } }, 'hours.tue'],
    ['with a note that is too long', { note: 'x'.repeat(501) }, 'note'],
  ])('%s', async (_, rest, field) => {
    const [status, fields] = await refused(rest);
    expect([status, fields]).toEqual([422, expect.arrayContaining([field])]);
  });

  it('with a gate or a unit that is named twice', async () => {
    expect(await refused({ entry_point_ids: [gate, gate] })).toEqual([422, ['entry_point_ids.1']]);
    expect(await refused({ unit_ids: [unit_id, unit_id] })).toEqual([422, ['unit_ids.1']]);
  });

  it('with a gate or a unit of another location', async () => {
    const other = await company.addLocation({ pms_location_code: 'SOUTH' });
    const answer = await operator('post', `/locations/${other}/passes`, body({ unit_ids: [unit_id] }));
    expect(errorsOf(answer)).toEqual({
      'entry_point_ids.0': ['The entry point ids.0 field must be an entry point of the same location.'],
    });
    const units = body({ entry_point_ids: [], unit_ids: [unit_id] });
    expect(errorsOf(await operator('post', `/locations/${other}/passes`, units))).toEqual({
      'unit_ids.0': ['The unit ids.0 field must be a unit of the same location.'],
    });
  });

  it('at the unit that is let, and makes no account', async () => {
    demand(200, await company.moveIn('A-1'));
    const phone = newPhone();
    const answer = await issue({ phone, unit_ids: [unit_id] });
    expect([answer.status, errorsOf(answer)]).toEqual([
      422,
      { 'unit_ids.0': ['The unit ids.0 field must be a unit that nobody rents, or one in auction.'] },
    ]);
    expect(await service.part(TenantAccounts).byPhone(phone)).toEqual([]);
  });

  it('at the unit that was retired', async () => {
    demand(200, await operator('put', `/units/${unit_id}/retired`));
    expect(await refused({ unit_ids: [unit_id] })).toEqual([422, ['unit_ids.0']]);
  });

  it('with a new account, once the location has 500 that have not ended', async () => {
    const full = jest
      .spyOn(service.part(PassDirectory), 'endingAfter')
      .mockResolvedValue(Array.from({ length: 500 }) as never);
    const answer = await issue();
    full.mockRestore();
    expect(Object.keys(errorsOf(answer) as object)).toEqual(['name']);
  });
});

describe('a unit of a pass', () => {
  it('is opened in auction, although somebody rents it', async () => {
    demand(200, await company.moveIn('A-1'));
    demand(200, await company.patch('A-1', { pms_auction: true }));
    const { tenant_id } = await issued({ unit_ids: [unit_id], reason: 'auction_buyer' });
    expect((await app(tenant_id)).passes[0].units).toMatchObject([
      { state: 'auction', locks: [{ lock_id }] },
    ]);
  });

  it('stays open for the buyer after the move-out of the tenant', async () => {
    demand(200, await company.moveIn('A-1'));
    demand(200, await company.patch('A-1', { pms_auction: true }));
    const { tenant_id } = await issued({ unit_ids: [unit_id], reason: 'auction_buyer' });
    demand(200, await company.moveOut('A-1'));
    expect((await app(tenant_id)).passes[0].units).toMatchObject([{ state: 'vacant' }]);
  });

  it.each([
    ['let', async () => demand(200, await company.moveIn('A-1'))],
    ['retired', async () => demand(200, await operator('put', `/units/${unit_id}/retired`))],
  ])('drops out once it is %s', async (_, happen) => {
    const { pass_id, tenant_id } = await issued({ unit_ids: [unit_id] });
    await happen();
    expect((await app(tenant_id)).passes).toMatchObject([{ pass_id, units: [] }]);
    expect((await read(pass_id)).units).toMatchObject([{ unit_id, opens: false }]);
  });

  it('does not come back after the tenancy, unless it is named again', async () => {
    const { pass_id, tenant_id } = await issued({ unit_ids: [unit_id] });
    demand(200, await company.moveIn('A-1'));
    demand(200, await company.moveOut('A-1'));
    expect((await app(tenant_id)).passes[0].units).toEqual([]);
    demand(200, await change(pass_id, { unit_ids: [unit_id] }));
    expect((await app(tenant_id)).passes[0].units).toMatchObject([{ unit_id }]);
  });
});

describe('a change of a pass', () => {
  it('is seen at once', async () => {
    const { pass_id, tenant_id } = await issued();
    const until = inHours(service, 1);
    demand(200, await change(pass_id, { until, reason: 'inspector', note: 'Badge 7', name: 'Vic' }));
    expect(await read(pass_id)).toMatchObject({ until, reason: 'inspector', note: 'Badge 7', name: 'Vic' });
    expect((await app(tenant_id)).passes).toMatchObject([
      { until, entry_points: [{ entry_point_id: gate }] },
    ]);
  });

  it('of the phone gives it to another account', async () => {
    const { pass_id, tenant_id } = await issued();
    const phone = newPhone();
    const after = demand(200, await change(pass_id, { phone }));
    expect([after.phone, after.tenant_id === tenant_id]).toEqual([phone, false]);
    expect((await app(tenant_id)).passes).toEqual([]);
    expect((await app(after.tenant_id)).passes).toMatchObject([{ pass_id }]);
  });

  it('clears hours and note', async () => {
    const always = Object.fromEntries(
      ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'].map((day) => [day, 'closed']),
    );
    const { pass_id } = await issued({ hours: always, note: 'Badge 7' });
    expect(await read(pass_id)).toMatchObject({ hours: always, note: 'Badge 7' });
    expect(demand(200, await change(pass_id, { hours: null, note: null }))).toMatchObject({
      hours: null,
      note: null,
    });
  });

  it('is refused at its fields', async () => {
    const { pass_id } = await issued();
    const fields = async (given: object) => Object.keys(errorsOf(await change(pass_id, given)) as object);
    expect(await fields({ until: inHours(service, -1) })).toEqual(['until']);
    expect(await fields({ entry_point_ids: [] })).toEqual(['entry_point_ids']);
    expect(await fields({ entry_point_ids: ['nothing'] })).toEqual(['entry_point_ids.0']);
    expect(await fields({ phone: '+9990000123' })).toEqual(['phone']);
  });

  it('needs a field, a pass, and one that has not ended', async () => {
    const { pass_id } = await issued();
    expect((await change(pass_id, {})).status).toBe(422);
    expect((await change('01JB0PASS00000000000000001', { until: inHours(service, 1) })).body.code).toBe(
      'pass_not_found',
    );
    demand(200, await operator('delete', `/passes/${pass_id}`));
    expect((await change(pass_id, { until: inHours(service, 1) })).body.code).toBe('pass_ended');
  });
});

describe('an ended pass', () => {
  it('opens nothing, and says until when a key given out still does', async () => {
    const { pass_id, tenant_id } = await issued();
    await app(tenant_id);
    const ended = demand(200, await operator('delete', `/passes/${pass_id}`));
    expect(ended).toMatchObject({
      standing: 'ended',
      ended_at: inHours(service, 0),
      keys_outstanding: [{ entry_point_id: gate, expires_at: inHours(service, 50 / 60) }],
    });
    expect((await app(tenant_id)).passes).toEqual([]);
    demand(200, await operator('delete', `/passes/${pass_id}`));
  });

  it('has ended with the personal details of its holder, whose name is gone', async () => {
    const { pass_id, tenant_id } = await issued({ note: 'Badge 7' });
    demand(200, await operator('delete', `/tenants/${tenant_id}/personal-data`));
    expect(await read(pass_id)).toMatchObject({ standing: 'ended', name: null, phone: null, note: null });
    const tenant = { name: 'Vic', phone: newPhone() };
    demand(200, await operator('patch', `/tenants/${tenant_id}`, tenant));
    expect((await app(tenant_id)).passes).toEqual([]);
  });

  it('ends by itself at its end', async () => {
    const { tenant_id } = await issued({ until: inHours(service, 1) });
    service.manualClock.advance(HOUR - 1);
    expect((await app(tenant_id)).passes).toHaveLength(1);
    service.manualClock.advance(1);
    expect((await app(tenant_id)).passes).toEqual([]);
  });
});

describe('the log', () => {
  it('names nobody', async () => {
    const { pass_id } = await issued({ note: 'Badge 7', name: 'Vic Vendor', phone: '+13125559876' });
    demand(200, await change(pass_id, { name: 'Zoe', note: null }));
    const events = (await service.wholeLog()).filter(({ stream }) => stream === `pass-${pass_id}`);
    expect(events.map(({ type }) => type)).toEqual(['PassIssued', 'PassChanged']);
    expect(events[1]!.data).toMatchObject({ details: ['name', 'note'] });
    expect(JSON.stringify(events.map(({ data }) => data))).not.toMatch(/Vic|Zoe|Badge|9876/);
  });

  it('is read by integrators, with ids', async () => {
    const pass = await issued({ unit_ids: [unit_id] });
    demand(200, await operator('delete', `/passes/${pass.pass_id}`));
    const { events } = demand(200, await company.push('get', '/events?limit=100&types=PassIssued,PassEnded'));
    expect(events).toMatchObject([
      {
        type: 'PassIssued',
        subject: { kind: 'pass', pass_id: pass.pass_id },
        data: { tenant_id: pass.tenant_id, until: pass.until, units: [{ unit_id }], reason: 'vendor' },
      },
      { type: 'PassEnded', data: { cause: 'requested' } },
    ]);
  });

  it('gives the same passes when the views are made again', async () => {
    const { pass_id, tenant_id } = await issued({ unit_ids: [unit_id] });
    const before = await read(pass_id);
    await service.restart({ keepViews: false });
    expect(await read(pass_id)).toEqual(before);
    expect((await app(tenant_id)).passes).toMatchObject([{ pass_id, units: [{ unit_id }] }]);
  });
});
