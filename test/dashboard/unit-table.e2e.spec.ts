import { type Company, demand, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let path: string;
let manager: Visitor;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
  path = `/dashboard/locations/${company.locations.get('MAIN')}`;
  const rented = (crm_unit_id: string, pms_tenant_id: string, first_name: string) => ({
    ...{ crm_unit_id, occupied: true, move_in_date: '2025-10-01' },
    tenant: { pms_tenant_id, first_name, last_name: 'Park', phone: `+1312555010${pms_tenant_id.slice(2)}` },
  });
  const units = [rented('A-10', 'T-1', 'Zoe'), rented('A-9', 'T-2', 'Ada')];
  demand(200, await company.sync([...units, { crm_unit_id: 'A-100', occupied: false }]));
  await company.patch('A-10', { balance_due: 189, paid_through_date: '2025-11-01' });
  await company.patch('A-9', { balance_due: 20, paid_through_date: '2025-12-31' });
  manager = await Visitor.of(service, 'manager');
});
afterAll(() => service.close());

const api = () => `/locations/${company.locations.get('MAIN')}`;
/** The units in the order of the table. */
const listed = () => [...manager.html.matchAll(/units\/[^"]+">(A-\d+)</g)].map(([, name]) => name);

it('shows tenant, access, balance and the day up to which is paid, by name, with how many and how much is owed', async () => {
  await manager.visit(`${path}/table`);
  expect(listed()).toEqual(['A-9', 'A-10', 'A-100']);
  expect(manager.text).toContain('3 units, $209.00 owed');
  expect(manager.text).toContain('Locked out since at least');
  expect(manager.html).toContain('<td class="number" data-title="Balance">$189.00</td>');
  expect(manager.html).toMatch(/<th scope="col" class="number"><a [^>]*>Balance</);
  expect(manager.text).toContain('A-10 Zoe Park +1 312-555-0101 Locked out: past due $189.00 Nov 1, 2025');
  expect(manager.text).toContain('A-100 – Vacant – – –');
  await manager.visit(`/dashboard/companies/${company.id}/units`);
  expect(manager.text).toContain('A-100 – Vacant – –');
});

it.each([
  ['-balance', ['A-10', 'A-9', 'A-100']],
  ['tenant', ['A-9', 'A-10', 'A-100']],
  ['paid', ['A-10', 'A-9', 'A-100']],
  ['-unit', ['A-100', 'A-10', 'A-9']],
  ['colour', ['A-9', 'A-10', 'A-100']],
])('sorts by %s', async (sort, order) => {
  await manager.visit(`${path}/table?sort=${sort}`);
  expect(listed()).toEqual(order);
});

it('turns an order around by the head of its column', async () => {
  await manager.visit(`${path}/table?sort=balance`);
  expect(manager.html).toContain('aria-sort="ascending"');
  expect(manager.links).toContain(`${path}/table?sort=-balance`);
});

it('of a location without units says what to do', async () => {
  const other = await service.company({ pms_location_code: 'EMPTY' });
  const empty = `/dashboard/locations/${other.locations.get('EMPTY')}`;
  await manager.visit(`${empty}/table`);
  expect(manager.text).toContain('No unit yet. Units appear when your PMS syncs; or add one');
  expect(manager.links).toContain(`${empty}?add=unit`);
  await manager.visit(`${empty}/table?q=A`);
  expect(manager.text).toContain('No match.');
  const auditor = await Visitor.of(service, 'auditor', [other.id]);
  await auditor.visit(`${empty}/table`);
  expect(auditor.text).toContain('No unit yet. Units appear when your PMS syncs.');
});

it('cuts a long search', async () => {
  await manager.visit(`${path}/table?q=${'A-10+'.repeat(1_500)}`);
  expect(listed()).toEqual(['A-10', 'A-100']);
  expect(manager.links.every((href) => href.length < 500)).toBe(true);
});

it('filters by state and by text of a unit or its tenant', async () => {
  await manager.visit(`${path}/table?state=tenant_denied`);
  expect(listed()).toEqual(['A-10']);
  await manager.visit(`${path}?state=tenant_denied`);
  await manager.visit(manager.links.find((href) => href.startsWith(`${path}/table`))!);
  expect(listed()).toEqual(['A-10']);
  await manager.visit(`${path}/table?sort=-balance`);
  expect(manager.form('filter').values).toMatchObject({ sort: '-balance' });
  expect(manager.html).toContain('id="form-filter"');
  for (const q of ['ada', 'Park, Áda', 'a9']) {
    await manager.visit(`${path}/table?q=${encodeURIComponent(q)}`);
    expect(listed()).toEqual(['A-9']);
  }
  await manager.visit(`${path}/table?q=nobody`);
  // The search box of every page stays empty: the filter is the table's own.
  expect(manager.html.match(/value="nobody"/g)).toHaveLength(1);
  expect(manager.text).toContain('No match.');
  expect((await manager.visit(`${path}/table?state=colour`)).status).toBe(422);
});

it('keeps search and order when the state is chosen, and counts what the search finds', async () => {
  await manager.visit(`${path}/table?q=park&sort=-balance`);
  expect(manager.text).toContain('All 2 Open 1 ✕ Locked out 1');
  expect(manager.links).toContain(`${path}/table?q=park&sort=-balance&state=tenant_denied`);
});

it('is a file with the units that the search and the state leave, in the order of the table', async () => {
  await manager.visit(`${path}/table?q=park&sort=-unit`);
  const file = manager.links.find((href) => href.includes('units.csv'))!;
  const [head, ...lines] = (await manager.visit(file)).html.trimEnd().split('\r\n');
  expect(head).toBe(
    'unit_id,crm_unit_id,unit_name,tenant,balance_due,currency,paid_through_date,state,reason,round_the_clock,locked_out_since',
  );
  expect(lines.map((line) => line.replace(/^\w+,/, ''))).toEqual([
    // Nothing is counted yet.
    'A-10,A-10,Zoe Park,189,USD,2025-11-01,tenant_denied,delinquent,no,',
    'A-9,A-9,Ada Park,20,USD,2025-12-31,tenant_permitted,active,no,',
  ]);
});

it('puts the units that are selected into a zone, and comes back to the same rows', async () => {
  await manager.visit(`${path}/table?sort=-unit`);
  const unit_ids = await Promise.all(['A-9', 'A-10'].map(async (name) => (await company.unit(name)).unit_id));
  await manager.submit('zone-units', { unit_ids, name: 'North' });
  expect(manager.shown.path).toContain('sort=-unit');
  expect(manager.text).toContain('The units are in the zone. No gate leads to it. 2 units added.');
  await manager.visit(path);
  expect(manager.text).toContain('North 2 units');
  const { zones } = demand(200, await service.operator('get', `${api()}/zones`));
  const gate = { name: 'Gate', kind: 'gate', zone_ids: [zones[0].zone_id] };
  demand(201, await service.operator('post', `${api()}/entry-points`, gate));
  await manager.visit(`${path}/table`);
  await manager.submit('zone-units', { unit_ids, name: 'North' });
  expect(manager.text).toContain('The units are in the zone. 0 units added.');
});

it('refuses units of which none is at the location', async () => {
  const other = await service.company();
  demand(200, await other.sync([{ crm_unit_id: 'B-1', occupied: false }]));
  const { unit_id } = await other.unit('B-1');
  await manager.visit(`${path}/table`);
  await manager.submit('zone-units', { unit_ids: unit_id, name: 'Stolen' });
  expect([manager.shown.status, manager.text]).toEqual([
    422,
    expect.stringContaining('None of these units is at this location.'),
  ]);
  const { zones } = demand(200, await service.operator('get', `${api()}/zones`));
  expect(zones.map(({ name }: { name: string }) => name)).toEqual(['North']);
});

it('says that a unit must be selected, and keeps what was', async () => {
  await manager.visit(`${path}/table`);
  await manager.submit('zone-units', { name: 'South' });
  expect(manager.shown.status).toBe(422);
  expect(manager.text).toContain('Select at least one unit.');
  const { unit_id } = await company.unit('A-9');
  await manager.submit('zone-units', { unit_ids: unit_id, name: ' ' });
  expect(manager.shown.status).toBe(422);
  expect(manager.form('zone-units').values['unit_ids']).toBe(unit_id);
});

it('gives an auditor nothing to select', async () => {
  const auditor = await Visitor.of(service, 'auditor');
  await auditor.visit(`${path}/table`);
  expect(auditor.forms).not.toContain('zone-units');
  expect((await auditor.post(`${path}/table/zone`, { name: 'North' })).status).toBe(403);
});

it('decides about all units of a tenant together', async () => {
  const location_id = company.locations.get('MAIN')!;
  const policy = `/locations/${location_id}`;
  demand(200, await service.operator('patch', policy, { blanket_delinquency: true }));
  demand(200, await company.moveIn('A-100', { pms_tenant_id: 'T-1' }));
  await manager.visit(`${path}/table`);
  expect(manager.text).toContain('A-100 Zoe Park +1 312-555-0101 Locked out: owes on another unit');
});

it('shows since when units are locked out once it is counted, and sorts by it', async () => {
  const DAY = 24 * 60 * 60_000;
  service.manualClock.advance(15 * DAY);
  manager = await Visitor.of(service, 'manager');
  await waitUntil(
    async () => {
      service.manualClock.advance(60_000);
      return (await manager.visit(`${path}/table?sort=-since`)).html;
    },
    (shown) => shown.includes('over 14 days'),
  );
  // Grace ended with 5 January.
  expect(manager.text).toMatch(/A-9 .*Dec 31, 2025 Jan 6, 2026 /);
  expect(listed()).toEqual(['A-9', 'A-10', 'A-100']);

  // The list by state and the unit's page say the same.
  await manager.visit(`/dashboard/companies/${company.id}/units?state=tenant_denied`);
  expect(manager.text).toMatch(/A-9 .* Jan 6, 2026 A-10 .* over 14 days ago/);
  await manager.visit(`/dashboard/units/${(await company.unit('A-9')).unit_id}`);
  expect(manager.text).toContain('Locked out since at least Jan 6, 2026');
});

it('tells of a lease to come when it begins, and does not call its unit locked out', async () => {
  const unit = { crm_unit_id: 'A-8', occupied: true, move_in_date: '2026-05-01', pms_tenant_id: 'T-8' };
  demand(200, await company.sync([unit]));
  await manager.visit(path);
  expect(manager.text).toContain('Locked out 3 ⚑ Auction 0 → Not moved in yet 1 Vacant 0');
  expect(manager.text).toContain('A-8 → A-8 Not moved in yet');
  expect(manager.html).toContain('class="tile early"');
  await manager.visit(`${path}/table?q=A-8`);
  expect(manager.text).toMatch(/A-8 [^.]* Not moved in yet \$0\.00 – –/);
  expect(manager.html).toContain('class="state early"');
  const list = `/dashboard/companies/${company.id}/units`;
  const tiles = () => [...manager.html.matchAll(/class="tile-name">([^<]*)/g)].map(([, name]) => name);
  for (const [shown, named] of [
    [path, tiles],
    [`${path}/table`, listed],
    [list, listed],
  ] as const) {
    await manager.visit(`${shown}?state=tenant_denied`);
    expect(named().sort()).toEqual(['A-10', 'A-100', 'A-9']);
    await manager.visit(`${shown}?state=early`);
    expect(named()).toEqual(['A-8']);
  }
  expect(manager.text).toContain('Units: Not moved in yet');
  for (const file of [`${path}/units.csv`, `${path}/table/units.csv`, `${list}.csv`]) {
    await manager.visit(`${file}?state=tenant_denied`);
    expect(manager.html.trimEnd().split('\r\n')).toHaveLength(4);
    expect(manager.html).not.toContain('A-8');
  }
  const { unit_id } = await company.unit('A-8');
  const told = demand(200, await service.operator('get', `/units/${unit_id}`));
  expect(told).not.toHaveProperty('locked_out_since');
  await manager.visit(`/dashboard/units/${unit_id}`);
  expect(manager.text).toContain('Not moved in yet. Opens on May 1, 2026.');
  expect(manager.text).toContain('is not open yet. It opens on May 1, 2026.');
  expect(manager.text).not.toContain('Locked out since at least');
  service.manualClock.advance(60_000);
  await manager.visit(`/dashboard/units/${unit_id}/history`);
  expect(manager.html).toMatch(/class="band early"[^]*?<text [^>]*>Not moved in yet</);
});
