import { UnitEquipmentAsOf } from '#domain/history/unit-equipment-as-of.js';
import { UnitDirectory } from '#domain/units/index.js';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import { sentCode } from '../../client/support/sent-code.js';
import type { Parsed } from '../../support/http-client.js';
import { type Company, demand, Service } from '../../support/service.js';

const NUMBER = { country_code: '1', phone_number: '3125550100' };
const UNLOCK = { event: 'unlock', result: 'success' };

let service: Service;
let company: Company;
let location: string;
let unit_id: string;
let token: string;
/** When the unit had all that is removed later. */
let before: string;
let ids: Record<'zone_id' | 'entry_point_id' | 'lock_id', string>;

beforeAll(async () => {
  service = await Service.start();
  company = await service.company();
  location = `/locations/${company.locations.get('MAIN')!}`;
  const tenant = { pms_tenant_id: 't-1', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' };
  await company.sync([{ crm_unit_id: 'A-1', occupied: true, move_in_date: '2025-12-01', tenant }]);
  ({ unit_id } = await company.unit('A-1'));
  const { zone_id } = demand(201, await service.operator('post', `${location}/zones`, { name: 'North' }));
  const gate = { name: 'Gate', kind: 'gate', zone_ids: [zone_id] };
  const { entry_point_id } = demand(201, await service.operator('post', `${location}/entry-points`, gate));
  const { lock_id } = demand(201, await service.operator('post', `${location}/locks`, { name: 'Door' }));
  demand(200, await service.operator('put', `/zones/${zone_id}/units/${unit_id}`));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  ids = { zone_id, entry_point_id, lock_id };
  demand(200, await service.call('post', '/api/v2/auth/phone', { body: NUMBER }));
  const otp = await sentCode(service);
  ({ token } = demand(
    200,
    await service.call('post', '/api/v2/auth/verify-otp', { body: { ...NUMBER, otp } }),
  ));
  await access();
  service.manualClock.advance(1_000);
  before = new Date(service.clock.now()).toISOString();
  service.manualClock.advance(1_000);
});

afterAll(() => service.close());

/** What the tenant's app shows, with keys that are given out by it. */
async function access(): Promise<Parsed> {
  return demand(200, await service.call('get', '/api/v2/tenant/access', { token }));
}

const report = (path: string) => service.call('post', `/api/v2/${path}/logs`, { body: UNLOCK, token });

/** The gates of the unit at that instant, and what its page shows of its locks and zones then. */
async function past() {
  const path = `/units/${unit_id}/as-of?at=${before}`;
  const { entry_points } = demand(200, await service.operator('get', path));
  const unit = await service.part(UnitDirectory).byUnitId(unit_id);
  const equipment = await service.part(UnitEquipmentAsOf).readEquipment(unit!, Date.parse(before));
  return { entry_points: entry_points, ...equipment };
}

/** What the app and the list of locks show now. */
async function present() {
  return [demand(200, await service.operator('get', `${location}/locks`)), await access()];
}

it('a zone and a lock get other names, which the app and the lists show', async () => {
  const renamed = await service.operator('patch', `/zones/${ids.zone_id}`, { name: 'North wing' });
  expect(demand(200, renamed)).toMatchObject({ zone_id: ids.zone_id, name: 'North wing' });
  demand(200, await service.operator('patch', `/locks/${ids.lock_id}`, { name: 'Old door' }));
  const { zones } = demand(200, await service.operator('get', `${location}/zones`));
  expect(zones).toMatchObject([{ name: 'North wing' }]);
  expect((await access()).units[0].locks).toMatchObject([{ name: 'Old door' }]);
});

it('what a unit holds cannot be removed', async () => {
  const removals = [`/zones/${ids.zone_id}`, `/entry-points/${ids.entry_point_id}`, `/locks/${ids.lock_id}`];
  const refused = await Promise.all(removals.map((path) => service.operator('delete', path)));
  expect(refused.map(({ status, body }) => [status, body.code])).toEqual([
    [409, 'zone_in_use'],
    [409, 'entry_point_in_use'],
    [409, 'lock_in_use'],
  ]);
});

it('a lock is replaced in one act, and the app gets a key to the new one alone', async () => {
  const path = `/units/${unit_id}/locks/${ids.lock_id}/replacement`;
  const next = demand(201, await service.operator('post', path, { serial: 'S-2' }));
  expect(next).toMatchObject({ name: 'Old door', serial: 'S-2', unit_id });
  expect((await access()).units[0].locks).toEqual([expect.objectContaining({ lock_id: next.lock_id })]);
  expect((await service.operator('post', path, { serial: 'S-3' })).body.code).toBe('lock_on_another_unit');
});

it.each([{}, { serial: null }, { key_format: 3 }])(
  'a lock is not replaced by a new one without name and serial: %j',
  async (named) => {
    const [{ lock_id }] = demand(200, await service.operator('get', `/units/${unit_id}`)).locks;
    const path = `/units/${unit_id}/locks/${lock_id}/replacement`;
    const { status, body } = await service.operator('post', path, named);
    expect([status, Object.keys(body.errors)]).toEqual([422, ['lock_id']]);
    const { locks } = demand(200, await service.operator('get', `/units/${unit_id}`));
    expect(locks).toMatchObject([{ lock_id }]);
  },
);

it('a spare lock takes no fields of a new one', async () => {
  const path = `/units/${unit_id}/locks/${ids.lock_id}/replacement`;
  const { status, body } = await service.operator('post', path, { lock_id: ids.lock_id, name: 'Door' });
  expect([status, Object.keys(body.errors)]).toEqual([422, ['name']]);
});

it('a lock that was removed is listed no more, is unknown to a write, and a key given out still reports', async () => {
  demand(200, await service.operator('delete', `/locks/${ids.lock_id}`));
  demand(200, await service.operator('delete', `/locks/${ids.lock_id}`));
  const { locks } = demand(200, await service.operator('get', `${location}/locks`));
  expect((locks as Parsed[]).map(({ lock_id }) => lock_id)).not.toContain(ids.lock_id);
  expect((await service.operator('put', `/units/${unit_id}/locks/${ids.lock_id}`)).status).toBe(404);
  expect((await report(`locks/${ids.lock_id}`)).status).toBe(201);
  const { entries } = demand(200, await service.operator('get', `/locks/${ids.lock_id}/activity`));
  expect(entries).toMatchObject([{ lock_name: 'Old door' }]);
});

it('a gate out of service is removed with its zone, and a key given out still reports', async () => {
  const { zone_id, entry_point_id } = ids;
  demand(200, await service.operator('patch', `/entry-points/${entry_point_id}`, { in_service: false }));
  demand(200, await service.operator('delete', `/entry-points/${entry_point_id}`));
  demand(200, await service.operator('delete', `/zones/${zone_id}/units/${unit_id}`));
  demand(200, await service.operator('delete', `/zones/${zone_id}`));
  expect((await access()).entry_points).toEqual([]);
  expect((await report(`entry-points/${entry_point_id}`)).status).toBe(201);
  const { entries } = demand(200, await service.operator('get', `/entry-points/${entry_point_id}/activity`));
  expect(entries).toMatchObject([{ entry_point_name: 'Gate' }]);
  const named = { name: 'South' };
  expect((await service.operator('patch', `/entry-points/${entry_point_id}`, named)).status).toBe(404);
  expect((await service.operator('patch', `/zones/${zone_id}`, named)).status).toBe(404);
});

it('the past shows what was removed, also on views that are filled anew', async () => {
  const then = await past();
  expect(then).toMatchObject({
    locks: [{ lock_id: ids.lock_id, name: 'Old door' }],
    zones: [{ zone_id: ids.zone_id, name: 'North wing' }],
    entry_points: [{ entry_point_id: ids.entry_point_id, state: 'permitted' }],
  });
  expect(then.keys!.map(({ name }) => name).sort()).toEqual(['Gate', 'Old door']);
  const history = demand(200, await service.operator('get', `/units/${unit_id}/history`));
  const shown = await present();
  await service.restart({ keepViews: false });
  expect(await past()).toEqual(then);
  expect(demand(200, await service.operator('get', `/units/${unit_id}/history`))).toEqual(history);
  expect(await present()).toEqual(shown);
});

it('the feed tells of each removal', async () => {
  const types = 'ZoneRenamed,ZoneRemoved,EntryPointRemoved,LockRenamed,LockRemoved';
  const { events } = demand(200, await company.push('get', `/events?types=${types}`));
  expect((events as Parsed[]).map(({ type }) => type)).toEqual([
    'ZoneRenamed',
    'LockRenamed',
    'LockRemoved',
    'EntryPointRemoved',
    'ZoneRemoved',
  ]);
});

it('the audit finds the log sound afterwards', async () => {
  expect(await verifyAll(service.stores.eventStore)).toMatchObject({ ok: true });
});
