import { demand, Service } from '../support/service.js';
import { Visitor } from './support/visitor.js';

let service: Service;
let manager: Visitor;
let location: string;
let unit_id: string;

beforeAll(async () => {
  service = await Service.start();
  manager = await Visitor.of(service, 'manager');
  const company = await service.company();
  location = `/locations/${company.locations.get('MAIN')!}`;
  demand(201, await company.moveIn('A-1'));
  ({ unit_id } = await company.unit('A-1'));
});
afterAll(() => service.close());

const add = async (what: string, body: object) =>
  demand(201, await service.operator('post', `${location}/${what}`, body));

it('a lock on a unit is not removed: its page says what to do first, and does that', async () => {
  const { lock_id } = await add('locks', { name: 'Door' });
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  await manager.visit(`/dashboard/locks/${lock_id}`);
  expect(manager.text).toContain('First take it off A-1. The same menu does that.');
  await manager.post(`/dashboard/locks/${lock_id}/remove`, {});
  expect(manager.text).toContain('The lock is on a unit.');
  await manager.submit('take-off');
  expect(manager.text).toContain('The lock is off the unit.');
  await manager.visit(`/dashboard/locks/${lock_id}`);
  await manager.submit('remove');
  expect(manager.text).toContain('The lock is removed.');
});

it('a spare lock is put on a unit from its own page, by the unit’s name', async () => {
  const { lock_id } = await add('locks', { name: 'Fresh' });
  await manager.visit(`/dashboard/locks/${lock_id}`);
  expect(manager.text).toContain('Fresh Spare');
  await manager.submit('unit', { unit: 'a-1' });
  expect(manager.text).toContain('The lock is on the unit.');
  expect(manager.text).toContain('Fresh In service On A-1');
  demand(200, await service.operator('delete', `/units/${unit_id}/locks/${lock_id}`));
});

it('a unit that does not exist is refused in the dialog of a spare lock, which stays spare', async () => {
  const { lock_id } = await add('locks', { name: 'Lonely' });
  await manager.visit(`/dashboard/locks/${lock_id}`);
  await manager.submit('unit', { unit: 'Z-9' });
  expect([manager.shown.status, manager.form('unit').values]).toEqual([422, { unit: 'Z-9' }]);
  expect(manager.text).toContain('No unit is called Z-9.');
  await manager.visit(`/dashboard/locks/${lock_id}`);
  expect(manager.text).toContain('Lonely Spare');
});

it('a lock is replaced on the page of its unit, by a spare one and by a new one', async () => {
  const { lock_id } = await add('locks', { name: 'Old' });
  const spare = await add('locks', { name: 'Spare', serial: 'S-9' });
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  await manager.visit(`/dashboard/units/${unit_id}/setup`);
  await manager.submit(`replace-${lock_id}`, { lock: 'S-9' });
  expect(manager.text).toContain('The other lock is on the unit.');
  await manager.submit(`replace-${spare.lock_id}`, { serial: 'S-10' });
  const { locks } = demand(200, await service.operator('get', `/units/${unit_id}`));
  expect(locks).toMatchObject([{ name: 'Spare', serial: 'S-10' }]);
});

describe('a form that replaces a lock', () => {
  let lock_id: string;

  beforeAll(async () => {
    ({ lock_id } = await add('locks', { name: 'Kept' }));
    await add('locks', { name: 'In the drawer', serial: 'S-11' });
    demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  });

  const locksOfUnit = async () => {
    const { locks } = demand(200, await service.operator('get', `/units/${unit_id}`));
    return (locks as { lock_id: string }[]).map((lock) => lock.lock_id);
  };

  it('keeps the lock on the unit if it is sent empty', async () => {
    await manager.visit(`/dashboard/units/${unit_id}/setup`);
    await manager.submit(`replace-${lock_id}`, { lock: ' ', serial: '' });
    expect(manager.shown.status).toBe(422);
    expect(manager.text).toContain('Choose a spare lock or type a serial.');
    expect(await locksOfUnit()).toContain(lock_id);
  });

  it('keeps the lock on the unit if it is sent empty from the lock’s own page', async () => {
    await manager.visit(`/dashboard/locks/${lock_id}`);
    await manager.submit('replace');
    expect(manager.text).toContain('Choose a spare lock or type a serial.');
    expect(await locksOfUnit()).toContain(lock_id);
  });

  it('takes no spare lock beside the serial of a new one', async () => {
    await manager.visit(`/dashboard/units/${unit_id}/setup`);
    await manager.submit(`replace-${lock_id}`, { lock: 'S-11', serial: 'S-12' });
    expect(manager.text).toContain('Choose a spare lock or type a serial, not both.');
    expect(await locksOfUnit()).toContain(lock_id);
  });

  it('counts the last value of a field that is sent twice', async () => {
    const serial = ['', ''];
    await manager.post(`/dashboard/units/${unit_id}/locks/${lock_id}/replace`, {
      lock: ['S-11', 'S-0'],
      serial,
    });
    expect(manager.shown.status).toBe(404);
    expect(await locksOfUnit()).toContain(lock_id);
  });
});

it('a gate is removed from its set-up once it is out of service, and its page shows its activity alone', async () => {
  const { zone_id } = await add('zones', { name: 'South' });
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  const body = { name: 'Gate', kind: 'gate', zone_ids: [zone_id] };
  const { entry_point_id } = await add('entry-points', body);
  const gate = `/dashboard/entry-points/${entry_point_id}`;
  await manager.visit(`${gate}/setup`);
  await manager.submit('gate-remove');
  expect(manager.text).toContain('The entry point is in service, and its zones have units.');
  demand(200, await service.operator('patch', `/entry-points/${entry_point_id}`, { in_service: false }));
  await manager.submit('gate-remove');
  expect(manager.text).toContain('The gate is removed.');
  await manager.visit(gate);
  expect(manager.text).toContain('Removed');
  expect(manager.links).not.toContain(`${gate}/setup`);
});

it('the format of a gate’s keys is set on its set-up', async () => {
  const { entry_point_id } = await add('entry-points', { name: 'Side', kind: 'gate', zone_ids: [] });
  await manager.visit(`/dashboard/entry-points/${entry_point_id}/setup`);
  expect(manager.form('gate').values['key_format']).toBe('1');
  await manager.submit('gate', { key_format: '3' });
  expect(manager.text).toContain('The gate is saved.');
  expect(manager.form('gate').values['key_format']).toBe('3');
});

it('the format of a lock’s keys is set on its page', async () => {
  const { lock_id } = await add('locks', { name: 'Back door' });
  await manager.visit(`/dashboard/locks/${lock_id}`);
  await manager.submit('name', { key_format: '3' });
  expect(manager.text).toContain('The lock is saved.');
  await manager.visit(`/dashboard/locks/${lock_id}`);
  expect(manager.form('name').values).toMatchObject({ name: 'Back door', key_format: '3' });
});

it('an auditor reads the page of a lock: its unit, who may open it, and its taps', async () => {
  const { lock_id } = await add('locks', { name: 'Read', serial: 'S-77' });
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  const auditor = await Visitor.of(service, 'auditor');
  await auditor.visit(`/dashboard${location}/equipment`);
  await auditor.visit(auditor.links.find((href) => href.endsWith(`/locks/${lock_id}`))!);
  expect(auditor.text).toMatch(
    /Unit A-1 Serial number S-77 Battery not reported Last report none yet Key format 1: a key holds from when it is given/,
  );
  expect(auditor.text).toMatch(/Who may open it .* Tenant Opens .* No taps yet\./);
  expect(auditor.forms).toEqual([]);
  demand(200, await service.operator('delete', `/units/${unit_id}/locks/${lock_id}`));
  await auditor.visit(`/dashboard/locks/${lock_id}`);
  expect(auditor.text).toContain('Spare: on no unit');
  expect(auditor.text).toContain('Nobody: it is on no unit.');
});

it('a lock is replaced from its own page, in one act', async () => {
  const { lock_id } = await add('locks', { name: 'Worn' });
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  await manager.visit(`/dashboard/locks/${lock_id}`);
  await manager.submit('replace', { serial: 'S-88' });
  expect(manager.text).toContain('The other lock is on the unit.');
  const { locks } = demand(200, await service.operator('get', `/units/${unit_id}`));
  expect(locks.map(({ serial }: { serial: string }) => serial)).toContain('S-88');
});
