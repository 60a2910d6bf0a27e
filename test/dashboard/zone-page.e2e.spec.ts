import { type Company, demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let manager: Visitor;
let company: Company;
let location: string;

beforeAll(async () => {
  service = await Service.start();
  manager = await Visitor.of(service, 'manager');
  company = await service.company();
  location = `/locations/${company.locations.get('MAIN')!}`;
  demand(201, await company.moveIn('A-1'));
  const vacant = ['A-2', 'A-3', 'A-4', 'B-1'].map((crm_unit_id) => ({ crm_unit_id, occupied: false }));
  demand(200, await company.sync([{ crm_unit_id: 'A-1', occupied: true }, ...vacant]));
});
afterAll(() => service.close());

const add = async (what: string, body: object) =>
  demand(201, await service.operator('post', `${location}/${what}`, body));

const put = async (path: string) => demand(200, await service.operator('put', path));

async function zoneWith(name: string, ...units: readonly string[]): Promise<string> {
  const { zone_id } = await add('zones', { name });
  for (const unit of units) await put(`/zones/${zone_id}/units/${(await company.unit(unit)).unit_id}`);
  return zone_id as string;
}

/** The units of the page's tiles. */
const tiles = () =>
  [...manager.html.matchAll(/<a class="tile [^>]*><span class="tile-name">([^<]*)/g)].map(([, name]) => name);

it('a zone is renamed from its page, and stays in front', async () => {
  const zone_id = await zoneWith('North');
  await manager.visit(`/dashboard${location}/equipment?of=zones`);
  await manager.visit(manager.links.find((href) => href.endsWith(`/zones/${zone_id}`))!);
  await manager.submit('name', { name: 'North wing' });
  expect(manager.text).toContain('The zone has its new name.');
  expect(manager.shown.path).toMatch(new RegExp(`^/dashboard/zones/${zone_id}`));
  expect(manager.text).toContain('North wing');
});

it('an empty zone is removed from its page, which then offers no change', async () => {
  const zone_id = await zoneWith('Short-lived');
  await manager.visit(`/dashboard/zones/${zone_id}`);
  await manager.submit('remove');
  expect(manager.text).toContain('The zone is removed.');
  await manager.visit(`/dashboard/zones/${zone_id}`);
  expect([manager.text.includes('Removed'), manager.forms]).toEqual([true, []]);
});

it('a zone with units says what to do before it can be removed', async () => {
  const zone_id = await zoneWith('In use', 'A-1');
  const gate = { name: 'Long gate', kind: 'gate', zone_ids: [zone_id] };
  await add('entry-points', gate);
  await manager.visit(`/dashboard/zones/${zone_id}`);
  expect(manager.text).toContain('first take its 1 unit out and lead Long gate elsewhere.');
  expect(manager.forms).not.toContain('remove');
});

it('the units of a zone are tiles by name, each with its state, and lead to their pages', async () => {
  const zone_id = await zoneWith('Tiles', 'A-2', 'A-1');
  const { unit_id } = await company.unit('A-1');
  await manager.visit(`/dashboard/zones/${zone_id}`);
  expect(tiles()).toEqual(['A-1', 'A-2']);
  expect(manager.links).toContain(`/dashboard/units/${unit_id}`);
  expect(manager.text).toMatch(/2 units .*A-1 Open .*A-2 Vacant/);
});

it('a zone says how many of its units are locked out', async () => {
  const zone_id = await zoneWith('Debtors', 'A-1');
  await company.patch('A-1', { balance_due: 90, paid_through_date: '2025-01-01' });
  await manager.visit(`/dashboard/zones/${zone_id}`);
  expect(manager.text).toContain('1 unit, 1 locked out');
  await company.patch('A-1', { balance_due: 0 });
});

it('units are added to a zone by a range and by names', async () => {
  const zone_id = await zoneWith('Ranges');
  await add('entry-points', { name: 'Range gate', kind: 'gate', zone_ids: [zone_id] });
  await manager.visit(`/dashboard/zones/${zone_id}`);
  await manager.submit('units', { units: 'A-1 to A-3, b-1' });
  expect(manager.text).toContain('The units are in the zone. 4 units added.');
  expect(tiles()).toEqual(['A-1', 'A-2', 'A-3', 'B-1']);
});

it('a unit that does not exist is refused in the open drawer, and the text stays', async () => {
  const zone_id = await zoneWith('Typos');
  await manager.visit(`/dashboard/zones/${zone_id}`);
  await manager.submit('units', { units: 'A-1, Z-9' });
  expect(manager.shown.status).toBe(422);
  expect(manager.text).toContain('No unit is called Z-9.');
  expect(manager.form('units').values['units']).toBe('A-1, Z-9');
  await manager.visit(`/dashboard/zones/${zone_id}`);
  expect(tiles()).toEqual([]);
});

it('units are taken out of a zone', async () => {
  const zone_id = await zoneWith('Leaving', 'A-1', 'A-2', 'A-3');
  await manager.visit(`/dashboard/zones/${zone_id}`);
  await manager.submit('take-out', { units: 'A-2 to A-3' });
  expect(manager.text).toContain('The units are out of the zone.');
  expect(tiles()).toEqual(['A-1']);
});

it('the gates that lead to a zone are chosen on its page, and keep their other zones', async () => {
  const [zone_id, other] = [await zoneWith('Led to'), await zoneWith('Other')];
  const gate = async (name: string, zone_ids: readonly string[]) =>
    (await add('entry-points', { name, kind: 'door', zone_ids })).entry_point_id as string;
  const leaving = await gate('Leaving door', [zone_id, other]);
  const coming = await gate('Coming door', [other]);
  await manager.visit(`/dashboard/zones/${zone_id}`);
  await manager.submit('gates', { entry_point_ids: ['', coming] });
  expect(manager.text).toMatch(/Gates that lead here .*Coming door Always open/);
  const { entry_points } = demand(200, await service.operator('get', `${location}/entry-points`));
  const zonesOf = (id: string) =>
    entry_points.find((one: { entry_point_id: string }) => one.entry_point_id === id).zone_ids;
  expect(zonesOf(leaving)).toEqual([other]);
  expect([...zonesOf(coming)].sort()).toEqual([zone_id, other].sort());
});

const zonesOf = async (gate: string): Promise<string[]> => {
  const { entry_points } = demand(200, await service.operator('get', `${location}/entry-points`));
  const found = entry_points.find((one: { entry_point_id: string }) => one.entry_point_id === gate);
  return [...found.zone_ids].sort();
};

it('a gate that is led to several zones at once leads to all of them', async () => {
  const zones = await Promise.all(['1', '2', '3', '4'].map((name) => zoneWith(`Hall ${name}`)));
  const { entry_point_id } = await add('entry-points', { name: 'Hall door', kind: 'door', zone_ids: [] });
  const forms: ReturnType<Visitor['form']>[] = [];
  for (const zone_id of zones) {
    await manager.visit(`/dashboard/zones/${zone_id}`);
    forms.push(manager.form('gates'));
  }
  const entry_point_ids = ['', entry_point_id as string];
  await Promise.all(forms.map(({ action, values }) => manager.post(action, { ...values, entry_point_ids })));
  expect(await zonesOf(entry_point_id)).toEqual(zones.toSorted());
});

it('the set-up of a gate keeps the zones that somebody else adds meanwhile', async () => {
  const [kept, added, taken] = [await zoneWith('Kept'), await zoneWith('Added'), await zoneWith('Taken')];
  const body = { name: 'Busy door', kind: 'door', zone_ids: [taken] };
  const { entry_point_id } = await add('entry-points', body);
  await manager.visit(`/dashboard/entry-points/${entry_point_id}/setup`);
  await put(`/zones/${kept}/entry-points/${entry_point_id}`);
  await manager.submit('gate', { zone_ids: ['', added] });
  expect(manager.text).toContain('The gate is saved.');
  expect(await zonesOf(entry_point_id)).toEqual([kept, added].sort());
});

const remove = async (path: string) => demand(200, await service.operator('delete', path));

const nameOf = async (gate: string): Promise<string> => {
  const { entry_points } = demand(200, await service.operator('get', `${location}/entry-points`));
  return entry_points.find((one: { entry_point_id: string }) => one.entry_point_id === gate).name;
};

it('the set-up of a gate is saved where a zone that it leaves was removed meanwhile', async () => {
  const [kept, gone] = [await zoneWith('Staying'), await zoneWith('Going')];
  const body = { name: 'Old door', kind: 'door', zone_ids: [kept, gone] };
  const { entry_point_id } = await add('entry-points', body);
  await manager.visit(`/dashboard/entry-points/${entry_point_id}/setup`);
  await remove(`/zones/${gone}/entry-points/${entry_point_id}`);
  await remove(`/zones/${gone}`);
  await manager.submit('gate', { name: 'New door', zone_ids: ['', kept] });
  expect(manager.text).toContain('The gate is saved.');
  expect([await nameOf(entry_point_id), await zonesOf(entry_point_id)]).toEqual(['New door', [kept]]);
});

it('the set-up of a gate is saved although a zone to lead to was removed meanwhile, and says so', async () => {
  const [gone, led] = [await zoneWith('Gone'), await zoneWith('Still there')];
  const { entry_point_id } = await add('entry-points', { name: 'Side door', kind: 'door', zone_ids: [] });
  await manager.visit(`/dashboard/entry-points/${entry_point_id}/setup`);
  await remove(`/zones/${gone}`);
  await manager.submit('gate', { name: 'Back door', zone_ids: ['', gone, led] });
  expect(manager.text).toContain(
    'The gate is saved. 1 zone in the form was removed meanwhile, and left out.',
  );
  expect([await nameOf(entry_point_id), await zonesOf(entry_point_id)]).toEqual(['Back door', [led]]);
});

it('the gates of a zone are saved where one that leaves it was removed meanwhile, and the page says so', async () => {
  const zone_id = await zoneWith('Losing gates');
  const door = async (name: string, zone_ids: readonly string[]) =>
    (await add('entry-points', { name, kind: 'door', zone_ids })).entry_point_id as string;
  const [gone, leaving] = [await door('Gone door', [zone_id]), await door('Leaving door', [zone_id])];
  const coming = await door('Arriving door', []);
  await manager.visit(`/dashboard/zones/${zone_id}`);
  demand(200, await service.operator('patch', `/entry-points/${gone}`, { in_service: false }));
  await remove(`/entry-points/${gone}`);
  await manager.submit('gates', { entry_point_ids: ['', coming] });
  expect(manager.text).toContain('1 gate in the form was removed meanwhile, and left out.');
  expect([await zonesOf(leaving), await zonesOf(coming)]).toEqual([[], [zone_id]]);
});

it('a gate that was removed meanwhile is led nowhere, and the others of the form are led to the zone', async () => {
  const zone_id = await zoneWith('Gaining gates');
  const door = async (name: string) =>
    (await add('entry-points', { name, kind: 'door', zone_ids: [] })).entry_point_id as string;
  const [gone, coming] = [await door('Short-lived door'), await door('Lasting door')];
  await manager.visit(`/dashboard/zones/${zone_id}`);
  await remove(`/entry-points/${gone}`);
  await manager.submit('gates', { entry_point_ids: ['', gone, coming] });
  expect(manager.text).toContain('1 gate in the form was removed meanwhile, and left out.');
  expect(await zonesOf(coming)).toEqual([zone_id]);
});

it('no gate is led to a zone that was removed meanwhile', async () => {
  const zone_id = await zoneWith('Removed meanwhile');
  const { entry_point_id } = await add('entry-points', { name: 'Idle door', kind: 'door', zone_ids: [] });
  await manager.visit(`/dashboard/zones/${zone_id}`);
  const { action, values } = manager.form('gates');
  await remove(`/zones/${zone_id}`);
  const { status } = await manager.post(action, { ...values, entry_point_ids: ['', entry_point_id] });
  expect([status, await zonesOf(entry_point_id)]).toEqual([404, []]);
});

it('a zone counts its units with a lock, and leads to the locks that need somebody', async () => {
  const zone_id = await zoneWith('Locked', 'A-3', 'A-4');
  const { lock_id } = await add('locks', { name: 'A-3 door' });
  await put(`/units/${(await company.unit('A-3')).unit_id}/locks/${lock_id}`);
  await manager.visit(`/dashboard/zones/${zone_id}`);
  expect(manager.text).toContain('Units with a lock 1 of 2 Battery low –');
});

it('an auditor reads the page of a zone with its units and gates, and is offered no change', async () => {
  const zone_id = await zoneWith('East', 'A-1');
  await add('entry-points', { name: 'East gate', kind: 'gate', zone_ids: [zone_id] });
  const auditor = await Visitor.of(service, 'auditor');
  await auditor.visit(`/dashboard/zones/${zone_id}`);
  expect(auditor.text).toMatch(/Units 1 .*A-1.* Gates that lead here East gate Always open/);
  expect(auditor.forms).toEqual([]);
  for (const act of ['name', 'units', 'units/take-out', 'gates', 'remove'])
    expect((await auditor.post(`/dashboard/zones/${zone_id}/${act}`, { name: 'West' })).status).toBe(403);
});

it('the page of a zone without a gate says that its units open none', async () => {
  const zone_id = await zoneWith('Island');
  await manager.visit(`/dashboard/zones/${zone_id}`);
  expect(manager.text).toMatch(/No unit is in it\. .* No gate leads here\./);
});
