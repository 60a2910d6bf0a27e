import { encodeCursor } from '#kernel/cursor.js';
import { LatestTaps } from '#domain/history/index.js';
import { ActivityRecords } from '#domain/locks/index.js';
import { TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const MINUTE = 60_000;

let service: Service;
let company: Company;
let admin: Visitor;
let unit_id: string;
let gate: string;
let lock: string;
let changes: string;
let tap: (minutes: number, more?: object) => Promise<void>;

const add = async (path: string, body: object) => demand(201, await service.operator('post', path, body));
const put = async (path: string) => demand(200, await service.operator('put', path));
/** What a table says, row by row. */
const rows = (caption: string): string[] => {
  const table = new RegExp(`>${caption}</caption>.*?<tbody>(.*?)</tbody>`, 's').exec(admin.html)![1]!;
  const cells = table.split('</tr>').filter((row) => !row.includes('scope="rowgroup"'));
  return cells.map((row) => row.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' '));
};
/** Local times of day of rows, with those of late reports. */
const times = (caption: string): string[] =>
  rows(caption)
    .slice(0, -1)
    .map((row) => [...row.matchAll(/(\d+:\d\d) PM/g)].map(([, time]) => time).join(' reported '));

/** A phone is offline from 6 PM to 10 PM; another tap is reported at once. */
beforeAll(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', timezone: 'America/Chicago' });
  demand(201, await company.moveIn('A-1', { pms_tenant_id: 'T-1' }));
  ({ unit_id } = await company.unit('A-1'));
  const site = `/locations/${company.locations.get('MAIN')}`;
  const { lock_id } = await add(`${site}/locks`, { name: 'Latch' });
  const { zone_id } = await add(`${site}/zones`, { name: 'Yard' });
  lock = `/units/${unit_id}/locks/${lock_id}`;
  await put(lock);
  await put(`/zones/${zone_id}/units/${unit_id}`);
  const body = { name: 'Gate B', kind: 'gate', zone_ids: [zone_id] };
  const { entry_point_id } = await add(`${site}/entry-points`, body);
  gate = `/dashboard/entry-points/${entry_point_id}`;
  changes = `/dashboard/companies/${company.id}/changes`;
  const [account] = await service
    .part(TenantAccounts)
    .find([{ company_id: company.id, location_id: company.locations.get('MAIN')!, pms_tenant_id: 'T-1' }]);
  const { token } = await service.part(TenantSessions).begin(account!);
  const began = service.clock.now();
  tap = async (minutes, more = { result: 'success' }) => {
    const occurred_at = new Date(began + minutes * MINUTE).toISOString();
    for (const where of [`locks/${lock_id}`, `entry-points/${entry_point_id}`]) {
      const report = { event: 'unlock', occurred_at, ...more };
      demand(201, await service.call('post', `/api/v2/${where}/logs`, { token, body: report }));
    }
  };
  service.manualClock.advance(157 * MINUTE);
  await tap(157);
  service.manualClock.advance(83 * MINUTE);
  await tap(134);
  await tap(8);
  await tap(43, { result: 'failure', failure_code: 'timeout' });
  admin = await Visitor.signedIn(service);
});
afterAll(() => service.close());

/** Each at the gate and at the lock. */
const twice = (happened: readonly string[]) => happened.flatMap((time) => [time, time]);
const BY_HAPPENING = ['8:37', '8:14 reported 10:00', '6:43 reported 10:00', '6:08 reported 10:00'];

it('taps are listed by when they happened, and say when they were reported late', async () => {
  await admin.visit(gate);
  expect(times('Taps, newest first')).toEqual(BY_HAPPENING);
  expect(admin.text).toContain('6:08 PM CST reported 10:00 PM');
  await admin.visit(`/dashboard/units/${unit_id}/activity`);
  expect(times('Taps, newest first')).toEqual(twice(BY_HAPPENING));
  await admin.visit(`${changes}?type=LockActivityReported`);
  expect(times('What happened')).toEqual(BY_HAPPENING);
  await admin.visit(`${changes}.csv?type=LockActivityReported`);
  expect(admin.html).toMatch(/recorded_at\r\n2026-01-01T02:37.*\r\n2026-01-01T02:14.*,2026-01-01T04:00/);
});

it('a tenant’s page shows whom to call, what is owed, the units and the last taps, and then the rest', async () => {
  await company.patch('A-1', { balance_due: 40, paid_through_date: '2026-01-31' });
  const { tenant } = demand(200, await service.operator('get', `/units/${unit_id}`));
  await service.operator('patch', `/tenants/${tenant.tenant_id}`, { phone: '+13125550100' });
  await admin.visit(`/dashboard/tenants/${tenant.tenant_id}`);
  expect(admin.text).toMatch(
    /\+1 312-555-0100 .* \$40\.00 owed in all\. .* A-1 Open .* Last taps .* 8:37 PM CST Opened Gate B .* Sessions and keys /,
  );
  expect(times('Taps, newest first')).toEqual(twice(BY_HAPPENING).slice(0, 5));
  expect(admin.html).toMatch(/id="drawer-details" popover="auto".*>Change details<.*id="form-details"/);
  await admin.submit('details', { email: 'not an address' });
  expect(admin.html).toMatch(/class="drawer open".*id="form-details"/);
});

it('a tenant’s page reads the messages of its taps only', async () => {
  const texts = jest.spyOn(service.part(ActivityRecords), 'textsOf');
  const { tenant } = demand(200, await service.operator('get', `/units/${unit_id}`));
  await admin.visit(`/dashboard/tenants/${tenant.tenant_id}`);
  expect(texts.mock.calls.flatMap(([log_ids]) => log_ids)).toHaveLength(5);
  texts.mockRestore();
});

it('the last tap at a gate is the one that happened last', async () => {
  await admin.visit(`/dashboard?company_id=${company.id}`);
  expect(admin.text).toContain('T-1 opened Today 8:37 PM Gate B T-1 opened Today 8:14 PM Gate B');
  expect(admin.text).toContain('Failed: timeout Gate B , Dec 31, 2025, 6:43 PM CST reported 10:00 PM');
});

it('pages of changes go on where the page before ended', async () => {
  const path = `/companies/${company.id}/changes?type=EntryPointActivityReported`;
  const read = async (query: string) => demand(200, await service.operator('get', `${path}${query}`));
  const happened: string[] = [];
  for (let next: string | null = ''; next !== null;) {
    const { events, next_cursor } = await read(`&limit=3${next && `&cursor=${next}`}`);
    happened.push(...events.map(({ data }: { data: { occurred_at: string } }) => data.occurred_at));
    next = next_cursor;
  }
  expect(happened.map((at) => at.slice(11, 16))).toEqual(['02:37', '02:14', '00:43', '00:08']);
});

it('a unit as of an instant shows the taps that had happened, and which were reported later', async () => {
  const then = async (at: string) => {
    await admin.visit(`/dashboard/units/${unit_id}?at=${at}`);
    return times('Taps, newest first');
  };
  expect(await then('2026-01-01T00:30:00Z')).toEqual(twice(['6:08 reported 10:00']));
  expect(admin.text).toContain('6:08 PM reported later, 10:00 PM');
  expect(await then('2026-01-01T03:00:00Z')).toEqual(twice(BY_HAPPENING));
  expect(admin.text).not.toContain('8:37 PM CST reported');
  await admin.visit(`/dashboard/units/${unit_id}?at=2026-01-01T00:07:00Z`);
  expect(admin.text).toContain('No taps yet.');
});

it('pages of a unit’s taps go on where the page before ended, whenever they were reported', async () => {
  await tap(157);
  const unit = (await service.part(UnitDirectory).byUnitId(unit_id))!;
  const happened: string[] = [];
  for (let next: string | null | undefined; next !== null;) {
    const page: Awaited<ReturnType<LatestTaps['listOfUnit']>> = await service
      .part(LatestTaps)
      .listOfUnit(unit, { limit: 1, ...(next && { cursor: next }) });
    happened.push(...page.entries.map(({ log_id, occurred_at }) => `${occurred_at.slice(11, 16)} ${log_id}`));
    next = page.next_cursor;
  }
  expect(happened.map((one) => one.slice(0, 5))).toEqual(
    twice(['02:37', '02:37', '02:14', '00:43', '00:08']),
  );
  expect(new Set(happened).size).toBe(10);
  const forged = encodeCursor({ at: service.clock.now(), shown: 1e9 }, ['happened', unit_id]);
  for (const cursor of ['x', forged]) {
    await admin.visit(`/dashboard/units/${unit_id}/activity?cursor=${cursor}`);
    expect(admin.shown.status).toBe(422);
  }
});

it('a battery that was reported low last is marked on Today and on the unit’s page until a report says otherwise', async () => {
  const unit = `/dashboard/units/${unit_id}`;
  const pages = [`/dashboard?company_id=${company.id}`, unit, `${unit}/setup`];
  const locks = `/dashboard/locations/${company.locations.get('MAIN')}/equipment?sort=battery`;
  const said = async () => {
    const texts: string[] = [];
    for (const path of pages) texts.push((await admin.visit(path)) && admin.text);
    return texts;
  };
  await tap(200, { result: 'success', battery_percent: 20 });
  const none = await said();
  for (const text of none) expect(text).not.toContain('Battery low');
  expect(none[0]).toContain('No battery is low by its last report.');
  // Reported later, and older.
  await tap(150, { result: 'success', battery_percent: 50 });
  await tap(201, { result: 'success', battery_percent: 9 });
  const [today, access, setup] = await said();
  expect(today).toContain('Low batteries, by their last report:');
  expect(today).toMatch(/Battery low: 9 % Gate B , Dec 31, 2025, 9:21 PM CST/);
  expect(today).toMatch(/Battery low: 9 % Latch, A-1 , Dec 31, 2025, 9:21 PM CST/);
  expect(access).toMatch(/Lock Latch Serial none Battery Battery low: 9 %/);
  expect(setup).toMatch(/Latch \(?.*Battery low: 9 %/);

  service.manualClock.advance(48 * 60 * MINUTE);
  admin = await Visitor.signedIn(service);
  expect((await said()).map((text) => text.match(/Battery low/g)?.length)).toEqual([2, 1, 1]);
  demand(200, await service.operator('delete', lock));
  await admin.visit(locks);
  expect(rows('Locks')[0]).toMatch(/Latch – – – 9 % .* Spare/);
  const [replaced] = await said();
  expect(replaced).toContain('Battery low: 9 % Gate B');
  expect(replaced).not.toContain('Latch');
  await put(lock);
  await tap(48 * 60, { result: 'success', battery_percent: 90 });
  for (const text of await said()) expect(text).not.toContain('Battery low');
  await admin.visit(locks);
  expect(rows('Locks')[0]).toMatch(/Latch – A-1 Yard 90 % Today .* In service/);
});
