import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let manager: Visitor;
let company: Company;
let location: string;
let equipment: string;

beforeAll(async () => {
  service = await Service.start();
  manager = await Visitor.of(service, 'manager');
  company = await service.company();
  location = `/locations/${company.locations.get('MAIN')!}`;
  equipment = `/dashboard${location}/equipment`;
  demand(201, await company.moveIn('A-1'));
});
afterAll(() => service.close());

const add = async (what: string, body: object) =>
  demand(201, await service.operator('post', `${location}/${what}`, body));

it('locks, zones and gates are segments of one page, each with its count', async () => {
  const { zone_id } = await add('zones', { name: 'Counted' });
  await add('entry-points', { name: 'Counted gate', kind: 'gate', zone_ids: [zone_id] });
  await manager.visit(equipment);
  expect(manager.text).toMatch(/Locks 0 +Zones 1 +Gates 1 /);
  expect(manager.text).not.toContain('Counted gate');
  await manager.visit(`${equipment}?of=zones`);
  expect(manager.text).toMatch(/Counted 0 Counted gate/);
  await manager.visit(`${equipment}?of=gates`);
  expect(manager.text).toMatch(/Counted gate Gate Counted Those of the site Always open/);
});

it('zones show no number of locks before the first count of the site', async () => {
  await manager.visit(`${equipment}?of=zones`);
  expect(manager.text).toMatch(/Locks +Zones 1 +Gates 1 /);
});

it('a zone of more units than are read at once shows the number of all', async () => {
  const names = Array.from({ length: 201 }, (_, place) => `W-${place}`);
  demand(200, await company.sync(names.map((crm_unit_id) => ({ crm_unit_id, occupied: false }))));
  const rows = names.map((unit) => ({ unit, zone: 'Wide' }));
  demand(200, await service.operator('post', `${location}/setup`, { rows }));
  await manager.visit(`${equipment}?of=zones`);
  expect(manager.text).toMatch(/Wide 201 /);
});

it('a lock is added on a unit by its name, and named after it', async () => {
  await manager.visit(equipment);
  await manager.submit('lock', { serial: 'NK-1', unit: 'a-1' });
  expect(manager.text).toContain('The lock is added, and on its unit.');
  const { unit_id } = await company.unit('A-1');
  const { locks } = demand(200, await service.operator('get', `/units/${unit_id}`));
  expect(locks).toMatchObject([{ name: 'A-1 door', serial: 'NK-1' }]);
});

it('a spare lock is named after its serial number', async () => {
  await manager.visit(equipment);
  await manager.submit('lock', { serial: 'NK-2' });
  expect(manager.text).toMatch(/NK-2 NK-2 .*Spare/);
});

it('a lock without any name is refused in the open drawer', async () => {
  await manager.visit(equipment);
  await manager.submit('lock');
  expect([manager.shown.status, manager.text]).toEqual([422, expect.stringContaining('“Name” is required.')]);
  expect(manager.html).toContain('class="drawer open"');
});

it('a lock on a unit that does not exist is refused, and not added', async () => {
  await manager.visit(equipment);
  await manager.submit('lock', { serial: 'NK-3', unit: 'Z-9' });
  expect([manager.shown.status, manager.text]).toEqual([
    422,
    expect.stringContaining('No unit is called Z-9.'),
  ]);
  await manager.visit(equipment);
  expect(manager.text).not.toContain('NK-3');
});

it('a new zone leads to its page, where its units are added', async () => {
  await manager.visit(`${equipment}?of=zones`);
  await manager.submit('zone', { name: 'Building N' });
  expect(manager.text).toContain('The zone is added.');
  expect(manager.forms).toContain('units');
});

it('a link from another page opens the drawer of the form', async () => {
  await manager.visit(`${equipment}?of=gates&add=entry-point`);
  expect(manager.html).toContain('class="drawer open"');
});

it('an auditor is offered no form of the equipment', async () => {
  const auditor = await Visitor.of(service, 'auditor');
  for (const kind of ['locks', 'zones', 'gates']) {
    await auditor.visit(`${equipment}?of=${kind}`);
    expect(auditor.forms.filter((form) => form !== 'filter')).toEqual([]);
  }
});

describe('the page of a gate', () => {
  let gate: string;

  beforeAll(async () => {
    const { zone_id } = await add('zones', { name: 'Building G' });
    const body = { name: 'Main gate', kind: 'gate', zone_ids: [zone_id] };
    gate = `/dashboard/entry-points/${(await add('entry-points', body)).entry_point_id}`;
  });

  it('says its state, its site and its zones at the head', async () => {
    await manager.visit(gate);
    expect(manager.text).toMatch(/Main gate Always open .* , to Building G /);
  });

  it('renames it from its menu', async () => {
    await manager.visit(`${gate}/hours`);
    await manager.submit('gate-name', { name: 'East gate' });
    expect(manager.text).toContain('The gate has its new name. ');
    expect(manager.text).toContain('East gate Always open');
  });

  it('takes it out of service after a warning, and puts it back', async () => {
    await manager.visit(gate);
    expect(manager.text).toContain('Nobody is given a key to it until');
    await manager.submit('service');
    expect(manager.text).toContain('East gate Out of service');
    await manager.submit('service');
    expect(manager.text).toContain('East gate Always open');
  });

  it('marks the gates of the company in the side bar, and not its site', async () => {
    await manager.visit(gate);
    const [side] = /<div[^>]* id="side"[\s\S]*?<main/.exec(manager.html)!;
    const marked = [...side.matchAll(/href="([^"]*)" aria-current/g)].map(([, href]) => href);
    expect(marked).toContain(`/dashboard/companies/${company.id}/gates`);
    expect(marked).not.toContain(`/dashboard${location}`);
  });

  it('shows an auditor no menu', async () => {
    const auditor = await Visitor.of(service, 'auditor');
    await auditor.visit(gate);
    expect(auditor.html).not.toContain('id="gate-menu"');
    for (const act of ['name', 'service', 'remove'])
      expect((await auditor.post(`${gate}/${act}`, { name: 'Mine', in_service: 'false' })).status).toBe(403);
  });
});
