import { ManualClock } from '../support/manual-clock.js';
import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

const DAY_MS = 24 * 60 * 60_000;
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
  expect(rowsShown()).toBe(3);
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
  expect(rowsShown()).toBeLessThan(3);
});

it('a day and a kind narrow the list', async () => {
  await admin.visit(`${changes}?actor=operator&day=2026-01-05`);
  expect(admin.text).toContain('30 × Lock added');
  expect(admin.text).not.toContain('South');
  await admin.visit(`${changes}?actor=operator&day=2026-01-08&type=ZoneAdded`);
  expect(admin.text).toContain('South');
  expect(rowsShown()).toBe(1);
  await admin.visit(`${changes}?actor=operator&type=&day=`);
  expect(rowsShown()).toBe(3);
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

it.each(['day=2026-02-30', 'day=x', 'day=2026-01-05&day=2026-01-06', 'operator_id=x', 'actor=nobody'])(
  'refuses %s',
  async (query) => {
    expect((await admin.visit(`${changes}?${query}`)).status).toBe(422);
  },
);

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
