import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const HOUR = 3_600_000;
const TAPS = 101;

let service: Service;
let company: Company;
let auditor: Visitor;
let site: string;
let entry_point_id: string;
let gate: string;
let zone_id: string;

const add = async (path: string, body: object) => demand(201, await service.operator('post', path, body));
const linesOf = (html: string) => html.trimEnd().split('\r\n');

beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  const location_id = company.locations.get('MAIN')!;
  const unit = {
    crm_unit_id: 'A-1',
    occupied: true,
    move_in_date: '2025-10-01',
    tenant: { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park' },
  };
  demand(200, await company.sync([unit]));
  const { unit_id } = await company.unit('A-1');
  site = `/locations/${location_id}`;
  ({ zone_id } = await add(`${site}/zones`, { name: 'Yard' }));
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  ({ entry_point_id } = await add(`${site}/entry-points`, {
    name: 'North gate',
    kind: 'gate',
    zone_ids: [zone_id],
  }));
  gate = `/dashboard/entry-points/${entry_point_id}`;
  const key = { company_id: company.id, location_id, pms_tenant_id: 'T-1' };
  const [account] = await service.part(TenantAccounts).find([key]);
  const { token } = await service.part(TenantSessions).begin(account!);
  for (let tap = 0; tap < TAPS; tap += 1) {
    const occurred_at = new Date(service.clock.now()).toISOString();
    const body = { event: 'unlock', result: 'success', occurred_at };
    demand(201, await service.call('post', `/api/v2/entry-points/${entry_point_id}/logs`, { token, body }));
    service.manualClock.advance(1000);
  }
  await add(`${site}/passes`, {
    name: 'Vera Vent',
    phone: '+13125550144',
    entry_point_ids: [entry_point_id],
    until: new Date(service.clock.now() + 48 * HOUR).toISOString(),
    reason: 'vendor',
  });
  auditor = await Visitor.of(service, 'auditor');
});
afterAll(() => service.close());

it('a gate’s log has every tap, a hundred at a time', async () => {
  const shown = () => (auditor.html.match(/datetime=/gi) ?? []).length;
  await auditor.visit(gate);
  await auditor.visit(auditor.links.find((href) => href === `${gate}/log`)!);
  expect(auditor.text).toContain('Ada Park');
  const first = shown();
  await auditor.visit(auditor.links.find((href) => href.includes('cursor='))!);
  expect([first, shown()]).toEqual([100, 1]);
  expect(auditor.links.filter((href) => href.includes('cursor='))).toEqual([]);
});

it('a gate’s log is a file, with every tap', async () => {
  const { html } = await auditor.visit(`${gate}/log.csv`);
  const [head, ...lines] = linesOf(html);
  expect(head).toBe('log_id,occurred_at,recorded_at,tenant_id,name,event,result,failure_code,text');
  expect(lines).toHaveLength(TAPS);
  expect(lines[0]).toContain(',Ada Park,unlock,success,,Opened');
});

it('a gate’s page lists who may open it, by unit and by pass', async () => {
  await auditor.visit(`${gate}/people`);
  expect(auditor.text).toMatch(/Vera Vent Pass, Vendor, until .* Opens none Ada Park Rents A-1 Opens/);
});

it('a tenant who is locked out stands in the list as such', async () => {
  await company.patch('A-1', { balance_due: 40, paid_through_date: '2025-01-31' });
  await auditor.visit(`${gate}/people`);
  expect(auditor.text).toMatch(/Ada Park Rents A-1 Locked out: past due/);
  await company.patch('A-1', { balance_due: 0, paid_through_date: '2026-12-31' });
});

it.each([
  ['Auction', { pms_auction: true }, { pms_auction: false }],
  ['Not for rent', { pms_unrentable: true }, { pms_unrentable: false }],
])('a tenant whose unit is denied otherwise is not called locked out: %s', async (text, facts, before) => {
  demand(200, await company.patch('A-1', facts));
  await auditor.visit(`${gate}/people`);
  expect(auditor.text).toContain(`Ada Park Rents A-1 ${text}`);
  demand(200, await company.patch('A-1', before));
});

it('a tenant whose lease has not begun is not called locked out', async () => {
  const unit = {
    crm_unit_id: 'A-2',
    occupied: true,
    move_in_date: '2027-01-01',
    tenant: { pms_tenant_id: 'T-2', first_name: 'Ben', last_name: 'Early' },
  };
  demand(200, await company.sync([unit]));
  const { unit_id } = await company.unit('A-2');
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  await auditor.visit(`${gate}/people`);
  expect(auditor.text).toContain('Ben Early Rents A-2 Not moved in yet');
});

it('a gate’s page tells who could open it at an instant, and what was changed', async () => {
  await auditor.visit(`${gate}/as-of`);
  expect(auditor.text).toMatch(/What was changed .*by ada@example\.com/);
  await auditor.visit(`${gate}/as-of?on=${String(auditor.form('as-of').values['on'])}`);
  expect(auditor.text).toMatch(/North gate on .*: in service\. .* Ada Park Rents A-1/);
});

it('an instant before there was a gate is refused at its field', async () => {
  const { status } = await auditor.visit(`${gate}/as-of?on=2019-01-01T10:00`);
  expect([status, auditor.text.includes('The site did not have it then.')]).toEqual([422, true]);
});

it('what is no time is refused at its field', async () => {
  const { status } = await auditor.visit(`${gate}/as-of?on=soon`);
  expect([status, auditor.text.includes('must be a date and a time')]).toEqual([422, true]);
});

it('a removed gate keeps its log and its past', async () => {
  const body = { name: 'Old gate', kind: 'gate', zone_ids: [] };
  const removed = await add(`${site}/entry-points`, body);
  demand(200, await service.operator('delete', `/entry-points/${removed.entry_point_id}`));
  const path = `/dashboard/entry-points/${removed.entry_point_id}`;
  await auditor.visit(path);
  const tabs = auditor.links.filter((href) => href.startsWith(path));
  expect(tabs).toEqual(expect.arrayContaining([`${path}/log`, `${path}/as-of`]));
  expect(tabs).not.toContain(`${path}/people`);
  expect((await auditor.visit(`${path}/log`)).status).toBe(200);
});

it('another company’s operator sees none of a gate’s records', async () => {
  const outsider = await Visitor.of(service, 'admin', [(await service.company()).id]);
  for (const part of ['log', 'log.csv', 'people', 'as-of'])
    expect([part, (await outsider.visit(`${gate}/${part}`)).status]).toEqual([part, 404]);
});

it('the people of a gate are one page where a site has more units than are read at once', async () => {
  const large = await service.company({ pms_location_code: 'LARGE' });
  const site = `/locations/${large.locations.get('LARGE')}`;
  const units = Array.from({ length: 501 }, (_, place) => ({ crm_unit_id: `V-${place}`, occupied: false }));
  for (const some of [units.slice(0, 500), units.slice(500)]) demand(200, await large.sync(some));
  const rented = { crm_unit_id: 'Z-1', occupied: true, move_in_date: '2025-01-01' };
  const tenant = { pms_tenant_id: 'T-Z', first_name: 'Zoe', last_name: 'Last' };
  demand(200, await large.sync([{ ...rented, tenant }]));
  const zone = demand(201, await service.operator('post', `${site}/zones`, { name: 'Far end' }));
  demand(
    200,
    await service.operator('put', `/zones/${zone.zone_id}/units/${(await large.unit('Z-1')).unit_id}`),
  );
  const body = { name: 'Far gate', kind: 'gate', zone_ids: [zone.zone_id] };
  const { entry_point_id } = demand(201, await service.operator('post', `${site}/entry-points`, body));
  await auditor.visit(`/dashboard/entry-points/${entry_point_id}/people`);
  expect(auditor.text).toContain('Zoe Last Rents Z-1');
  expect(auditor.links.filter((href) => href.includes('cursor='))).toEqual([]);
});
