import { COMPANIES } from '#domain/companies/company.documents.js';
import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Awaited<ReturnType<Service['company']>>;
let admin: Visitor;
let denise: string;
let gate_id: string;

const tenant = (id: string, first_name: string, last_name: string, phone: string) => ({
  ...{ pms_tenant_id: id, first_name, last_name, phone },
});

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
  const names = Array.from(
    { length: 300 },
    (_, place) => `${'ABH'[place % 3]}-${100 + Math.floor(place / 3)}`,
  );
  demand(200, await company.sync(names.map((crm_unit_id) => ({ crm_unit_id, occupied: false }))));
  const move_in_date = '2025-10-01';
  const rented = { occupied: true, move_in_date };
  demand(
    200,
    await company.sync([
      { crm_unit_id: 'H-110', ...rented, tenant: tenant('T-1', 'Denise', 'Whitfield', '+13125550142') },
      { crm_unit_id: 'B-120', ...rented, tenant: tenant('T-2', 'Ada', 'O’Park', '+13125550199') },
      { crm_unit_id: 'PMS-8812', unit_name: 'K-714 (10x15 ft)', occupied: false },
    ]),
  );
  await company.patch('H-110', { balance_due: 319, paid_through_date: '2025-09-01' });
  denise = (await company.unit('H-110')).unit_id;
  const location_id = company.locations.get('MAIN');
  const gate = { name: 'North gate', kind: 'gate', zone_ids: [] };
  const added = await service.operator('post', `/locations/${location_id}/entry-points`, gate);
  gate_id = demand(201, added).entry_point_id;
  await addLock({ name: 'Lock 9', serial: 'SN-4711' });
  const { lock_id } = await addLock({ name: 'H-110 door', serial: 'SN-A105' });
  await addLock({ name: 'Spare', serial: 'SN-A1055' });
  demand(200, await service.operator('put', `/units/${denise}/locks/${lock_id}`));
  const door = { name: 'Building C door', kind: 'door', zone_ids: [] };
  demand(201, await service.operator('post', `/locations/${location_id}/entry-points`, door));
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

async function addLock(lock: object): Promise<{ lock_id: string }> {
  const path = `/locations/${company.locations.get('MAIN')}/locks`;
  return demand(201, await service.operator('post', path, lock));
}

/** The rows below the search box, as text. */
async function hits(visitor: Visitor, q: string): Promise<string[]> {
  await visitor.visit(`/dashboard/find/hits?q=${encodeURIComponent(q)}`);
  expect(visitor.shown.status).toBe(200);
  const rows = [...visitor.html.matchAll(/<a [^>]*role="option"[^>]*>(.*?)<\/a>/gs)];
  return rows.map(([, row]) => row!.replaceAll(/<[^>]*>/g, '').trim()).slice(0, -1);
}

describe('the search box', () => {
  it.each(['H-110', 'h110', 'H 110'])(
    'finds a unit among 300 as %s, first and with all that is asked for',
    async (q) => {
      expect((await hits(admin, q))[0]).toMatch(
        /^H-110 Denise Whitfield, \+1 312-555-0142 · .+ Locked out\s+\$319\.00$/,
      );
      expect(admin.links[0]).toBe(`/dashboard/units/${denise}`);
    },
  );

  it('finds the units with a number in every building', async () => {
    expect((await hits(admin, '120')).map((row) => row.slice(0, 5)).sort()).toEqual([
      'A-120',
      'B-120',
      'H-120',
    ]);
  });

  it.each(['714', 'K714', 'PMS-88', '8812'])('finds a unit by %s, whatever else its name says', async (q) => {
    expect(await hits(admin, q)).toEqual([expect.stringContaining('K-714 (10x15 ft)')]);
  });

  it.each([
    ['any part of a name', 'whitf'],
    ['a name in another order', 'Whitfield, Denise'],
    ['beginnings of its words', 'den whit'],
    ['the last digits of a phone', '0142'],
    ['a whole phone', '(312) 555-0142'],
    ['an identifier of the PMS', 'T-1'],
  ])('finds a tenant’s unit by %s', async (_, q) => {
    expect(await hits(admin, q)).toEqual([
      expect.stringContaining('Denise Whitfield'),
      'Denise Whitfield Tenant of 1 unit',
    ]);
    expect(admin.links[0]).toBe(`/dashboard/units/${denise}`);
  });

  it.each(["o'park", 'opark', 'O’PARK, ada'])('finds a name with an apostrophe by %s', async (q) => {
    expect(await hits(admin, q)).toEqual([
      expect.stringContaining('Ada O’Park'),
      'Ada O’Park Tenant of 1 unit',
    ]);
  });

  it('finds locations by any word of their name', async () => {
    for (const q of ['lake', 'STREET']) expect(await hits(admin, q)).toEqual(['Lake Street Site MAIN']);
    expect(admin.links[0]).toBe(`/dashboard/locations/${company.locations.get('MAIN')}`);
    await admin.visit('/dashboard/find?q=lake');
    expect(admin.text).toContain('Lake Street MAIN');
  });

  it('finds gates and serial numbers', async () => {
    for (const q of ['north', 'NORTH-G'])
      expect(await hits(admin, q)).toEqual(['North gate Gate at Lake Street']);
    expect(admin.links[0]).toBe(`/dashboard/entry-points/${gate_id}`);
    expect(await hits(admin, 'ate')).toEqual([]);
    expect(await hits(admin, 'SN-47')).toEqual(['SN-4711 Lock Lock 9, unassigned']);
  });

  it('finds a gate by its kind before the pages of gates', async () => {
    const found = await hits(admin, 'gate');
    const at = found.indexOf('North gate Gate at Lake Street');
    expect(at).toBeGreaterThan(-1);
    expect(found.findIndex((hit) => hit.startsWith('Gates '))).toBeGreaterThan(at);
  });

  it.each(['SN-A105', 'sn-a105', 'sna105', 'H-110 door', 'door h110'])('finds a lock by %s', async (q) => {
    await admin.visit(`/dashboard/find?q=${encodeURIComponent(q)}`);
    expect(admin.text).toContain('H-110 door On H-110 Locked out SN-A105');
  });

  it('finds a gate by its words in any order', async () => {
    expect(await hits(admin, 'gate north')).toEqual(['North gate Gate at Lake Street']);
  });

  it('calls a door a door', async () => {
    expect(await hits(admin, 'building c')).toEqual(['Building C door Door at Lake Street']);
  });

  it('shows the unit of a lock with all that is asked for', async () => {
    expect((await hits(admin, 'SN-A105'))[0]).toMatch(
      /^H-110 Lock H-110 door, SN-A105 · Denise Whitfield, .+ · Lake Street Locked out\s+\$319\.00$/,
    );
    await admin.visit('/dashboard/find?q=SN-A105');
    expect(admin.text).toContain('H-110 door On H-110 Locked out SN-A105');
    await admin.visit('/dashboard/find?q=SN-A105&open=only');
    expect(admin.shown.path).toBe(`/dashboard/units/${denise}`);
  });

  it('finds companies and locations, and opens the one whose whole name was typed', async () => {
    const other = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street East' });
    const named = { name: 'Harbor Group' };
    const { company_id } = demand(201, await service.operator('post', '/companies', named));
    expect(await hits(admin, 'group')).toEqual(['Harbor Group Company']);
    for (const [q, path] of [
      ['harbor group', `companies/${company_id}`],
      ['Lake Street', `locations/${company.locations.get('MAIN')}`],
    ] as const) {
      await admin.visit(`/dashboard/find?q=${q}&open=only`);
      expect(admin.shown.path).toBe(`/dashboard/${path}`);
    }
    await admin.visit('/dashboard/find?q=harbor');
    expect(admin.links).toContain(`/dashboard/companies/${company_id}`);
    const own = await Visitor.of(service, 'auditor', [other.id]);
    expect(await hits(own, 'harbor')).toEqual([]);
    expect(await hits(own, 'lake')).toEqual(['Lake Street East Site MAIN']);
  });

  it('names the company of each hit for somebody who sees several', async () => {
    demand(201, await service.operator('post', '/companies', { name: 'Second Group' }));
    const { name } = demand(200, await service.operator('get', `/companies/${company.id}`));
    expect((await hits(admin, 'H-110'))[0]).toContain(`· Lake Street · ${name} Locked out`);
    expect((await hits(admin, 'north gate'))[0]).toContain(`Gate at Lake Street · ${name}`);
    await admin.visit('/dashboard/find?q=H-110');
    expect(admin.html).toMatch(/<th[^>]*>Company</);
    const own = await Visitor.of(service, 'auditor', [company.id]);
    expect((await hits(own, 'H-110'))[0]).not.toContain(name);
    await own.visit('/dashboard/find?q=H-110');
    expect(own.html).not.toMatch(/<th[^>]*>Company</);
  });

  it('lists a unit of exactly that name first, whatever a company before it has', async () => {
    const many = Array.from({ length: 12 }, (_, place) => ({ crm_unit_id: `X-9${place}`, occupied: false }));
    demand(200, await company.sync(many));
    const next = await service.company({ pms_location_code: 'MAIN', name: 'Zed Street' });
    demand(200, await next.sync([{ crm_unit_id: 'X-9', occupied: false }]));
    await admin.visit('/dashboard/find?q=X-9&open=only');
    expect(admin.shown.path).toBe(`/dashboard/units/${(await next.unit('X-9')).unit_id}`);
  });

  it('lists tenants who are locked out before others, however many there are', async () => {
    const other = await service.company({ pms_location_code: 'MAIN', name: 'Elsewhere' });
    const own = await Visitor.of(service, 'auditor', [other.id]);
    const rows = Array.from({ length: 12 }, (_, place) => ({
      ...{ crm_unit_id: `R-${place + 10}`, occupied: true, move_in_date: '2025-10-01' },
      tenant: tenant(`R-${place}`, 'Rosa', `Quinn ${'abcdefghijkl'[place]}`, `+131255502${place + 10}`),
    }));
    demand(200, await other.sync(rows));
    await other.patch('R-21', { balance_due: 90, paid_through_date: '2025-09-01' });
    demand(200, await other.sync([{ crm_unit_id: 'R-10', occupied: false }]));
    expect((await hits(own, 'rosa'))[0]).toMatch(/^R-21 Rosa Quinn l/);
    await own.visit('/dashboard/find?q=quinn');
    expect(own.text).toMatch(/Rosa Quinn l .* Rosa Quinn b .* Rosa Quinn a /);
  });

  it('finds nothing by what is no name at all', async () => {
    expect(await hits(admin, 'Denise Park')).toEqual([]);
    expect(admin.html).toContain('No match for “Denise Park”');
    expect(await hits(admin, '–')).toEqual([]);
    expect(await hits(admin, ' ')).toEqual([]);
  });

  it('finds nothing of companies that are not the operator’s', async () => {
    const other = await service.company({ pms_location_code: 'MAIN', name: 'Elsewhere' });
    const visitor = await Visitor.of(service, 'auditor', [other.id]);
    for (const q of ['H-110', '110', 'Whitfield', '0142', 'T-1', 'lake', 'north', 'SN-4711'])
      expect(await hits(visitor, q)).toEqual([]);
    const own = await Visitor.of(service, 'auditor', [other.id, company.id]);
    expect(await hits(own, 'H-110')).toHaveLength(1);
  });

  it('leads to a page with the same, which needs no script', async () => {
    await admin.visit('/dashboard/find?q=whitfield');
    expect(admin.text).toContain('Denise Whitfield');
    expect(admin.links).toContain(`/dashboard/units/${denise}`);
    expect(admin.links).toContain('tel:+13125550142');
    await admin.visit(admin.links.find((href) => href.startsWith('/dashboard/tenants/'))!);
    expect(admin.links).toContain('tel:+13125550142');
    expect(admin.text).toContain('$319.00 owed in all.');
    await admin.visit('/dashboard/find?q=nobody-at-all');
    expect(admin.text).toContain('No match for “nobody-at-all”.');
  });

  it.each([
    ['a whole name of a unit', 'h110'],
    ['the only match', 'whitf'],
  ])('opens the unit on Enter by %s', async (_, q) => {
    await admin.visit('/dashboard');
    expect(admin.html).toMatch(/action="\/dashboard\/find"[^]*?<button[^>]* name="open"/);
    await admin.visit(`/dashboard/find?q=${q}&open=only`);
    expect(admin.shown.path).toBe(`/dashboard/units/${denise}`);
  });

  it('shows the list on Enter where several match, however one begins', async () => {
    for (const q of ['H-11', '120']) {
      await admin.visit(`/dashboard/find?q=${q}&open=only`);
      expect(admin.html).toContain('<h1>Find</h1>');
      expect(admin.text).toContain('H-1');
    }
  });

  it('shows a unit and whoever calls from a number that ends like its name, and opens neither', async () => {
    const other = await service.company({ pms_location_code: 'CALLED' });
    const move_in_date = '2025-10-01';
    const caller = tenant('T-9', 'Gary', 'Torres', '+13125557788');
    const units = Array.from({ length: 12 }, (_, place) => `7788-${place}`);
    demand(
      200,
      await other.sync([
        ...['7788', ...units].map((crm_unit_id) => ({ crm_unit_id, occupied: false })),
        { crm_unit_id: 'Z-1', occupied: true, move_in_date, tenant: caller },
      ]),
    );
    expect((await hits(admin, '7788')).slice(0, 2)).toEqual([
      expect.stringMatching(/^7788 /),
      expect.stringMatching(/^Z-1 Gary Torres/),
    ]);
    await admin.visit('/dashboard/find?q=7788&open=only');
    expect(admin.html).toContain('<h1>Find</h1>');
    expect(admin.text).toMatch(/Units .*7788.* Tenants .*Gary Torres/);
  });

  it('lets in, calls and texts whom a text asks for', async () => {
    const [letIn] = await hits(admin, 'let in H-110');
    expect(letIn).toMatch(/^Let in H-110 Denise Whitfield, Lake Street Locked out/);
    expect(admin.links[0]).toBe(`/dashboard/units/${denise}?do=let-in`);
    expect((await hits(admin, 'Call H-110'))[0]).toMatch(/^Call Denise Whitfield \+1 312-555-0142, H-110/);
    expect(admin.links[0]).toBe('tel:+13125550142');
    await hits(admin, 'text H-110');
    expect(admin.links[0]).toBe('sms:+13125550142');
    await admin.visit('/dashboard/find?q=let+in+H-110&open=only');
    expect(admin.shown.path).toBe(`/dashboard/units/${denise}?do=let-in`);
  });

  it('leads to the form of an act on the page of results, too, and keeps the text in its field', async () => {
    await admin.visit('/dashboard/find?q=let+in+H-1');
    expect(admin.text).toMatch(/Do .*Let in H-110 Denise Whitfield, Lake Street/);
    expect(admin.links).toContain(`/dashboard/units/${denise}?do=let-in`);
    expect(admin.form('find').values).toEqual({ q: 'let in H-1' });
    await admin.visit(`/dashboard/units/${denise}?do=let-in`);
    expect(admin.html).toMatch(/class="dialog open"[^>]*>.*id="form-let-in"/s);
  });

  it('offers an auditor no act, and finds what it names', async () => {
    const auditor = await Visitor.of(service, 'auditor');
    expect((await hits(auditor, 'let in H-110'))[0]).toMatch(/^H-110 Denise Whitfield/);
    await auditor.visit('/dashboard/find?q=let+in+H-110&open=only');
    expect(auditor.shown.path).toBe(`/dashboard/units/${denise}`);
  });

  it('has a file with the units of the page, and no others', async () => {
    const { html } = await admin.visit('/dashboard/find/units.csv?q=120');
    const lines = html.trimEnd().split('\r\n').slice(1);
    expect(lines.map((line) => line.split(',')[2]).sort()).toEqual(['A-120', 'B-120', 'H-120']);
    expect(html).toContain(',B-120,Ada O’Park,0,');
  });

  it('finds in every company, however many there are before', async () => {
    const { views } = service.stores;
    const template = await (await views.collection(COMPANIES)).get(company.id);
    const others = Array.from({ length: 1_100 }, (_, place) => {
      const company_id = `00${String(place).padStart(24, '0')}`;
      return { ...template!, _id: company_id, company_id, created_at: place };
    });
    await views.write(
      others.map((document) => ({ kind: 'insert', collection: COMPANIES.name, document }) as const),
    );
    expect(await hits(admin, 'K714')).toHaveLength(1);
    expect(await hits(admin, 'north')).toHaveLength(1);
  });

  it('forgets a tenant whose details were erased', async () => {
    const { tenants } = demand(200, await service.operator('get', '/tenants?q=opark'));
    demand(200, await service.operator('delete', `/tenants/${tenants[0].tenant_id}/personal-data`));
    expect(await hits(admin, '0199')).toEqual([]);
    expect(await hits(admin, 'Ada')).toEqual([]);
  });
});
