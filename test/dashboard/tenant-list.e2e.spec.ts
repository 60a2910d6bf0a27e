import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let path: string;
let manager: Visitor;

/** Zoe owes and is locked out, Bob is late within the days of grace, Ada rents two units and owes nothing. */
beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'LAKE', timezone: 'America/Chicago' });
  await company.addLocation({ pms_location_code: 'HILL', timezone: 'America/Chicago' });
  path = `/dashboard/companies/${company.id}/tenants`;
  const rented = (
    crm_unit_id: string,
    first_name: string,
    pms_location_code: string,
    facts: object = {},
  ) => ({
    ...{ crm_unit_id, pms_location_code, occupied: true, move_in_date: '2025-10-01', ...facts },
    tenant: { pms_tenant_id: `T-${first_name}`, first_name, last_name: 'Park', phone: phoneOf(first_name) },
  });
  demand(
    200,
    await company.sync([
      rented('A-10', 'Zoe', 'LAKE', { balance_due: 189.5, paid_through_date: '2025-11-01' }),
      rented('A-8', 'Bob', 'HILL', { balance_due: 20, paid_through_date: '2025-12-30' }),
      rented('A-9', 'Ada', 'HILL'),
      rented('A-11', 'Ada', 'HILL'),
      rented('A-12', 'Eve', 'HILL', { pms_auction: true }),
    ]),
  );
  const person = { pms_tenant_id: 'T-new', name: 'Nora New' };
  const site = `/locations/${company.locations.get('HILL')}`;
  demand(201, await service.operator('post', `${site}/tenants`, person));
  manager = await Visitor.of(service, 'manager', [company.id]);
});
afterAll(() => service.close());

const PHONES: Readonly<Record<string, string>> = { Zoe: '+13125550101', Bob: '+13125550102' };
const phoneOf = (name: string) => PHONES[name];
/** First names in the order of the rows. */
const listed = () => [...manager.html.matchAll(/tenants\/[^"]+">(\w+) \w+<\/a>/g)].map(([, name]) => name);
const rowOf = (name: string) => manager.text.slice(manager.text.indexOf(name)).slice(0, 160);

it.each([
  ['', ['Zoe', 'Bob', 'Ada', 'Eve', 'Nora']],
  ['?sort=name', ['Ada', 'Bob', 'Eve', 'Nora', 'Zoe']],
  ['?sort=-late', ['Zoe', 'Bob', 'Ada', 'Eve', 'Nora']],
  ['?sort=nothing', ['Zoe', 'Bob', 'Ada', 'Eve', 'Nora']],
  ['?q=park&sort=name', ['Ada', 'Bob', 'Eve', 'Zoe']],
  ['?q=a-11', ['Ada']],
  ['?q=3125550102', ['Bob']],
  ['?q=T-Eve', ['Eve']],
  ['?state=locked_out', ['Zoe']],
  ['?state=late', ['Bob']],
  ['?state=auction', ['Eve']],
  ['?state=no_phone', ['Ada', 'Eve']],
  ['?state=no_unit', ['Nora']],
  ['?state=no_phone&q=eve', ['Eve']],
])('tenants of all sites are sorted, searched and filtered: “%s”', async (query, names) => {
  await manager.visit(path + query);
  expect(listed()).toEqual(names);
});

it('the filters count what the search finds, keep it, and leave out those of nobody', async () => {
  await manager.visit(`${path}?q=park&sort=name`);
  expect(manager.text).toContain(
    'Everyone 4 Renting 4 Locked out 1 Late, not locked yet 1 In auction 1 No phone 2',
  );
  expect(manager.text).not.toContain('Guests');
  expect(manager.links).toContain(`${path}?state=late&q=park&sort=name`);
});

it('a row says what the tenant owes, for how long, and why the unit is locked', async () => {
  await manager.visit(path);
  expect(rowOf('Zoe Park')).toMatch(
    /^Zoe Park \+1 312-555-0101 A-10 Past due Location LAKE \$189\.50 60 days – /,
  );
  expect(rowOf('Ada Park')).toMatch(/^Ada Park – A-9 Open A-11 Open Location HILL – – – /);
});

it('the head counts those who rent, and sites', async () => {
  await manager.visit(path);
  expect(manager.text).toContain('Tenants 4 renting at 2 sites');
});

it('the head counts nobody as renting where nobody rents', async () => {
  const empty = await service.company({ pms_location_code: 'EMPTY', timezone: 'America/Chicago' });
  const admin = await Visitor.signedIn(service);
  await admin.visit(`/dashboard/companies/${empty.id}/tenants`);
  expect(admin.text).toContain('Tenants 0 renting at 1 site');
});

describe('a guest without a name', () => {
  let admin: Visitor;
  let guest: string;
  let site: string;
  const labels = () => [...admin.html.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label);

  beforeAll(async () => {
    const host = await service.company({ pms_location_code: 'POND', timezone: 'America/Chicago' });
    const tenant = { pms_tenant_id: 'T-host', first_name: 'Hal', last_name: 'Host' };
    const rented = { crm_unit_id: 'P-1', occupied: true, move_in_date: '2025-10-01' };
    demand(200, await host.sync([{ ...rented, tenant }]));
    const { unit_id } = await host.unit('P-1');
    const person = { name: 'Gus Guest', phone: '+13125550188' };
    guest = demand(201, await service.operator('post', `/units/${unit_id}/shares`, person))
      .tenant_id as string;
    demand(200, await service.operator('delete', `/tenants/${guest}/personal-data`));
    demand(200, await service.operator('patch', `/tenants/${guest}`, { phone: '+13125550188' }));
    site = `/dashboard/locations/${host.locations.get('POND')}`;
    admin = await Visitor.signedIn(service);
  });

  it('is called Unknown in a row, its menu and the panel', async () => {
    await admin.visit(`${site}/tenants?peek=${guest}`);
    const ofGuest = ['Look at Unknown', 'More for Unknown', 'Call Unknown', 'Text Unknown'];
    expect(labels()).toEqual(expect.arrayContaining([...ofGuest, 'Copy the number of Unknown']));
    expect(labels().filter((label) => label?.includes('guest-'))).toEqual([]);
  });

  it('is called Unknown on the guest’s page', async () => {
    await admin.visit(`/dashboard/tenants/${guest}`);
    expect(admin.text).not.toContain('guest-');
    expect(labels()).toContain('Call Unknown');
  });

  it('is called Unknown among what is found', async () => {
    await admin.visit('/dashboard/find/hits?q=3125550188');
    expect(admin.text).toContain('Unknown');
    expect(admin.text).not.toContain('guest-');
  });
});

it('the tab of a site counts those who rent, as the filter beside it does; others are named', async () => {
  const hill = company.locations.get('HILL')!;
  const body = { name: 'Vera Vendor', phone: '+13125550177', reason: 'vendor' };
  const gate = { name: 'Gate', kind: 'gate', zone_ids: [] };
  const made = await service.operator('post', `/locations/${hill}/entry-points`, gate);
  const entry_point_ids = [demand(201, made)['entry_point_id']];
  const until = new Date(service.manualClock.now() + 86_400_000).toISOString();
  demand(
    201,
    await service.operator('post', `/locations/${hill}/passes`, { ...body, entry_point_ids, until }),
  );
  await manager.visit(`/dashboard/locations/${hill}/tenants`);
  expect(manager.text).toMatch(/ Tenants 3 Equipment .* Everyone 5 Renting 3 .*No unit 1 Pass holders 1 /);
  await manager.visit(`/dashboard/locations/${hill}/tenants?state=pass_holder`);
  expect(listed()).toEqual(['Vera']);
});

it('a click on the column that sorts turns the order around', async () => {
  await manager.visit(path);
  expect(manager.links).toEqual(expect.arrayContaining([`${path}?sort=owed`, `${path}?sort=-late`]));
  await manager.visit(`${path}?sort=-late`);
  expect(manager.links).toEqual(expect.arrayContaining([path, `${path}?sort=late`]));
});

it('a site is chosen in the menu, which the filters keep', async () => {
  const location_id = company.locations.get('LAKE')!;
  await manager.visit(path);
  await manager.visit(manager.links.find((href) => href === `${path}?location_id=${location_id}`)!);
  expect(listed()).toEqual(['Zoe']);
  expect(manager.links).toContain(`${path}?state=locked_out&location_id=${location_id}`);
  expect(manager.form('filter').values).toEqual({ q: '', location_id, sort: '-owed' });
});

it('the page of a site has no menu of sites, and no column of them', async () => {
  await manager.visit(`/dashboard/locations/${company.locations.get('LAKE')}/tenants`);
  expect(listed()).toEqual(['Zoe']);
  expect(manager.html).not.toContain('site-menu');
});

it('the file has the rows of the filter, in their order', async () => {
  await manager.visit(`${path}?state=no_phone&sort=-name`);
  await manager.visit(manager.links.find((href) => href.includes('tenants.csv'))!);
  const [head, ...lines] = manager.html.trimEnd().split('\r\n');
  expect(head).toBe('tenant_id,pms_tenant_id,name,email,phone,location,owed,currency,days_late');
  expect(lines.map((line) => line.split(',').slice(1).join())).toEqual([
    'T-Eve,Eve Park,,,Location HILL,0,USD,',
    'T-Ada,Ada Park,,,Location HILL,0,USD,',
  ]);
});

/** The menu of a row, and what stands in it. */
const menuOf = (name: string) =>
  new RegExp(`<div class="menu"[^>]*aria-label="${name}".*?</div>`, 's').exec(manager.html)?.[0] ?? '';
const panel = () => /<aside id="peek".*?<\/aside>/s.exec(manager.html)?.[0] ?? '';
const textOf = (html: string) =>
  html
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
const tenantIdOf = (name: string) => new RegExp(`tenants/([^"]+)">${name}<`).exec(manager.html)![1]!;

describe('the menu of a row', () => {
  beforeEach(() => manager.visit(path));

  it('calls, texts, changes and signs out the tenant', () => {
    expect(textOf(menuOf('Zoe Park'))).toBe('Call Text Change details… Sign out of the app');
    expect(menuOf('Zoe Park')).toContain('href="tel:+13125550101"');
    expect(menuOf('Zoe Park')).toContain('href="sms:+13125550101"');
  });

  it('offers neither a call nor a text without a number', () => {
    expect(textOf(menuOf('Ada Park'))).toBe('Change details… Sign out of the app');
  });

  it('leads to the tenant’s page with the details open', async () => {
    await manager.visit(/href="([^"]*add=details)"/.exec(menuOf('Zoe Park'))![1]!);
    expect(manager.html).toMatch(/class="drawer open"[^>]*>.*Change details/s);
    expect(manager.form('details').values).toMatchObject({ name: 'Zoe Park' });
  });

  it('ends the tenant’s sessions', async () => {
    const tenant_id = tenantIdOf('Zoe Park');
    const [account] = await service.part(TenantAccounts).byTenantId([tenant_id]);
    await service.part(TenantSessions).begin(account!);
    await manager.submit(`sessions-${tenant_id}`);
    expect(manager.text).toContain('Every session is ended');
    expect(await service.part(TenantSessions).listSessions(tenant_id)).toEqual([]);
  });

  it('lets an auditor only call and text, and is absent where there is no number', async () => {
    const auditor = await Visitor.of(service, 'auditor', [company.id]);
    await auditor.visit(`${path}?q=park`);
    expect(auditor.html.match(/aria-label="More for [^"]*"/g)).toEqual([
      'aria-label="More for Zoe Park"',
      'aria-label="More for Bob Park"',
    ]);
    expect(auditor.html).not.toContain('/sessions/end');
  });
});

describe('the panel of a tenant', () => {
  it('says whom to call, about which units, and what is owed', async () => {
    await manager.visit(path);
    expect(panel()).toBe('<aside id="peek" hidden></aside>');
    await manager.visit(`${path}?peek=${tenantIdOf('Zoe Park')}`);
    expect(textOf(panel())).toContain(
      'Location LAKE Zoe Park ZP +1 312-555-0101 Open tenant More Change details… Sign out of the app ' +
        'Units A-10 Past due $189.50 Let in… Owes $189.50 Late 60 days PMS id T-Zoe',
    );
  });

  it('leads to the tenants beside in the order of the page, and keeps what the page shows', async () => {
    await manager.visit(`${path}?sort=name`);
    const [bob, ada] = [tenantIdOf('Bob Park'), tenantIdOf('Ada Park')];
    await manager.visit(`${path}?sort=name&peek=${bob}`);
    expect(panel()).toContain(
      `href="${path}?sort=name&amp;peek=${ada}" aria-label="Ada Park, the tenant before"`,
    );
    expect(panel()).toContain('aria-label="Eve Park, the next tenant"');
    expect(panel()).toContain(`href="${path}?sort=name" aria-label="Close"`);
  });

  it.each(['company', 'site'])('comes alone for a script, on the page of a %s', async (place) => {
    const at = place === 'company' ? path : `/dashboard/locations/${company.locations.get('LAKE')}/tenants`;
    await manager.visit(path);
    const tenant_id = tenantIdOf('Zoe Park');
    await manager.visit(`${at}?peek=${tenant_id}`, { 'HX-Request': 'true', 'HX-Target': 'peek' });
    expect(manager.html).toMatch(/^<aside id="peek" class="peek"/);
    expect(manager.html).not.toContain('<main');
  });

  it('is absent for a tenant of another site, and for none', async () => {
    await manager.visit(path);
    const zoe = tenantIdOf('Zoe Park');
    const site = `/dashboard/locations/${company.locations.get('HILL')}/tenants`;
    for (const asked of [zoe, 'nobody', '']) {
      await manager.visit(`${site}?peek=${asked}`);
      expect([asked, panel()]).toEqual([asked, '<aside id="peek" hidden></aside>']);
    }
  });

  it('lets an auditor only look', async () => {
    const auditor = await Visitor.of(service, 'auditor', [company.id]);
    await auditor.visit(path);
    await auditor.visit(`${path}?peek=${/tenants\/([^"]+)">Zoe Park</.exec(auditor.html)![1]}`);
    expect(auditor.text).toContain('Open tenant');
    expect(auditor.html).not.toContain('do=let-in');
    expect(auditor.forms.filter((form) => form.startsWith('sessions'))).toEqual([]);
  });
});

it('“Add tenant” leads to the form of a site', async () => {
  await manager.visit(path);
  const form = `/dashboard/locations/${company.locations.get('HILL')}/tenants?add=tenant`;
  expect(manager.links).toContain(form);
  await manager.visit(form);
  expect(manager.forms).toContain('tenant');
});

it('an auditor adds no tenant', async () => {
  const auditor = await Visitor.of(service, 'auditor', [company.id]);
  await auditor.visit(path);
  expect(auditor.text).not.toContain('Add tenant');
});

describe('a lock that was opened', () => {
  let tap: () => Promise<void>;

  beforeAll(async () => {
    const location_id = company.locations.get('HILL')!;
    const { unit_id } = await company.unit('A-9');
    const { lock_id } = demand(
      201,
      await service.operator('post', `/locations/${location_id}/locks`, { name: 'L' }),
    );
    demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
    const key = { company_id: company.id, location_id, pms_tenant_id: 'T-Ada' };
    const [account] = await service.part(TenantAccounts).find([key]);
    const { token } = await service.part(TenantSessions).begin(account!);
    tap = async () => {
      const occurred_at = new Date(service.clock.now()).toISOString();
      const body = { event: 'unlock', occurred_at, result: 'success' };
      demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { token, body }));
    };
  });

  it('is told of the tenant, and not of the next one', async () => {
    await tap();
    await manager.visit(path);
    expect(rowOf('Ada Park')).toMatch(/^Ada Park – A-9 Open A-11 Open Location HILL – – Today /);
    service.manualClock.advance(2 * 24 * 60 * 60_000);
    const moved = {
      occupied: true,
      move_in_date: '2026-01-02',
      tenant: { pms_tenant_id: 'T-Next', first_name: 'Next', last_name: 'Park' },
    };
    demand(200, await company.sync([{ crm_unit_id: 'A-9', pms_location_code: 'HILL', ...moved }]));
    manager = await Visitor.of(service, 'manager', [company.id]);
    await manager.visit(path);
    expect(rowOf('Next Park')).toMatch(/^Next Park – A-9 Open Location HILL – – – /);
  });
});

it('tenants of over 50 sites are listed by pages, until a site is chosen', async () => {
  const chain = await service.company({ pms_location_code: 'S-0' });
  for (let place = 1; place <= 50; place += 1) await chain.addLocation({ pms_location_code: `S-${place}` });
  const unit = (place: number) => ({
    ...{
      crm_unit_id: `U-${place}`,
      pms_location_code: `S-${place % 2}`,
      occupied: true,
      move_in_date: '2025-10-01',
    },
    ...{ balance_due: place === 7 ? 90 : 0, paid_through_date: '2025-12-30' },
    tenant: { pms_tenant_id: `T-${place}`, first_name: `N${place}`, last_name: 'Park' },
  });
  demand(200, await chain.sync(Array.from({ length: 130 }, (_, place) => unit(place))));
  const admin = await Visitor.signedIn(service);
  const list = `/dashboard/companies/${chain.id}/tenants`;
  await admin.visit(list);
  const names = () => [...admin.html.matchAll(/">(N\d+) Park<\/a>/g)].map(([, name]) => name);
  const first = names();
  expect(admin.text).toContain('Choose a site to filter and sort its tenants: there are over 50 sites.');
  await admin.visit(admin.links.find((href) => href.includes('cursor='))!);
  expect(new Set([...first, ...names()]).size).toBe(130);
  await admin.visit(`${list}?q=n7`);
  expect(admin.text).toContain('N7 Park – U-7 Open Location S-1 $90.00');
  await admin.visit(`${list}.csv`);
  expect(admin.html.trimEnd().split('\r\n')).toHaveLength(131);
  await admin.visit(`${list}?location_id=${chain.locations.get('S-1')}`);
  expect(admin.text).toContain('Everyone 65 Renting 65 Late, not locked yet 1');
});

it('of over 50 sites neither the debt nor the days of a tenant with many units are told', async () => {
  const chain = await service.company({ pms_location_code: 'M-0' });
  for (let place = 1; place <= 50; place += 1) await chain.addLocation({ pms_location_code: `M-${place}` });
  const unit = (place: number) => ({
    ...{ crm_unit_id: `U-${place}`, pms_location_code: 'M-0', occupied: true, move_in_date: '2025-10-01' },
    ...{ balance_due: 10, paid_through_date: place === 21 ? '2025-11-01' : '2025-12-30' },
    tenant: { pms_tenant_id: 'T-many', first_name: 'Mia', last_name: 'Park', phone: '+13125550109' },
  });
  demand(200, await chain.sync(Array.from({ length: 22 }, (_, place) => unit(place))));
  const admin = await Visitor.signedIn(service);
  await admin.visit(`/dashboard/companies/${chain.id}/tenants`);
  expect(admin.text).toMatch(/Mia Park \+1 312-555-0109 .* Location M-0 – – – /);
});
