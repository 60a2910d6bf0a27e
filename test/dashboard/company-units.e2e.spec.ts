import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let path: string;
let manager: Visitor;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'LAKE', name: 'Lake Street' });
  path = `/dashboard/companies/${company.id}/units`;
  const hill = { pms_location_code: 'HILL', name: 'Oak Hill', timezone: 'America/Chicago' };
  demand(201, await service.operator('post', `/companies/${company.id}/locations`, hill));
  const rented = (crm_unit_id: string, first_name: string, pms_location_code: string) => ({
    ...{ crm_unit_id, pms_location_code, occupied: true, move_in_date: '2025-10-01' },
    tenant: { pms_tenant_id: `T-${crm_unit_id}`, first_name, last_name: 'Park' },
  });
  demand(
    200,
    await company.sync([
      ...[rented('A-10', 'Zoe', 'LAKE'), rented('A-9', 'Ada', 'HILL'), rented('A-8', 'Bob', 'HILL')],
      { crm_unit_id: 'A-100', pms_location_code: 'LAKE', occupied: false },
    ]),
  );
  await company.patch('A-10', { balance_due: 189, paid_through_date: '2025-11-01' });
  await company.patch('A-9', { balance_due: 20, paid_through_date: '2025-12-31' });
  manager = await Visitor.of(service, 'manager', [company.id]);
});
afterAll(() => service.close());

const listed = () => [...manager.html.matchAll(/units\/[^"]+">(A-\d+)</g)].map(([, name]) => name);
const siteCalled = async (name: string): Promise<string> => {
  const { locations } = demand(200, await service.operator('get', `/companies/${company.id}`));
  return locations.find((one: { name: string }) => one.name === name).location_id;
};

it.each([
  ['', ['A-8', 'A-9', 'A-10', 'A-100']],
  ['?sort=-unit', ['A-100', 'A-10', 'A-9', 'A-8']],
  ['?sort=-balance', ['A-10', 'A-9', 'A-8', 'A-100']],
  ['?sort=tenant', ['A-9', 'A-8', 'A-10', 'A-100']],
  ['?q=park', ['A-8', 'A-9', 'A-10']],
  ['?q=Zoe', ['A-10']],
  ['?q=a10', ['A-10', 'A-100']],
  ['?state=tenant_denied', ['A-10']],
  ['?state=tenant_denied&reason=delinquent', ['A-10']],
  ['?q=park&state=tenant_permitted&sort=-unit', ['A-9', 'A-8']],
])('units of all sites are sorted, searched and filtered: “%s”', async (query, names) => {
  await manager.visit(path + query);
  expect(listed()).toEqual(names);
});

it('the filters count what the search finds, and keep it', async () => {
  await manager.visit(`${path}?q=park&sort=-unit`);
  expect(manager.text).toContain('All 3 Open 2 ✕ Locked out 1');
  expect(manager.links).toContain(`${path}?q=park&sort=-unit&state=tenant_denied`);
});

it('the filters count all units beside those of a reason, which can be taken off', async () => {
  await manager.visit(`${path}?state=tenant_denied&reason=delinquent`);
  expect(manager.text).toContain('All 4 Open 2 ✕ Locked out 1');
  expect(manager.html).toContain('aria-label="Past due: show all reasons"');
  expect(manager.links).toContain(`${path}?state=tenant_denied`);
});

it('the head says how many units are rented, unless a search narrows them', async () => {
  await manager.visit(path);
  expect(manager.text).toContain('3 of 4 rented at 2 sites');
  await manager.visit(`${path}?q=park`);
  expect(manager.text).not.toContain('rented at');
});

it('one site can be chosen', async () => {
  const location_id = await siteCalled('Oak Hill');
  await manager.visit(`${path}?sort=-unit`);
  await manager.visit(manager.links.find((href) => href.includes(`location_id=${location_id}`))!);
  expect(listed()).toEqual(['A-9', 'A-8']);
  expect(manager.text).toContain('Units at Oak Hill');
  expect(manager.text).toContain('All 2');
  expect(manager.form('filter').values).toEqual({ q: '', location_id, sort: '-unit' });
  expect((await manager.visit(`${path}?location_id=${company.id}`)).status).toBe(404);
});

it('the file has the rows of the page, in its order', async () => {
  await manager.visit(`${path}?q=park&state=tenant_permitted&sort=-unit`);
  await manager.visit(manager.links.find((href) => href.includes('units.csv'))!);
  const lines = manager.html.trimEnd().split('\r\n').slice(1);
  expect(lines.map((line) => line.split(',').slice(1, 5).join())).toEqual([
    'A-9,A-9,Ada Park,20',
    'A-8,A-8,Bob Park,0',
  ]);
});

it('of a unit that is let in, its reason leads to it, though it counts beside the open ones', async () => {
  const { unit_id } = await company.unit('A-10');
  const body = { override: 'exempt', reason: 'pays tomorrow' };
  demand(200, await service.operator('put', `/units/${unit_id}/override`, body));
  await manager.visit(`${path}?state=tenant_permitted&reason=system_exempt`);
  expect(listed()).toEqual(['A-10']);
  await manager.visit(`${path}?state=exempt`);
  expect(listed()).toEqual(['A-10']);
  await manager.visit(`${path}?state=tenant_permitted`);
  expect(listed()).toEqual(['A-8', 'A-9']);
});

it('the units of a company without a site lead to the page that adds one', async () => {
  const { company_id } = demand(201, await service.operator('post', '/companies', { name: 'New' }));
  const admin = await Visitor.signedIn(service);
  await admin.visit(`/dashboard/companies/${company_id}/units`);
  expect(admin.text).toContain('No site yet, and units belong to one: see Sites');
});

it('a list of over 100 units has numbered pages, which keep its filters', async () => {
  const units = Array.from({ length: 101 }, (_, place) => ({
    ...{ crm_unit_id: `B-${place}`, occupied: false },
  }));
  const large = await service.company({ pms_location_code: 'LARGE' });
  demand(200, await large.sync(units));
  const auditor = await Visitor.of(service, 'auditor', [large.id]);
  await auditor.visit(`/dashboard/companies/${large.id}/units?state=vacant`);
  expect(auditor.text).toContain('1 to 100 of 101');
  await auditor.visit(auditor.links.find((href) => href.endsWith('?state=vacant&page=2'))!);
  expect(auditor.text).toContain('101 to 101 of 101');
});

it('a company of over 50 sites is listed as it stands until a site is chosen', async () => {
  for (let place = 0; place < 50; place += 1) {
    const site = { pms_location_code: `S-${place}`, name: `Site ${place}`, timezone: 'America/Chicago' };
    demand(201, await service.operator('post', `/companies/${company.id}/locations`, site));
  }
  await manager.visit(path);
  expect(manager.text).toContain('Choose a site to search and sort its units: there are over 50 sites.');
  expect(listed().sort()).toEqual(['A-10', 'A-100', 'A-8', 'A-9']);
  await manager.visit(`${path}?location_id=${await siteCalled('Oak Hill')}&sort=-unit`);
  expect(listed()).toEqual(['A-9', 'A-8']);
});
