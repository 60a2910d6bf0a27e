import { accessStream } from '#domain/access/core/access.events.js';
import { type Company, demand, Service } from '../../support/service.js';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import type { Parsed } from '../../support/http-client.js';
import { waitUntil } from '../../support/wait-until.js';

const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const PERMITTED = { state: 'tenant_permitted', reason: 'active' };
const VACANT = { state: 'vacant', reason: null };
const DELINQUENT = { state: 'tenant_denied', reason: 'delinquent' };
const OWING = { balance_due: 50, paid_through_date: '2025-12-31' };

let service: Service;
let company: Company;

/** The clock begins on 1 January 2026. */
beforeEach(async () => {
  service = await Service.start();
  company = await service.company({ pms_location_code: 'MAIN', grace_period_days: 5 });
});
afterEach(() => service.close());

async function announced(of = company): Promise<Parsed[]> {
  return demand(200, await of.push('get', '/events?types=AccessChanged&limit=500')).events;
}

/** Lets time pass, at most 5 s of it, until there are so many announcements. */
async function untilAnnounced(count: number, of = company): Promise<Parsed[]> {
  const begun = service.clock.now();
  return waitUntil(
    async () => {
      if (service.clock.now() - begun < 5 * SECOND) service.manualClock.advance(250);
      return announced(of);
    },
    ({ length }) => length >= count,
  );
}

/** Lets the announcer look at all that has happened. */
async function untilLookedAt(): Promise<void> {
  await company.moveIn('LAST', { pms_tenant_id: `last-${service.clock.now()}` });
  const { unit_id } = await company.unit('LAST');
  await waitUntil(async () => {
    service.manualClock.advance(250);
    return (await service.events(accessStream(company.id, unit_id))).length > 0;
  });
}

test('A new rented unit is announced from null, with the write as the cause', async () => {
  await company.moveIn('A-1');
  const [entry] = await untilAnnounced(1);
  const { unit_id, location } = await company.unit('A-1');
  expect(entry).toMatchObject({
    type: 'AccessChanged',
    subject: { kind: 'unit', unit_id, crm_unit_id: 'A-1', location_id: location.id },
    revision: null,
    actor: { kind: 'system', id: 'announcer', name: null },
    data: {
      unit_id,
      from: null,
      to: PERMITTED,
      cause: { kind: 'write', revision: 1 },
      effective_at: '2026-01-01T00:00:00.000Z',
      valid_until: null,
    },
  });
  expect(entry.data).not.toHaveProperty('company_id');
});

test('A write that changes access is announced once', async () => {
  await company.moveIn('A-1');
  await untilAnnounced(1);
  const at = service.clock.now();
  await company.patch('A-1', { pms_lockout: true });
  const [, entry] = await untilAnnounced(2);
  expect(entry.data).toMatchObject({
    from: PERMITTED,
    to: { state: 'tenant_denied', reason: 'pms_lockout' },
    cause: { kind: 'write', revision: 2 },
    effective_at: new Date(at).toISOString(),
  });
  await untilLookedAt();
  expect(await service.announcements()).toHaveLength(3);
});

test('A write that changes no access is not announced', async () => {
  await company.moveIn('A-1');
  await untilAnnounced(1);
  await company.patch('A-1', { pms_status_raw: 'paid' });
  await untilLookedAt();
  expect((await announced()).map(({ subject }) => subject.crm_unit_id)).toEqual(['A-1', 'LAST']);
});

test('A unit that is created vacant is not announced, its move-in and its move-out are', async () => {
  await company.sync([{ crm_unit_id: 'A-1', occupied: false }]);
  await untilLookedAt();
  expect((await announced()).map(({ subject }) => subject.crm_unit_id)).toEqual(['LAST']);
  await company.moveIn('A-1');
  await untilAnnounced(2);
  await company.moveOut('A-1');
  const [, moveIn, moveOut] = await untilAnnounced(3);
  expect(moveIn.data).toMatchObject({ from: VACANT, to: PERMITTED });
  expect(moveOut.data).toMatchObject({ from: PERMITTED, to: VACANT, cause: { kind: 'write', revision: 2 } });
});

test('An override and its end by itself are announced, the end with the calendar as the cause', async () => {
  await company.moveIn('A-1');
  await untilAnnounced(1);
  const { unit_id } = await company.unit('A-1');
  const expires_at = new Date(service.clock.now() + HOUR).toISOString();
  const body = { override: 'lockout', reason: 'Water', expires_at };
  demand(200, await service.operator('put', `/units/${unit_id}/override`, body));
  const [, set] = await untilAnnounced(2);
  expect(set.data).toMatchObject({
    to: { state: 'tenant_denied', reason: 'system_lockout' },
    cause: { kind: 'write', revision: 2 },
    valid_until: expires_at,
  });
  service.manualClock.advance(HOUR);
  const [, , ended] = await untilAnnounced(3);
  expect(ended.data).toMatchObject({ to: PERMITTED, cause: { kind: 'calendar' }, effective_at: expires_at });
});

test('The end of the days of grace is announced with the calendar as the cause, and as of midnight', async () => {
  await company.moveIn('A-1');
  await company.patch('A-1', OWING);
  const [first] = await untilAnnounced(1);
  expect(first.data.valid_until).toBe('2026-01-06T00:00:00.000Z');
  service.manualClock.advance(5 * DAY);
  const [, entry] = await untilAnnounced(2);
  expect(entry.data).toMatchObject({
    from: PERMITTED,
    to: DELINQUENT,
    cause: { kind: 'calendar' },
    effective_at: '2026-01-06T00:00:00.000Z',
  });
});

test('A payment before the days of grace end leaves nothing to announce', async () => {
  await company.moveIn('A-1');
  await company.patch('A-1', OWING);
  await untilAnnounced(1);
  await company.patch('A-1', { balance_due: 0 });
  await untilLookedAt();
  service.manualClock.advance(5 * DAY);
  await untilLookedAt();
  expect((await announced()).filter(({ subject }) => subject.crm_unit_id === 'A-1')).toHaveLength(1);
});

test('A debt of another unit is announced with that unit as the cause', async () => {
  await company.moveIn('A-1');
  await company.moveIn('B-1');
  await untilAnnounced(2);
  await company.patch('B-1', { balance_due: 50, paid_through_date: '2025-12-01' });
  const debtor = await company.unit('B-1');
  const entries = (await untilAnnounced(4)).slice(2);
  expect(entries.find(({ subject }) => subject.crm_unit_id === 'B-1')!.data).toMatchObject({
    to: DELINQUENT,
    cause: { kind: 'write', revision: 2 },
  });
  expect(entries.find(({ subject }) => subject.crm_unit_id === 'A-1')!.data).toMatchObject({
    to: { state: 'tenant_denied', reason: 'blanket_delinquency' },
    cause: { kind: 'unit', unit_id: debtor.unit_id, crm_unit_id: 'B-1', revision: 2 },
  });
});

test('A debt that denies all units of a tenant is announced without a read of each unit for each', async () => {
  const count = 40;
  const facts = {
    pms_location_code: 'MAIN',
    occupied: true,
    pms_tenant_id: 'one',
    move_in_date: '2025-12-01',
  };
  const units = Array.from({ length: count }, (_, number) => ({ crm_unit_id: `U-${number}`, ...facts }));
  demand(200, await company.sync(units));
  await untilAnnounced(count);
  const read = jest.spyOn(service.stores.eventStore, 'readStream');
  await company.patch('U-0', { balance_due: 50, paid_through_date: '2025-12-01' });
  await untilAnnounced(2 * count);
  expect(read.mock.calls.filter(([stream]) => stream.startsWith('unit-')).length).toBeLessThan(3 * count);
});

test('The calendar on another unit is announced with the unit that owes', async () => {
  await company.moveIn('A-1');
  await company.moveIn('B-1');
  await company.patch('B-1', OWING);
  await untilAnnounced(2);
  service.manualClock.advance(5 * DAY);
  const entries = (await untilAnnounced(4)).slice(2);
  const debtor = await company.unit('B-1');
  expect(entries.find(({ subject }) => subject.crm_unit_id === 'A-1')!.data.cause).toEqual({
    kind: 'calendar',
    unit_id: debtor.unit_id,
    crm_unit_id: 'B-1',
  });
});

test('A change of policy is announced for each unit of the location that it concerns', async () => {
  await company.moveIn('A-1');
  await company.moveIn('B-1', { pms_tenant_id: 't-2' });
  await company.patch('A-1', OWING);
  await untilAnnounced(2);
  service.manualClock.advance(2 * DAY);
  const location_id = company.locations.get('MAIN')!;
  demand(200, await service.operator('patch', `/locations/${location_id}`, { grace_period_days: 0 }));
  const [, , entry] = await untilAnnounced(3);
  expect(entry.subject.crm_unit_id).toBe('A-1');
  expect(entry.data).toMatchObject({
    from: PERMITTED,
    to: DELINQUENT,
    cause: { kind: 'policy', location_id, revision: 1 },
  });
  await untilLookedAt();
  expect(await announced()).toHaveLength(4);
});

test('What a sandbox’s clock brings is announced within 5 s after the advance', async () => {
  const sandbox = await service.sandbox({ pms_location_code: 'MAIN', grace_period_days: 5 });
  await sandbox.moveIn('A-1');
  await sandbox.patch('A-1', OWING);
  await untilAnnounced(1, sandbox);
  await sandbox.advance(5 * 24 * 3_600);
  const [, entry] = await untilAnnounced(2, sandbox);
  expect(entry.data).toMatchObject({
    to: DELINQUENT,
    cause: { kind: 'calendar' },
    effective_at: '2026-01-06T00:00:00.000Z',
  });
  expect(await announced()).toEqual([]);
});

test('A change just before a stop is announced after the start', async () => {
  await company.moveIn('A-1');
  await company.patch('A-1', OWING);
  await untilAnnounced(1);
  service.manualClock.advance(6 * DAY);
  await service.restart();
  expect((await untilAnnounced(2))[1].data).toMatchObject({
    to: DELINQUENT,
    cause: { kind: 'calendar' },
    effective_at: '2026-01-06T00:00:00.000Z',
  });
});

test('A rebuild announces nothing again, and plans anew when the calendar changes something', async () => {
  await company.moveIn('A-1');
  await company.patch('A-1', OWING);
  await untilAnnounced(1);
  const { views } = service.stores;
  const [{ stream: id }] = (await company.unitEvents()) as [RecordedEvent];
  await views.write([{ kind: 'delete', collection: 'announcement_looks', id }]);
  demand(202, await service.operator('post', '/views/rebuild'));
  await waitUntil(
    async () => {
      service.manualClock.advance(SECOND);
      return demand(200, await service.operator('get', '/views/rebuild'));
    },
    ({ state }) => state === 'done',
  );
  await untilLookedAt();
  expect(await announced()).toHaveLength(2);
  service.manualClock.advance(5 * DAY);
  expect((await untilAnnounced(3))[2].data).toMatchObject({ to: DELINQUENT, cause: { kind: 'calendar' } });
});

test('After the views were lost nothing is announced twice, and what has changed is announced', async () => {
  await company.moveIn('A-1');
  await company.moveIn('B-1', { pms_tenant_id: 't-2' });
  await untilAnnounced(2);
  await company.patch('B-1', { pms_lockout: true });
  await service.restart({ keepViews: false });
  const entries = await untilAnnounced(3);
  expect(entries[2].data).toMatchObject({ to: { reason: 'pms_lockout' } });
  await untilLookedAt();
  expect(await announced()).toHaveLength(4);
});
