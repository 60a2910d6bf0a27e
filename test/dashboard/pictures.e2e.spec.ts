import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;
let location_id: string;
let location: string;

const tenantOf = (number: number) => ({
  pms_tenant_id: `T-${number}`,
  first_name: 'Ada',
  last_name: `Park ${number}`,
  phone: `+1312555010${number}`,
});

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({
    pms_location_code: 'MAIN',
    name: 'Lake Street',
    timezone: 'America/Chicago',
    grace_period_days: 5,
  });
  location_id = company.locations.get('MAIN')!;
  location = `/dashboard/locations/${location_id}`;
  const rented = [1, 2, 3].map((number) => ({
    crm_unit_id: `A-${number}`,
    occupied: true,
    move_in_date: '2025-10-01',
    tenant: tenantOf(number),
  }));
  const owing = { ...rented[0], balance_due: 189, paid_through_date: '2025-11-01' };
  const units = [owing, ...rented.slice(1), { crm_unit_id: 'B-1', occupied: false }];
  demand(200, await company.sync(units));
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

const add = async (path: string, body: object) => demand(201, await service.operator('post', path, body));
const tokenOf = async (pms_tenant_id: string): Promise<string> => {
  const key = { company_id: company.id, location_id, pms_tenant_id };
  const [account] = await service.part(TenantAccounts).find([key]);
  return (await service.part(TenantSessions).begin(account!)).token;
};
const tiles = () => [...admin.html.matchAll(/class="tile ([a-z]+)"/g)].map(([, kind]) => kind);

describe('the map of a site', () => {
  it('has a tile for each unit by zone, with its tenant and balance, and counts states', async () => {
    const { zone_id } = await add(`/locations/${location_id}/zones`, { name: 'North wing' });
    const { unit_id } = await company.unit('A-2');
    demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
    await admin.visit(location);
    expect(tiles()).toEqual(['fine', 'denied', 'fine', 'empty']);
    expect(admin.text).toMatch(/North wing 1 unit .* In no zone 3 units, 1 locked out/);
    expect(admin.text).toContain('A-1 ✕ A-1 Locked out: past due Ada Park 1 Owes $189.00');
    expect(admin.text).toContain('All 4 Open 2 ✕ Locked out 1 ⚑ Auction 0 Vacant 1');
  });

  it('shows and counts the units behind one gate', async () => {
    await admin.visit(location);
    expect(admin.text).not.toContain('Any gate');
    const { zones } = demand(200, await service.operator('get', `/locations/${location_id}/zones`));
    const body = { name: 'Wing door', kind: 'door', zone_ids: [zones[0].zone_id] };
    const { entry_point_id } = await add(`/locations/${location_id}/entry-points`, body);
    await admin.visit(`${location}?state=tenant_permitted`);
    const link = admin.links.find((href) => href.includes(`gate=${entry_point_id}`))!;
    await admin.visit(link.replaceAll('&amp;', '&'));
    expect(tiles()).toEqual(['fine']);
    expect(admin.text).toContain('Any gate Wing door');
    expect(admin.text).toContain('All 1 Open 1 ✕ Locked out 0');
    await admin.visit(`${location}?gate=${entry_point_id}&state=vacant`);
    expect(admin.text).toContain('No match.');
  });

  it('shows the units of one state, and still counts all', async () => {
    await admin.visit(`${location}?state=tenant_denied`);
    expect(tiles()).toEqual(['denied']);
    expect(admin.text).toContain('All 4');
    await admin.visit(`${location}?state=nope`);
    expect(admin.shown.status).toBe(422);
  });

  it('shows 1,000 units at once, and the others on the next page', async () => {
    const many = await service.company();
    const units = Array.from({ length: 1_001 }, (_, place) => ({
      crm_unit_id: `U-${place}`,
      occupied: false,
    }));
    for (const first of [0, 500, 1_000]) demand(200, await many.sync(units.slice(first, first + 500)));
    const path = `/dashboard/locations/${many.locations.get('MAIN')}`;
    await admin.visit(path);
    expect(tiles()).toHaveLength(1_000);
    const MORE = 'These are 1,000 of the site’s units.';
    expect(admin.text).toContain(MORE);
    await admin.visit(admin.links.find((href) => href.includes('cursor='))!);
    expect(tiles()).toHaveLength(1);
    expect(admin.text).not.toContain(MORE);
    await admin.visit(`${path}?state=vacant`);
    expect(tiles()).toHaveLength(1_000);
    expect(admin.text).toMatch(/All 1,001 .* Vacant 1,001/);
    await admin.visit(`${path}?gate=none`);
    expect(admin.text).toContain('No match on this page.');
    expect(admin.text).not.toContain('All 1,001');
    expect(admin.links.find((href) => href.includes('cursor='))).toContain('gate=none');
  });
});

describe('Today', () => {
  it('shows people, units and the sum owed, a bar by reason, and whom to call', async () => {
    await admin.visit(`/dashboard?company_id=${company.id}`);
    expect(admin.text).toMatch(
      /Locked out 1 tenant, 1 unit(, earlier days are being counted)? Owed \$189\.00/,
    );
    expect(admin.text).toContain('Past due 1 unit');
    expect(admin.html).toContain('<rect class="share-fill bad" width="100%"');
    expect(admin.text).toContain('Ada Park 1 A-1 Past due 60 days $189.00 Call Text Let in Called');
    expect(admin.links).toContain('tel:+13125550101');
    expect(admin.text).toContain('No lockouts expected in the next 7 days.');
    expect(admin.text).toMatch(/To call .* Sync problems /);
  });

  it('shows on which day access will be lost, and when a tap was refused last', async () => {
    await company.patch('A-2', { balance_due: 20, paid_through_date: '2025-12-29' });
    const { unit_id } = await company.unit('A-1');
    const { lock_id } = await add(`/locations/${location_id}/locks`, { name: 'Latch' });
    demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
    const token = await tokenOf('T-1');
    const body = { event: 'attempt', result: 'failure', failure_code: 'no_valid_key' };
    demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { token, body }));
    await admin.visit(`/dashboard?company_id=${company.id}`);
    expect(admin.text).toContain('Locks in the next 7 days 1 1 on Sunday');
    expect(admin.html).toContain('title="Last refused Dec 31, 2025, 6:00 PM CST"');
  });
});

describe('the page of a gate', () => {
  let gate: string;
  let api: string;
  const DAY = 24 * 60 * 60_000;

  beforeAll(async () => {
    const { zone_id } = await add(`/locations/${location_id}/zones`, { name: 'Yard' });
    const { unit_id } = await company.unit('A-3');
    demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
    const body = { name: 'North gate', kind: 'gate', zone_ids: [zone_id] };
    const { entry_point_id } = await add(`/locations/${location_id}/entry-points`, body);
    gate = `/dashboard/entry-points/${entry_point_id}`;
    api = `/entry-points/${entry_point_id}/activity`;
    const token = await tokenOf('T-3');
    const tap = async (result: string, more: object = {}) =>
      demand(
        201,
        await service.call('post', `/api/v2${api.replace('/activity', '/logs')}`, {
          token,
          body: { event: 'unlock', result, ...more },
        }),
      );
    await tap('success');
    service.manualClock.advance(10 * DAY);
    await tap('success');
    // Reported late: it happened nine days ago.
    await tap('success', { occurred_at: '2026-01-02T12:00:00Z' });
    service.manualClock.advance(60_000);
    await tap('failure', { event: 'attempt', failure_code: 'no_valid_key' });
    service.manualClock.advance(60_000);
    await tap('failure', { failure_code: 'low_battery' });
    admin = await Visitor.signedIn(service);
  });

  it('shows who opened it when on the last 7 days, and is one click from Today', async () => {
    await admin.visit(`/dashboard?company_id=${company.id}`);
    expect(admin.text).toMatch(/Gates today 1 opened, 2 not .* Ada Park 3 failed Today 6:02 PM North gate /);
    expect(admin.links).toContain(gate);
    await admin.visit(gate);
    expect(admin.text).toMatch(/North gate .*Lake Street .* 1 opening, 1 denied, 1 failed\./);
    expect(admin.html.match(/class="opened"/g)).toHaveLength(1);
    expect(admin.html).toContain('Ada Park 3, Jan 10, 2026, 6:01 PM CST: Denied: no valid key');
    expect(admin.html).toContain('Ada Park 3, Jan 10, 2026, 6:02 PM CST: Failed: low battery');
    expect(admin.html).toContain('Busiest: Sat 6 PM: 1');
    expect(admin.text).toMatch(/Jan 10, 2026, 6:00 PM CST Ada Park 3 A-3 Open Opened/);
  });

  it('shows another time, by the clock of the place', async () => {
    await admin.visit(`${gate}?from=2026-01-02T00:00&to=2026-01-03T00:00`);
    expect(admin.text).toContain('1 opening, 0 denied, 0 failed.');
    await admin.visit(`${gate}?from=2025-12-31T00:00&to=2026-01-01T00:00`);
    expect(admin.html).toContain('Ada Park 3, Dec 31, 2025, 6:00 PM CST: Opened');
    await admin.visit(`${gate}?from=2025-12-01T00:00&to=2025-12-31T00:00`);
    expect(admin.text).not.toContain('Busy hours');
  });

  it('shows last night in one lane', async () => {
    service.manualClock.advance(DAY / 2);
    admin = await Visitor.signedIn(service);
    await admin.visit(gate);
    await admin.visit(admin.links.find((href) => href.includes('T18%3A00'))!.replaceAll('&amp;', '&'));
    expect(admin.text).toContain('1 opening, 1 denied, 1 failed.');
    expect(admin.html.match(/Sat, Jan 10 – Sun/g)).toHaveLength(1);
    expect(admin.html).toMatch(/aria-current="page">Last night/);
    const hours = [...admin.html.matchAll(/>(\d+ [AP]M)</g)].map(([, hour]) => hour);
    expect(hours).toEqual(['12 PM', '6 PM', '12 AM', '6 AM', '12 PM']);
  });

  it.each([
    ['from=2026-01-02T00:00&to=2026-01-02T00:00', 'Choose an end after the beginning.'],
    ['from=0999-01-01T00:00&to=0999-01-09T00:00', '“From” must not be before 1970.'],
    ['from=2025-12-01T00:00&to=2026-01-01T00:01', 'at most 31 days'],
    ['from=2026-02-30T00:00', '“From” must be a date'],
  ])('refuses %s in the form, and keeps what it asks for', async (query, message) => {
    await admin.visit(`${gate}?${query}`);
    expect([admin.shown.status, admin.text]).toEqual([422, expect.stringContaining(message)]);
    expect(admin.html).toContain(
      `name="from" type="datetime-local" value="${query.slice('from='.length).split('&')[0]}"`,
    );
    expect(admin.text).toContain('Taps of these days');
  });

  it('has the same range in the API, with cursors of this range alone', async () => {
    const read = (query: string) => service.operator('get', `${api}?${query}`);
    const whole = demand(200, await read('')).entries;
    expect(whole).toHaveLength(5);
    const range = 'from=2026-01-02T12:00:00Z&to=2026-01-11T00:00:00Z';
    const { entries, next_cursor } = demand(200, await read(`${range}&limit=1`));
    expect(entries.map((one: { occurred_at: string }) => one.occurred_at)).toEqual([
      '2026-01-02T12:00:00.000Z',
    ]);
    const rest = demand(200, await read(`${range}&limit=5&cursor=${next_cursor}`));
    expect([rest.entries.length, rest.next_cursor]).toEqual([1, null]);
    expect((await read(`cursor=${next_cursor}`)).status).toBe(422);
    expect((await read('from=x')).status).toBe(422);
  });
});

describe('an opening by a tenant who was locked out', () => {
  let gate: string;
  let api: string;
  let tap: (pms_tenant_id: string, more?: object) => Promise<void>;

  beforeAll(async () => {
    const { zone_id } = await add(`/locations/${location_id}/zones`, { name: 'East' });
    for (const name of ['A-1', 'A-3']) {
      const { unit_id } = await company.unit(name);
      demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
    }
    const body = { name: 'East gate', kind: 'gate', zone_ids: [zone_id] };
    const { entry_point_id } = await add(`/locations/${location_id}/entry-points`, body);
    gate = `/dashboard/entry-points/${entry_point_id}`;
    api = `/entry-points/${entry_point_id}`;
    tap = async (pms_tenant_id, more = {}) => {
      const token = await tokenOf(pms_tenant_id);
      const report = { event: 'unlock', result: 'success', ...more };
      demand(201, await service.call('post', `/api/v2${api}/logs`, { token, body: report }));
    };
    service.manualClock.advance(60_000);
    await tap('T-1');
    await tap('T-3');
    service.manualClock.advance(60_000);
    await company.patch('A-1', { balance_due: 0 });
    service.manualClock.advance(60_000);
    await tap('T-1');
    admin = await Visitor.signedIn(service);
  });

  it('names one unit of a tenant with many, and tells how many more there are', async () => {
    await admin.visit(gate);
    expect(admin.text).toMatch(/Ada Park 3 A-3 Open Opened/);
    const rented = { occupied: true, move_in_date: '2025-10-01', pms_tenant_id: 'T-3' };
    const many = Array.from({ length: 24 }, (_, place) => ({ ...rented, crm_unit_id: `C-${place}` }));
    demand(200, await company.sync(many));
    await admin.visit(gate);
    expect(admin.text).toMatch(/ Open and 24 more/);
    expect(admin.text).not.toContain('C-1 ');
    const vacant = many.map(({ crm_unit_id }) => ({ crm_unit_id, occupied: false }));
    demand(200, await company.sync(vacant));
  });

  it('is marked with the unit on the page of the gate, also after the tenant has paid', async () => {
    await admin.visit(gate);
    expect(admin.text).toContain('3 openings, 0 denied, 0 failed. 1 while locked out');
    expect(admin.html.match(/class="alarm"/g)).toHaveLength(1);
    expect(admin.html).toMatch(/Ada Park 1, [^<]*: Opened while locked out: A-1</);
    expect(admin.html).toMatch(/<span class="mark bad">Opened while locked out<\/span> <a [^>]+>A-1</);
    const { entries } = demand(200, await service.operator('get', `${api}/activity`));
    const { unit_id } = await company.unit('A-1');
    const denied = [{ unit_id, unit_name: 'A-1', state: 'tenant_denied', reason: 'delinquent' }];
    expect(entries.map((one: { denied_units?: object }) => one.denied_units)).toEqual([
      undefined,
      undefined,
      denied,
    ]);
  });

  it('stands on Today and in the list of what changed', async () => {
    await admin.visit(`/dashboard?company_id=${company.id}`);
    expect(admin.text).toMatch(
      /Opened while locked out .* Ada Park 1 A-1 1 East gate Today 6:03 AM 1 opening in the last 24 hours\. No key was given out for these/,
    );
    const today = demand(200, await service.operator('get', `/companies/${company.id}/today`));
    expect(today.denied_openings).toMatchObject({
      openings: 1,
      first: [{ tenant_name: 'Ada Park 1', name: 'East gate', denied_units: [{ unit_name: 'A-1' }] }],
    });
    const changes = `/dashboard/companies/${company.id}/changes`;
    await admin.visit(`${changes}?type=EntryPointActivityReported`);
    expect(admin.text.match(/Opened while locked out A-1/g)).toHaveLength(1);
    const { html: file } = await admin.visit(`${changes}.csv?type=EntryPointActivityReported`);
    for (const result of ['Opened while locked out: A-1', 'Denied: no valid key', 'Failed: low battery'])
      expect(file).toContain(`,${result},`);
  });

  it('of a lock is marked by the unit that the lock was on', async () => {
    const { unit_id } = await company.unit('A-3');
    const { lock_id } = await add(`/locations/${location_id}/locks`, { name: 'Hasp' });
    demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
    const token = await tokenOf('T-3');
    demand(200, await service.call('get', '/api/v2/tenant/access', { token }));
    await company.patch('A-3', { pms_auction: true });
    service.manualClock.advance(60_000);
    const body = { event: 'unlock', result: 'success' };
    demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { token, body }));
    await admin.visit(`/dashboard?company_id=${company.id}`);
    expect(admin.text).toMatch(
      /Ada Park 3 A-3 Opened while in auction 1 Hasp Key given out before the lockout /,
    );
    const told = 'Hasp Opened while in auction A-3 by a key given out before Auction Ada Park 3';
    await admin.visit(`/dashboard/units/${unit_id}/activity`);
    expect(admin.text).toContain(told);
    await admin.visit(`/dashboard/units/${unit_id}/report`);
    expect(admin.text).toContain(told);
    const at = new Date(service.clock.now()).toISOString();
    await admin.visit(`/dashboard/units/${unit_id}?at=${at}`);
    expect(admin.html).toContain('class="alarm"');
    expect(admin.text).toContain(told);
    await tap('T-3');
    await admin.visit(gate);
    expect(admin.text).toMatch(/ Opened while in auction A-3 by a key given out before /);
    await admin.visit(`/dashboard?company_id=${company.id}`);
    // One visit at lock and gate.
    expect(admin.text).toMatch(
      /A-3 Opened while in auction 2 Hasp, East gate Key given out before the lockout /,
    );
    expect(admin.text).toMatch(/Ada Park 3 opened while in auction A-3 Today/);
  });
});

it('Today shows units in auction with a bar and a list of their own', async () => {
  demand(200, await company.moveOut('A-2'));
  await company.patch('A-2', { pms_auction: true });
  await admin.visit(`/dashboard?company_id=${company.id}`);
  expect(admin.text).toContain('In auction, not counted above 2 units');
  expect(admin.text).toMatch(
    /In auction Units in auction, .* Ada Park 3 \+1 312-555-0103 A-3 \$0\.00 not late /,
  );
  const today = demand(200, await service.operator('get', `/companies/${company.id}/today`));
  expect(today.in_auction.units).toBe(2);
  expect(today.in_auction.first).toMatchObject([{ unit_name: 'A-3', reason: null }]);
  const list = admin.links.find((href) => href.endsWith('state=auction'))!;
  await admin.visit(list);
  expect(admin.text).toMatch(/A-3 .*A-2 |A-2 .*A-3 /);
});
