import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const DAY = 24 * 60 * 60_000;

let service: Service;
let company: Company;
let admin: Visitor;
let unit: string;
let place: string;

const post = async (path: string, body: object) => demand(201, await service.operator('post', path, body));
const put = async (path: string, body?: object) => demand(200, await service.operator('put', path, body));
const remove = async (path: string) => demand(200, await service.operator('delete', path));
const now = () => new Date(service.clock.now()).toISOString();

/** The page as it was, between its headings and what follows. */
async function sectionThen(title: string, at: string): Promise<string> {
  await admin.visit(`/dashboard${unit}?at=${at}`);
  expect(admin.shown.status).toBe(200);
  const section = new RegExp(`<h2>${title}</h2>(.*?)</section>`, 's').exec(admin.html)![1]!;
  return section.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

beforeAll(async () => {
  service = await Service.start();
  admin = await Visitor.signedIn(service);
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  const person = { pms_tenant_id: 'T-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  const entry = { crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant: person };
  demand(200, await company.sync([entry]));
  demand(201, await company.moveIn('A-2', { pms_tenant_id: 'T-guest' }));
  unit = `/units/${(await company.unit('A-1')).unit_id}`;
  place = `/locations/${company.locations.get('MAIN')}`;
});
afterAll(() => service.close());

it('is the page of then: who rented and shared it, the override, locks, zones, keys and reports', async () => {
  const guest = demand(200, await service.operator('get', `/units/${(await company.unit('A-2')).unit_id}`));
  const before = now();
  service.manualClock.advance(60_000);
  const { lock_id } = await post(`${place}/locks`, { name: 'Old latch', serial: 'S-77' });
  const { zone_id } = await post(`${place}/zones`, { name: 'Building B' });
  await put(`${unit}/locks/${lock_id}`);
  await put(`/zones/${zone_id}${unit}`);
  await put(`${unit}/shares/${guest.tenant.tenant_id}`, { until: '2026-06-01T17:00:00.000Z' });
  const { tenant } = demand(200, await service.operator('get', unit));
  const [account] = await service.part(TenantAccounts).byTenantId([tenant.tenant_id]);
  const { token } = await service.part(TenantSessions).begin(account!);
  demand(200, await service.call('get', '/api/v2/tenant/access', { token }));
  const report = { event: 'attempt', result: 'failure', failure_code: 'jammed', message: 'It sticks, Ada' };
  demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { token, body: report }));
  await put(`${unit}/override`, { override: 'lockout', reason: 'Cut latch' });
  const then = now();

  service.manualClock.advance(60_000);
  const later = { event: 'unlock', result: 'success', message: 'Later' };
  demand(201, await service.call('post', `/api/v2/locks/${lock_id}/logs`, { token, body: later }));
  await remove(`${unit}/override`);
  await remove(`${unit}/shares/${guest.tenant.tenant_id}`);
  await remove(`/zones/${zone_id}${unit}`);
  await remove(`${unit}/locks/${lock_id}`);
  await put(`${unit}/locks/${(await post(`${place}/locks`, { name: 'New latch' })).lock_id}`);
  demand(200, await company.sync([{ crm_unit_id: 'A-1', occupied: false }]));
  demand(200, await company.moveIn('A-1', { pms_tenant_id: 'T-2' }));

  expect(await sectionThen('Tenant', then)).toMatch(
    /Name Ada Park PMS id T-1 .*Shared with T-guest until Jun 1, 2026/,
  );
  expect(admin.html).toContain('aria-label="Parts of this unit, as it is now"');
  expect(await sectionThen('Set by staff', then)).toContain(
    'Access Locked out by staff Reason Cut latch Ends no end date',
  );
  expect(admin.text).toContain('Locked out by staff (“Cut latch”).');
  expect(admin.text).toMatch(/set by staff: locked out by staff Yes, decides .* Set by ada@example\.com, /);
  expect(await sectionThen('Locks and keys', then)).toMatch(
    /Old latch \(S-77\) .* Old latch: until .* Building B/,
  );
  expect(admin.text).not.toContain('New latch');
  const reported = await sectionThen('Activity until then', then);
  expect(reported).toContain('Failed: jammed Locked out by staff Ada Park It sticks, Ada');
  expect(reported).not.toContain('Later');

  expect(await sectionThen('Tenant', before)).not.toContain('Shared with');
  expect(await sectionThen('Set by staff', before)).toContain('Nothing is set by staff');
  expect(await sectionThen('Locks and keys', before)).toMatch(/^ No lock was on it\. Zones In no zone\. $/);
  expect(admin.text).toContain('No taps yet.');
  expect(await sectionThen('Tenant', now())).toContain('Name T-2 PMS id T-2');

  await admin.visit(`/dashboard${unit}/history`);
  expect(admin.text).toContain('tenant: Ada Park → none');
  expect(admin.text).toContain('shared with: none → T-guest');
  expect(admin.text).toContain('location: none → Location MAIN');
  const named = `tenant: none → Ada Park (${tenant.tenant_id})`;
  await admin.visit(`/dashboard${unit}/report`);
  expect(admin.html).toMatch(/<button[^>]* data-prints[^>]*>Print</);
  expect(admin.text).not.toMatch(/manifest|checkpoint of the log/);
  expect(admin.text).toMatch(/Taps at its locks and gates, newest first .*Failed: jammed/);
  expect(admin.text).toContain(named);
  expect(admin.text).toContain('Names shown are current.');
  await admin.visit(`/dashboard${unit}/history.csv`);
  expect(admin.html).toContain(`tenant: none → ${tenant.tenant_id}`);
  expect(admin.html).not.toContain('Ada');

  await remove(`/tenants/${tenant.tenant_id}/personal-data`);
  expect(await sectionThen('Tenant', then)).toMatch(/Name T-1 PMS id T-1 .* Personal details were erased: /);
  expect(admin.html).not.toMatch(/Ada|Park(?! Storage)|3125550100/);
  expect(await sectionThen('Activity until then', then)).toMatch(/Failed: jammed Locked out by staff T-1 $/);
});

it('says of keys that it is too long ago to know them', async () => {
  const then = now();
  service.manualClock.advance(31 * DAY);
  admin = await Visitor.signedIn(service);
  expect(await sectionThen('Locks and keys', then)).toContain(
    'is not known any more: that is kept for 30 days',
  );
});

it('tells that it was retired, and that nobody rented it', async () => {
  demand(200, await company.sync([{ crm_unit_id: 'A-1', occupied: false }]));
  await put(`${unit}/retired`);
  const then = now();
  service.manualClock.advance(60_000);
  await remove(`${unit}/retired`);
  expect(await sectionThen('Tenant', then)).toBe(' Nobody rented it. ');
  expect(admin.text).toContain('It was retired: lists and integrators did not see it.');
  await admin.visit(`/dashboard${unit}`);
  expect(admin.text).not.toContain('Retired: lists');
});
