import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let path: string;
let location_id: string;
let manager: Visitor;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
  location_id = company.locations.get('MAIN')!;
  path = `/dashboard/locations/${location_id}`;
  const tenant = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550101' };
  const rented = { crm_unit_id: 'A-2', occupied: true, move_in_date: '2025-10-01', tenant };
  const vacant = ['A-1', 'A-3'].map((crm_unit_id) => ({ crm_unit_id, occupied: false }));
  demand(200, await company.sync([rented, ...vacant]));
  await company.patch('A-2', { balance_due: 189, paid_through_date: '2025-11-01' });
  manager = await Visitor.of(service, 'manager');
});
afterAll(() => service.close());

const panel = () => /<aside id="peek".*?<\/aside>/s.exec(manager.html)?.[0] ?? '';
const linksIn = (html: string) => [...html.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href);

async function tapAtGate(): Promise<void> {
  const post = async (at: string, body: object) => demand(201, await service.operator('post', at, body));
  const { zone_id } = await post(`/locations/${location_id}/zones`, { name: 'North wing' });
  const { unit_id } = await company.unit('A-2');
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  const gate = { name: 'North gate', kind: 'gate', zone_ids: [zone_id] };
  const { entry_point_id } = await post(`/locations/${location_id}/entry-points`, gate);
  const key = { company_id: company.id, location_id, pms_tenant_id: 'T-1' };
  const [account] = await service.part(TenantAccounts).find([key]);
  const { token } = await service.part(TenantSessions).begin(account!);
  const body = { event: 'attempt', result: 'failure', failure_code: 'access_denied' };
  const log = `/api/v2/entry-points/${entry_point_id}/logs`;
  demand(201, await service.call('post', log, { token, body }));
}

it('a tile leads to the panel of its unit, with what a caller asks', async () => {
  await tapAtGate();
  await manager.visit(path);
  expect(panel()).toBe('<aside id="peek" hidden></aside>');
  await manager.visit(manager.links.find((href) => href === `${path}?peek=A-2`)!);
  const { unit_id } = await company.unit('A-2');
  expect(manager.html).toMatch(/class="tile denied" href="[^"]*peek=A-2" aria-current="true"/);
  expect(manager.text).toContain(
    'Lake Street, North wing A-2 Locked out: past due Locked out: $189.00 due since Nov 2, 2025',
  );
  expect(manager.text).toContain(
    'Ada Park +1 312-555-0101 Owes $189.00 Paid through Nov 1, 2025 North gate No',
  );
  expect(manager.text).toMatch(/Last taps Denied North gate Today/);
  expect(linksIn(panel())).toEqual(
    expect.arrayContaining([
      ...[`/dashboard/units/${unit_id}`, `/dashboard/units/${unit_id}?do=let-in`],
      ...['tel:+13125550101', 'sms:+13125550101'],
    ]),
  );
});

it('the panel of a unit that staff set leads to taking that back, and no other panel does', async () => {
  const { unit_id } = await company.unit('A-2');
  const override = `/units/${unit_id}/override`;
  const way = `/dashboard/units/${unit_id}?do=clear`;
  await manager.visit(`${path}?peek=A-2`);
  expect(linksIn(panel())).not.toContain(way);
  demand(200, await service.operator('put', override, { override: 'exempt', reason: 'Pays Monday' }));
  await manager.visit(`${path}?peek=A-2`);
  expect(linksIn(panel())).toContain(way);
  await manager.visit(way);
  expect(manager.html).toContain(
    '<div class="dialog open" role="dialog" aria-label="Take back what staff set"',
  );
  await manager.submit('clear');
  expect(manager.text).toContain('What staff set is taken back. A-2 is locked out');
});

it('the panel leads to the units beside it in the order of the page, and away', async () => {
  await manager.visit(`${path}/table?sort=-unit&peek=A-2`);
  const table = `${path}/table?sort=-unit`;
  const [before, next, away] = linksIn(panel()).map((href) => href!.replaceAll('&amp;', '&'));
  expect([before, next, away]).toEqual([`${table}&peek=A-3`, `${table}&peek=A-1`, table]);
  await manager.visit(before!);
  expect(panel()).toContain('>A-3<');
  expect(panel()).not.toContain('id="peek-before"');
  await manager.visit(away!);
  expect(panel()).toBe('<aside id="peek" hidden></aside>');
});

it('the panel keeps the filter of the page', async () => {
  await manager.visit(`${path}?state=vacant&peek=A-1`);
  expect(linksIn(panel())[0]).toBe(`${path}?state=vacant&amp;peek=A-3`);
});

it.each(['', '/table'])('a script gets the panel alone, of the map and of the table: “%s”', async (part) => {
  await manager.visit(`${path}${part}?peek=A-2`, { 'HX-Request': 'true', 'HX-Target': 'peek' });
  expect(manager.html).toMatch(/^<aside id="peek" class="peek"/);
  expect(manager.html).not.toContain('<main');
});

it('of a unit that is not at the site there is no panel', async () => {
  const other = await service.company({ pms_location_code: 'OTHER' });
  demand(200, await other.sync([{ crm_unit_id: 'B-1', occupied: false }]));
  for (const asked of ['B-1', 'A-99', '', `ulid:${(await other.unit('B-1')).unit_id}`]) {
    await manager.visit(`${path}?peek=${encodeURIComponent(asked)}`);
    expect([asked, manager.shown.status, panel()]).toEqual([asked, 200, '<aside id="peek" hidden></aside>']);
  }
});

it('an auditor is offered no way to let in', async () => {
  const auditor = await Visitor.of(service, 'auditor', [company.id]);
  await auditor.visit(`${path}?peek=A-2`);
  expect(auditor.text).toContain('Open unit');
  expect(auditor.html).not.toContain('do=let-in');
});

it('units that staff or the PMS let in have a filter of their own, and are not among the open ones', async () => {
  const { unit_id } = await company.unit('A-2');
  const body = { override: 'exempt', reason: 'pays tomorrow' };
  demand(200, await service.operator('put', `/units/${unit_id}/override`, body));
  await manager.visit(path);
  expect(manager.text).toContain('All 3 Open 0 ✕ Locked out 0 ★ Let in or exempt 1');
  await manager.visit(`${path}?state=exempt`);
  expect(manager.html.match(/class="tile /g)).toHaveLength(1);
  const file = manager.links.find((href) => href.includes('units.csv'))!;
  expect((await manager.visit(file)).html.trimEnd().split('\r\n')).toHaveLength(2);
});
