import { LockoutDays } from '#domain/history/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let admin: Visitor;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', name: 'Neil Street' });
  const rented = { occupied: true, move_in_date: '2025-06-01' };
  const person = (first_name: string, last_name: string, pms_tenant_id: string) => ({
    tenant: { pms_tenant_id, first_name, last_name, phone: `+1312555010${pms_tenant_id}` },
  });
  demand(
    200,
    await company.sync([
      { ...rented, crm_unit_id: 'A-1', ...person('Sean', 'O’Neil', '1') },
      { ...rented, crm_unit_id: 'A-2', ...person('Mary-Jane', 'Lopez', '2') },
      { crm_unit_id: 'A-3', occupied: false },
    ]),
  );
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

/** The groups of the palette, each with the names of its rows. */
async function groups(q: string): Promise<Record<string, string[]>> {
  await admin.visit(`/dashboard/find/hits?q=${encodeURIComponent(q)}`);
  const found = [...admin.html.matchAll(/role="group" aria-label="([^"]*)"(.*?)<\/div>/gs)];
  return Object.fromEntries(
    found.map(([, name, rows]) => [
      name,
      [...rows!.matchAll(/<strong[^>]*>(.*?)<\/strong>/gs)].map(([, title]) =>
        title!.replace(/<[^>]*>/g, ''),
      ),
    ]),
  );
}

it.each(['o neil', 'oneil', 'o’neil', "o'neil", 'O Neil, Sean', 'sean o neil'])(
  'the search finds an apostrophe’s name written as “%s”',
  async (q) => {
    expect((await groups(q))['Units']).toEqual(['A-1']);
  },
);

it.each(['mary jane', 'jane', 'jane lop'])('the search finds a hyphen’s name written as “%s”', async (q) => {
  expect(await groups(q)).toEqual({ Units: ['A-2'], 'Go to': ['Mary-Jane Lopez'] });
});

it('an initial and a surname find a person whose surname has no apostrophe', async () => {
  expect((await groups('m lopez'))['Units']).toEqual(['A-2']);
});

it('the palette leads to the page of a tenant, too, and Enter still opens the only unit', async () => {
  const tenant_page = expect.stringMatching(/^\/dashboard\/tenants\//) as unknown;
  await admin.visit('/dashboard/find/hits?q=lopez');
  expect(admin.links).toContainEqual(tenant_page);
  await admin.visit('/dashboard/find?q=lopez&open=true');
  expect(admin.shown.path).toMatch(/^\/dashboard\/units\//);
});

it('the palette groups what can be done, units, and where to go', async () => {
  expect(await groups('call A-1')).toEqual({ Do: ['Call Sean O’Neil'], Units: ['A-1'] });
  expect(await groups('neil street')).toEqual({ 'Go to': ['Neil Street'] });
});

it('the palette offers to let in nobody where nobody rents', async () => {
  expect(await groups('let in A-3')).toEqual({ Units: ['A-3'] });
});

describe('the palette, of a unit that staff added,', () => {
  beforeAll(async () => {
    const place = `/locations/${company.locations.get('MAIN')}/units`;
    demand(201, await service.operator('post', place, { crm_unit_id: 'S-1' }));
    const { unit_id } = demand(201, await service.operator('post', place, { crm_unit_id: 'S-2' }));
    const tenancy = { pms_tenant_id: '1', move_in_date: '2025-06-01' };
    demand(200, await service.operator('put', `/units/${unit_id}/tenancy`, tenancy));
  });

  it.each([
    ['move in s-1', ['Move in to S-1']],
    ['move in s-2', undefined],
    ['move out s-2', ['Move out of S-2']],
    ['move out s-1', undefined],
    ['move in A-3', undefined],
    ['lock out s-1', ['Lock out S-1']],
  ])('offers what its page has for “%s”', async (q, acts) => {
    expect((await groups(q))['Do']).toEqual(acts);
  });

  it('leads by Enter to the form of the act, without a script, too', async () => {
    await admin.visit('/dashboard/find?q=move+in+s-1&open=only');
    expect(admin.shown.path).toMatch(/^\/dashboard\/units\/[^/]+\?do=move-in$/);
  });
});

it.each(['/dashboard/find/hits?q=move+in', '/dashboard/find?q=Let+in'])(
  'the words of an act alone ask for a unit at %s',
  async (path) => {
    await admin.visit(path);
    expect(admin.text).toContain('Name the unit or the tenant, too, as in “let in B-147”.');
  },
);

it('an auditor is offered to call, and to open no form', async () => {
  const auditor = await Visitor.of(service, 'auditor');
  expect((await auditor.visit('/dashboard/find/hits?q=lock+out+A-1')).html).not.toContain('do=lock-out');
  expect((await auditor.visit('/dashboard/find/hits?q=call+A-1')).html).toContain('tel:');
});

it('the palette says what it finds, and nothing of a match before anything is typed', async () => {
  await admin.visit('/dashboard/find/hits?q=');
  expect(admin.html).not.toContain('No match');
  await admin.visit('/dashboard');
  expect(admin.html).toContain('Type the beginning of a name, a unit, a gate or a site');
});

describe('the palette', () => {
  it.each([
    ['policy', 'Policy'],
    ['hours', 'Hours'],
    ['grace days', 'Policy'],
    ['holidays', 'Hours'],
    ['operators', 'Operators'],
    ['tokens', 'API'],
    ['hours neil street', 'Hours'],
  ])('finds a page by “%s”', async (q, title) => {
    expect((await groups(q))['Go to']?.[0]).toBe(title);
  });

  it('finds forms by what they do', async () => {
    expect((await groups('pass'))['Do']).toEqual(['Give a pass']);
    expect((await groups('add zone'))['Do']).toEqual(['Add zone']);
  });

  it('names no page for the name of a site, and none for two letters', async () => {
    expect(await groups('neil street')).toEqual({ 'Go to': ['Neil Street'] });
    expect(await groups('po')).toEqual({});
  });

  it('leads to the page of the site in view first', async () => {
    const other = await service.company({ pms_location_code: 'NORTH', name: 'North End' });
    const second = await other.addLocation({ pms_location_code: 'SOUTH', name: 'South End' });
    await admin.visit(`/dashboard/find/hits?q=policy&company_id=${other.id}&location_id=${second}`);
    expect(admin.links.slice(0, 2)).toEqual([
      `/dashboard/locations/${second}/policy`,
      `/dashboard/locations/${other.locations.get('NORTH')}/policy`,
    ]);
  });

  it('finds pages without a count of lockouts', async () => {
    const readDays = jest.spyOn(service.part(LockoutDays), 'readDays');
    expect((await groups('policy'))['Go to']).toContain('Policy');
    expect(readDays).not.toHaveBeenCalled();
    readDays.mockRestore();
  });

  it('shows an auditor no form, and no page of admins', async () => {
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit('/dashboard/find/hits?q=pass');
    expect(auditor.html).not.toContain('Give a pass');
    await auditor.visit('/dashboard/find/hits?q=operators');
    expect(auditor.html).toContain('No match');
  });

  it('without a script leads to the only page that is called so', async () => {
    await admin.visit('/dashboard/find?q=forecast&open=only');
    expect(admin.shown.path).toMatch(/^\/dashboard\/locations\/[^/]+\/forecast$/);
  });

  it('lists pages and forms without a script', async () => {
    await admin.visit('/dashboard/find?q=pass');
    expect(admin.text).toMatch(/Do .*Give a pass .*Go to .*Passes/);
  });
});

describe('a row of the palette', () => {
  const hits = async (q: string) =>
    (await admin.visit(`/dashboard/find/hits?q=${encodeURIComponent(q)}`)).html;

  it.each([
    ['A-1', 'door'],
    ['let in A-1', 'lock-open'],
    ['call A-1', 'phone'],
    ['text A-1', 'message'],
    ['neil street', 'map'],
    ['add lock', 'plus'],
    ['tenants', 'users'],
  ])('has the sign of what it leads to, here of “%s”', async (q, icon) => {
    expect(await hits(q)).toContain(`#${icon}"`);
  });

  it('marks what was searched for, in its name and beside it', async () => {
    const html = await hits('lop');
    expect(html).toContain('<mark>Lop</mark>ez');
    expect(await hits('let in A-1')).toContain('<mark>Let in A-1</mark>');
  });
});
