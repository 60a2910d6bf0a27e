import { type Company, demand, Service } from '../support/service.js';
import { PASSWORD, Visitor } from './support/visitor.js';

let service: Service;
let company: Company;
let path: string;
let manager: Visitor;

const unitNumber = (place: number) => String(101 + place);

beforeAll(async () => {
  service = await Service.start();
  company = await service.company(
    { pms_location_code: 'MAIN', name: 'Lake Street' },
    { pms_location_code: 'OAK', name: 'Oak Hill' },
  );
  path = `/dashboard/locations/${company.locations.get('MAIN')}`;
  const units = Array.from({ length: 30 }, (_, place) => ({
    pms_location_code: 'MAIN',
    crm_unit_id: `A-${unitNumber(place)}`,
    occupied: false,
  }));
  demand(200, await company.sync(units));
  manager = await Visitor.of(service, 'manager');
});
afterAll(() => service.close());

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, place) => {
    const number = unitNumber(place);
    return `A-${number}\tNorth\tLatch ${number}\tSN-${number}`;
  });

it('sets up 30 units with locks in one go, as its preview said', async () => {
  const written = (await service.events()).length;
  await manager.visit(`${path}/setup`);
  const csv = ['Unit\tZone\tLock\tSerial number', ...rowsOf(30), 'nobody\tNorth\t\t'].join('\r\n');
  await manager.submit('setup', { csv });
  expect(manager.text).toContain('Preview: not saved yet');
  expect(manager.text).toContain(
    '30 rows will be set up, with 1 new zone and 30 new locks. 1 row cannot be applied.',
  );
  expect(manager.text).toContain('31 nobody Unit not found.');
  expect(manager.text).toContain(
    '1 A-101 North Latch 101 makes the zone, puts the unit into the zone, makes the lock, puts the lock on the unit',
  );
  expect((await service.events()).length).toBe(written);
  await manager.submit('setup-apply');
  expect(manager.text).toContain('30 rows set up, with 1 new zone and 30 new locks. 1 row was not applied.');
  expect(manager.text).toContain('Rows that were not applied, counted');
  const equipment = await manager.visit(`${path}/equipment`);
  expect(equipment.html).toContain('Latch 130');
  await manager.visit(`${path}/setup`);
  await manager.submit('setup', { csv });
  expect(manager.text).toContain('0 rows will be set up. 30 rows need nothing.');
  expect(manager.forms).not.toContain('setup-apply');
});

it('says what is new and what stays, and warns of rows that may be mistakes', async () => {
  await manager.visit(`${path}/setup`);
  const rows = ['A-101,north,Latch 101,SN-101X', 'A-102,North,Latch 102,SN-102', 'A-103,North,Second,'];
  await manager.submit('setup', { csv: ['unit,zone,lock,serial', ...rows].join('\n') });
  expect(manager.text).toContain(
    '2 rows will be set up, with 1 new zone and 2 new locks. 1 row needs nothing. Check 2 rows.',
  );
  expect(manager.text).toContain('Zones that will be new: north.');
  expect(manager.text).toContain(
    '1 A-101 The unit keeps Latch 101 (SN-101), too. Take that lock off on the unit’s page',
  );
  expect(manager.text).toContain('1 A-101 The zone is new, but North exists. Name it so');
  expect(manager.text).toContain('1 A-101 The unit stays in North, too.');
  expect(manager.text).toContain(
    '3 A-103 North Second makes the lock, puts the lock on the unit, is in the zone already',
  );
});

it('adds units that do not exist if its box is ticked', async () => {
  await manager.visit(`${path}/setup`);
  const csv = 'unit,zone\nB-1,North';
  await manager.submit('setup', { csv });
  expect(manager.text).toContain('1 B-1 Unit not found.');
  await manager.submit('setup', { csv, add_units: 'true' });
  expect(manager.text).toContain('1 row will be set up, with 1 new unit.');
  expect(manager.text).toContain('1 B-1 North adds the unit, puts the unit into the zone');
  expect(manager.text).toContain('1 B-1 A PMS sends the units of this location.');
  await manager.submit('setup-apply');
  expect(manager.text).toContain('1 row set up, with 1 new unit.');
  expect((await company.unit('B-1')).unit_name).toBe('B-1');
});

describe('a unit that another site has', () => {
  const csv = 'unit,zone\nA-101,North';
  const oak = () => `/dashboard/locations/${company.locations.get('OAK')}/setup`;

  it('is refused with the name of that site, and one that is free', async () => {
    await manager.visit(oak());
    await manager.submit('setup', { csv, add_units: 'true' });
    expect(manager.text).toContain(
      '1 A-101 Lake Street has a unit A-101. Name this one otherwise, like OAK A-101.',
    );
  });

  it('names no site to an operator who does not see it', async () => {
    const email = 'oak@example.com';
    const locations = [company.locations.get('OAK')!];
    await service.addOperator({ email, password: PASSWORD, role: 'manager', locations });
    const visitor = await Visitor.signedIn(service, email);
    await visitor.visit(oak());
    await visitor.submit('setup', { csv, add_units: 'true' });
    expect(visitor.text).toContain('Another location has a unit A-101.');
    expect(visitor.text).not.toContain('Lake Street');
  });
});

it('shuts a long list of rows, so that the form to correct them is near', async () => {
  await manager.visit(`${path}/setup`);
  const preview = async (count: number) => {
    await manager.submit('setup', {
      csv: ['unit,zone,lock,serial', ...rowsOf(count)].join('\n').replaceAll('\t', ','),
    });
    return /<details( open)?[^>]*><summary>([^<]*)/.exec(manager.html.replace(/^.*<main/s, ''))!.slice(1);
  };
  expect(await preview(3)).toEqual([' open', '3 rows one by one']);
  expect(await preview(30)).toEqual([undefined, '30 rows one by one']);
});

it('takes cells pasted below the heading of the form, and says a fault of many rows once', async () => {
  await manager.visit(`${path}/setup`);
  const { csv } = manager.form('setup').values;
  await manager.submit('setup', { csv: `${csv as string}${rowsOf(12).join('\n')}` });
  expect(manager.text).toContain('0 rows will be set up. 12 rows need nothing.');
  await manager.visit(`${path}/setup`);
  await manager.submit('setup', { csv: `unit,zone\n${'A-101\n'.repeat(12)}` });
  expect(manager.text).toContain('1, 2, 3, 4, 5 and 7 more');
  expect(manager.text.split('The row has 1 cell instead of 2.')).toHaveLength(2);
});

it('says which zones no gate leads to, until its page changes that', async () => {
  const rows = { csv: 'unit,zone\nA-101,Yard' };
  await manager.visit(`${path}/setup`);
  await manager.submit('setup', rows);
  expect(manager.text).toContain(
    'No gate leads to Yard. Units there open no gate. After applying, add a gate',
  );
  await manager.submit('setup-apply');
  expect(manager.text).toContain('No gate leads to Yard. Units there open no gate. Add a gate');

  const location = `/locations/${company.locations.get('MAIN')}`;
  const south = { name: 'South', kind: 'gate', zone_ids: [] };
  const { entry_point_id } = demand(201, await service.operator('post', `${location}/entry-points`, south));
  const gate = `/dashboard/entry-points/${entry_point_id}`;
  await manager.visit(gate);
  expect(manager.text).toMatch(
    /leads to no zone: it opens for nobody .*Activity Log Hours Who may open it As it was Set-up .*Who opened it when/,
  );
  await manager.visit(`${gate}/setup`);
  await manager.submit('gate', { name: '' });
  expect(manager.text).toContain('“Name” is required.');
  const { zones } = demand(200, await service.operator('get', `${location}/zones`));
  const { zone_id } = zones.find(({ name }: { name: string }) => name === 'Yard');
  await manager.submit('gate', { name: 'South gate', zone_ids: [zone_id] });
  expect(manager.text).toContain('The gate is saved.');
  expect(manager.text).toMatch(/Always open .* , to Yard /);

  await manager.visit(`${path}/equipment?of=zones`);
  expect(manager.text).toMatch(/Yard 1 South gate/);
  expect(manager.text).toMatch(/North \d+ None: its units open no gate/);
  await manager.visit(`${path}/setup`);
  await manager.submit('setup', rows);
  expect(manager.text).not.toContain('No gate leads');

  await manager.visit(`${gate}/setup`);
  const renamed = { name: 'West gate' };
  demand(200, await service.operator('patch', `/entry-points/${entry_point_id}`, renamed));
  await manager.submit('gate', { zone_ids: '' });
  const { entry_points } = demand(200, await service.operator('get', `${location}/entry-points`));
  expect(entry_points).toContainEqual(expect.objectContaining({ ...renamed, zone_ids: [] }));
  await manager.submit('gate');
  expect(manager.text).toContain('Nothing was changed');
  expect(manager.text).toContain('leads to no zone: it opens for nobody');

  const auditor = await Visitor.of(service, 'auditor');
  await auditor.visit(gate);
  expect(auditor.links).not.toContain(`${gate}/setup`);
  expect((await auditor.visit(`${gate}/setup`)).status).toBe(403);
  expect((await auditor.post(`${gate}/setup`, { name: 'Mine' })).status).toBe(403);
});

it('says what is wrong with text that is no set-up, and keeps it', async () => {
  await manager.visit(`${path}/setup`);
  await manager.submit('setup', { csv: 'name;zone\nA-101;North' });
  expect(manager.shown.status).toBe(422);
  expect(manager.text).toContain(
    '“Rows” must begin with a line that names its columns: unit, zone, lock, serial, round_the_clock.',
  );
  expect(manager.form('setup').values['csv']).toBe('name;zone\nA-101;North');
});

it('is offered to managers alone', async () => {
  const auditor = await Visitor.of(service, 'auditor');
  await auditor.visit(`${path}/equipment`);
  expect(auditor.links).not.toContain(`${path}/setup`);
  expect((await auditor.visit(`${path}/setup`)).status).toBe(403);
  await manager.visit(`${path}/equipment`);
  expect(manager.links).toContain(`${path}/setup`);
});

it('refuses an entry point without a zone, and warns of it where there is no zone to choose', async () => {
  const side = { name: 'Side door', kind: 'door' };
  await manager.visit(`${path}/equipment?of=gates`);
  await manager.submit('entry-point', side);
  expect([manager.shown.status, manager.form('entry-point').values['name']]).toEqual([422, 'Side door']);
  expect(manager.text).toContain(
    '“Zones it leads to” must have at least one zone: without one it opens for nobody.',
  );
  const other = await service.company({ pms_location_code: 'OTHER' });
  await manager.visit(`/dashboard/locations/${other.locations.get('OTHER')}/equipment?of=gates`);
  await manager.submit('entry-point', side);
  expect(manager.html).toMatch(/<p class="said warning"[^>]*>The gate is added\. It leads to no zone/);
  expect(manager.text).toContain('Side door Door None: opens for nobody');
  await manager.visit(`${path}/equipment?of=gates`);
  const { data } = await service
    .operator('get', `/locations/${company.locations.get('MAIN')}/zones`)
    .then(({ body }) => body);
  await manager.submit('entry-point', { name: 'Main gate', kind: 'gate', zone_ids: [data.zones[0].zone_id] });
  expect(manager.html).toMatch(/<p class="said" [^>]*>The gate is added\.</);
});
