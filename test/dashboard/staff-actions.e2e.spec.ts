import { encodeCursor } from '#kernel/cursor.js';
import { ManualClock } from '../support/manual-clock.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const DAY_MS = 24 * 60 * 60_000;
/** Set-up, zone, and: company, site, token, a manager who is invited and accepts. */
const ALL_ACTIONS = 7;
const rows = Array.from({ length: 30 }, (_, place) => `A-${101 + place}\tNorth\tLatch ${101 + place}`);

let service: Service;
let company: Company;
let admin: Visitor;
let changes: string;

const operator = (...parameters: Parameters<Service['operator']>) => service.operator(...parameters);
const tableShown = () => admin.html.match(/<tbody>.*<\/tbody>/s)?.[0] ?? '';
const rowsShown = () => tableShown().match(/<tr/g)?.length ?? 0;

beforeAll(async () => {
  service = await Service.start({ clock: new ManualClock(Date.parse('2026-01-05T12:00:00.000Z')) });
  company = await service.company({ pms_location_code: 'MAIN', name: 'Lake Street' });
  const units = rows.map((row) => ({ crm_unit_id: row.slice(0, 5), occupied: false }));
  demand(200, await company.sync(units));
  const location = `/dashboard/locations/${company.locations.get('MAIN')}`;
  const manager = await Visitor.of(service, 'manager');
  await manager.visit(`${location}/setup`);
  await manager.submit('setup', { csv: ['Unit\tZone\tLock', ...rows].join('\n') });
  await manager.submit('setup-apply');
  service.manualClock.advance(3 * DAY_MS);
  admin = await Visitor.signedIn(service);
  const place = `/locations/${company.locations.get('MAIN')}`;
  demand(201, await operator('post', `${place}/zones`, { name: 'South' }));
  demand(200, await company.moveIn('A-101'));
  changes = `/dashboard/companies/${company.id}/changes`;
});
afterAll(() => service.close());

it('what staff did is listed by request: a set-up of 30 rows is one entry with its rows', async () => {
  await admin.visit(`${changes}?actor=operator`);
  expect(rowsShown()).toBe(ALL_ACTIONS);
  expect(admin.text).toMatch(/30 × Lock added/);
  expect(admin.text).toMatch(/Unit added to zone: North, A-130 , Lake Street/);
  expect(tableShown()).not.toContain('Tenant moved in');
});

it('a person in the list leads to what that person did', async () => {
  await admin.visit(`${changes}?actor=operator`);
  const person = admin.links.find((href) => href.includes('operator_id='))!;
  await admin.visit(person);
  expect(admin.text).toContain('One person only.');
  expect(admin.text).toContain('Zone added');
  expect(rowsShown()).toBeLessThan(ALL_ACTIONS);
});

it('a day and a kind narrow the list', async () => {
  await admin.visit(`${changes}?actor=operator&to_day=2026-01-05`);
  expect(admin.text).toContain('30 × Lock added');
  expect(admin.text).not.toContain('South');
  await admin.visit(`${changes}?actor=operator&from_day=2026-01-08&type=ZoneAdded`);
  expect(admin.text).toContain('South');
  expect(rowsShown()).toBe(1);
  await admin.visit(`${changes}?actor=operator&type=&from_day=&to_day=`);
  expect(rowsShown()).toBe(ALL_ACTIONS);
});

it('days are chosen by a click, and keep the chosen kind', async () => {
  const current = () =>
    /aria-current="page">([^<]*)<\/a><a[^>]*>7 days|aria-current="page">(7 days)/.exec(admin.html);
  await admin.visit(`${changes}?actor=operator&type=ZoneAdded&from_day=&to_day=`);
  expect(admin.text).toContain('South');
  expect(admin.text).toContain('North');
  const today = admin.links.find((href) => /type=ZoneAdded/.test(href) && /from_day=2026-01-08/.test(href))!;
  await admin.visit(today.replaceAll('&amp;', '&'));
  expect(current()?.[1]).toBe('Today');
  expect(admin.text).toContain('South');
  expect(admin.text).not.toContain('North');
});

it('all that staff did is a file, each change with its request', async () => {
  await admin.visit(`${changes}?actor=operator`);
  const file = admin.links.find((href) => href.includes('changes.csv'))!;
  const [head, ...lines] = (await admin.visit(file)).html.trimEnd().split('\r\n');
  const column = head!.split(',').indexOf('request_id') - head!.split(',').length;
  const requests = lines
    .filter((line) => line.includes('LockAdded'))
    .map((line) => line.split(',').at(column));
  expect(requests).toHaveLength(30);
  expect(new Set(requests).size).toBe(1);
});

it('a unit into which a tenant moved is named with the tenant', async () => {
  await admin.visit(`${changes}?type=TenantMovedIn`);
  expect(admin.text).toMatch(/Tenant moved in\s*A-101\s*, /);
});

it('pages hold each change once, and reach back to the first', async () => {
  const path = `/companies/${company.id}/changes?actor=operator`;
  const whole = demand(200, await operator('get', `${path}&limit=500`));
  expect(whole.next_cursor).toBeNull();
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const page: typeof whole = demand(
      200,
      await operator('get', `${path}&limit=40${cursor && `&cursor=${cursor}`}`),
    );
    expect(page.events.length).toBeLessThanOrEqual(40);
    ids.push(...page.events.map(({ id }: { id: string }) => id));
    cursor = page.next_cursor;
  }
  expect(ids).toEqual(whole.events.map(({ id }: { id: string }) => id));
  const other = demand(200, await operator('get', `${path}&limit=40`)).next_cursor;
  expect((await operator('get', `${path}&type=LockAdded&limit=40&cursor=${other}`)).status).toBe(422);
});

it.each(['-5', '0', '99999999999999999999'])('refuses a forged cursor at position %s', async (position) => {
  const list = ['staff', company.id, undefined, undefined, undefined, undefined];
  const cursor = encodeCursor([0, position], list);
  const { status } = await operator(
    'get',
    `/companies/${company.id}/changes?actor=operator&cursor=${cursor}`,
  );
  expect(status).toBe(422);
});

it.each([
  'from_day=2026-02-30',
  'to_day=x',
  'to_day=2026-01-05&to_day=2026-01-06',
  'operator_id=x',
  'actor=nobody',
])('refuses %s', async (query) => {
  expect((await admin.visit(`${changes}?${query}`)).status).toBe(422);
});

it('the API narrows changes by actor, person and time', async () => {
  const list = async (query: string) => operator('get', `/companies/${company.id}/changes?${query}`);
  const { events } = demand(200, await list('actor=operator&limit=500'));
  expect(events.length).toBeGreaterThan(60);
  expect(new Set(events.map(({ actor }: { actor: { kind: string } }) => actor.kind))).toEqual(
    new Set(['operator']),
  );
  const later = demand(200, await list('actor=operator&from=2026-01-08T00:00:00Z'));
  expect(later.events.map(({ type }: { type: string }) => type)).toEqual(['ZoneAdded']);
  const tokens = demand(200, await list('actor=api_token'));
  expect(tokens.events[0]).toMatchObject({ type: 'TenantMovedIn' });
  expect((await list('from=yesterday')).status).toBe(422);
});

it('what staff did stays in the list after months', async () => {
  service.manualClock.advance(90 * DAY_MS);
  admin = await Visitor.signedIn(service);
  await admin.visit(`${changes}?actor=operator`);
  expect(admin.text).toContain('30 × Lock added');
  const file = admin.links.find((href) => href.includes('changes.csv'))!;
  expect((await admin.visit(file)).html.match(/LockAdded/g)).toHaveLength(30);
});

it('a set-up that is longer than a page is one entry', async () => {
  const long = Array.from({ length: 200 }, (_, place) => `B-${place}\tWest\tLatch B-${place}`);
  demand(200, await company.sync(long.map((row) => ({ crm_unit_id: row.split('\t')[0]!, occupied: false }))));
  const manager = await Visitor.of(service, 'manager');
  await manager.visit(`/dashboard/locations/${company.locations.get('MAIN')}/setup`);
  await manager.submit('setup', { csv: ['Unit\tZone\tLock', ...long].join('\n') });
  await manager.submit('setup-apply');
  await admin.visit(`${changes}?actor=operator`);
  expect(admin.text).toContain('200 × Unit added to zone');
  const next = admin.links.find((href) => href.includes('cursor='));
  if (next !== undefined) await admin.visit(next);
  expect(admin.text).not.toContain('West');
});

it('a change of access says whether staff let in or locked out', async () => {
  const { unit_id } = await company.unit('A-102');
  const override = { override: 'lockout', reason: 'Cut latch' };
  demand(200, await operator('put', `/units/${unit_id}/override`, override));
  await admin.visit(`${changes}?actor=operator&type=AccessOverridden`);
  expect(admin.text).toMatch(/Access set by staff\s*A-102\s*Locked out by staff/);
  demand(200, await operator('delete', `/units/${unit_id}/override`));
});

it('a pass that ended is named by its holder', async () => {
  const place = `/locations/${company.locations.get('MAIN')}`;
  const zone_ids = [demand(201, await operator('post', `${place}/zones`, { name: 'East' })).zone_id];
  const gate = { name: 'East gate', kind: 'gate', zone_ids };
  const { entry_point_id } = demand(201, await operator('post', `${place}/entry-points`, gate));
  const pass = {
    name: 'Vera Vent',
    phone: '+13125550144',
    entry_point_ids: [entry_point_id],
    until: new Date(service.clock.now() + DAY_MS).toISOString(),
    reason: 'vendor',
  };
  const { pass_id } = demand(201, await operator('post', `${place}/passes`, pass));
  demand(200, await operator('delete', `/passes/${pass_id}`));
  await admin.visit(`${changes}?actor=operator&type=PassEnded`);
  expect(admin.text).toMatch(/Pass ended\s*Vera Vent ?, Lake Street/);
});

it('what belongs to the company as a whole is told by its name, also in the file', async () => {
  const path = `/companies/${company.id}`;
  const { token_id } = demand(201, await operator('post', `${path}/api-tokens`, { name: 'Gate app' }));
  demand(200, await operator('delete', `${path}/api-tokens/${token_id}`));
  const pms = { name: 'Main PMS', url: 'https://pms.invalid/units', interval_seconds: 3600 };
  demand(201, await operator('post', `${path}/pull-sources`, pms));
  const invited = { email: 'nina@example.com', role: 'auditor', companies: [company.id] };
  const { operator_id } = demand(201, await operator('post', '/operators', invited));
  await admin.visit(`${changes}?actor=operator`);
  expect(admin.text).toMatch(/API token created\s*Gate app\s*Read and write/);
  expect(admin.text).toMatch(/API token deleted\s*Gate app/);
  expect(admin.text).toMatch(/PMS sync added\s*Main PMS/);
  expect(admin.text).toMatch(/Operator added: nina@example.com\s*Auditor, 1 company/);
  await admin.visit(`${changes}?actor=operator&type=OperatorAdded`);
  expect(admin.text).toContain('Operator added, by staff');
  const file = admin.links.find((href) => href.includes('changes.csv'))!;
  const csv = (await admin.visit(file)).html;
  expect(csv).toMatch(/OperatorAdded,operator,nina@example.com,"Auditor, 1 company"/);
  expect(csv).not.toContain('ApiTokenIssued');
  demand(200, await operator('delete', `/operators/${operator_id}`));
  await admin.visit(`${changes}?actor=operator`);
  expect(admin.text).toContain('Operator removed');
  expect(admin.html).not.toContain('nina@example.com');
});

it('a change of a policy is told with what it was, on the page, in the file and by the API', async () => {
  const place = `/locations/${company.locations.get('MAIN')}`;
  demand(200, await operator('patch', place, { grace_period_days: 9, balance_threshold: 12.5 }));
  const query = 'actor=operator&type=LocationPolicyChanged';
  await admin.visit(`${changes}?${query}`);
  expect(admin.text).toContain('Days of grace: 5 → 9; Ignore balances up to: $0.00 → $12.50');
  const file = await admin.visit(`${changes}.csv?${query}`);
  expect(file.html).toContain('Days of grace: 5 → 9; Ignore balances up to: $0.00 → $12.50');
  const { events } = demand(200, await operator('get', `/companies/${company.id}/changes?${query}`));
  expect(events).toMatchObject([{ before: { policy: { grace_period_days: 5, balance_threshold: 0 } } }]);
});

it('facts that a PMS changed are told by their values', async () => {
  demand(200, await company.patch('A-102', { pms_unrentable: true }));
  await admin.visit(`${changes}?type=UnitFactsChanged`);
  expect(admin.text).toContain('Not for rent: yes');
});

it('days narrow the list from the first to the last, and the file as well', async () => {
  await admin.visit(`${changes}?actor=operator&from_day=2026-01-05&to_day=2026-01-07`);
  expect(admin.text).toContain('30 × Lock added');
  expect(admin.text).not.toContain('South');
  const file = admin.links.find((href) => href.includes('changes.csv'))!;
  expect((await admin.visit(file)).html).not.toContain('ZoneAdded,zone,South');
  await admin.visit(`${changes}?actor=operator&from_day=2026-01-05&to_day=2026-01-08`);
  expect(admin.text).toContain('South');
});

it('days that end before they begin are refused at the last one', async () => {
  const page = await admin.visit(`${changes}?actor=operator&from_day=2026-01-08&to_day=2026-01-05`);
  expect(page.status).toBe(422);
  expect(admin.text).toContain('last day');
});

it('the list of the last day leads to what staff did before', async () => {
  await admin.visit(changes);
  expect(admin.text).toContain('What staff did before: see Staff');
});
