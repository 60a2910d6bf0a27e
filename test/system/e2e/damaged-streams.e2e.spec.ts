import { randomUUID } from 'node:crypto';
import { DEFAULT_STREAM_PREFIX } from '#kernel/environment/environment.js';
import { systemClock } from '#kernel/clock.js';
import { DamagedStreams } from '#eventsourcing/log/damaged-streams.js';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { verifyAll } from '#eventsourcing/proof/verify.js';
import { SoundStreams } from '#eventsourcing/log/sound-streams.js';
import { unitStream } from '#domain/units/unit-stream.js';
import { Visitor } from '../../dashboard/support/visitor.js';
import { OFFICE_HOURS } from '../../domain/locations/hours/support/office-hours.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { ownStreams } from '../../support/own-streams.js';
import { type Company, demand, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { withMembers } from '../../support/with-members.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';

let double: EventStoreDbDouble;
let service: Service;
let company: Company;

const named = (unit: string) => DEFAULT_STREAM_PREFIX + unitStream(company.id, unit);

/** The first stream of a category, as the store names it. */
const streamOf = (category: string) =>
  double.log.events
    .map(({ stream }) => stream)
    .find((stream) => stream.startsWith(`${DEFAULT_STREAM_PREFIX}${category}-`))!;

const foreign = () => ({
  id: randomUUID(),
  type: 'OrderPlaced',
  contentType: 'application/json',
  data: Buffer.from('{"order":1}'),
  metadata: Buffer.from('no JSON'),
});

beforeEach(async () => {
  double = await EventStoreDbDouble.start();
  service = await Service.start({
    wrap: (stores) => {
      const { eventStore: unused } = stores;
      const log = ownStreams(
        new EventStoreDbEventStore({
          url: double.url(),
          streamPrefix: DEFAULT_STREAM_PREFIX,
          clock: systemClock,
        }),
      );
      const close = async (): Promise<void> => {
        await log.close();
        await unused.close();
      };
      return { ...stores, eventStore: withMembers<EventStore>(log, { close }) };
    },
  });
  company = await service.company();
  for (const unit of ['A', 'B', 'C']) demand(201, await company.moveIn(unit, { pms_tenant_id: unit }));
});
afterEach(async () => {
  await service.close();
  await double.close();
});

const metric = async () =>
  /^storage_access_damaged_streams (\d+)$/m.exec((await service.call('get', '/metrics')).text)![1];

/** Waits until the service has looked at what was stored last. */
async function lookedAt(): Promise<void> {
  const damaged = service.application.get(DamagedStreams, { strict: false });
  await waitUntil(() => {
    service.manualClock.advance(1_000);
    return damaged.listDamages().length > 0;
  });
}

const DAMAGES = [
  [
    'an event of another application',
    'foreign_event',
    2,
    (): void => void double.log.append(named('A'), 'any', [foreign()]),
  ],
  ['a tombstone', 'deleted', 0, (): void => void double.log.tombstone(named('A'))],
  ['a soft delete', 'shortened', 0, (): void => void double.log.softDelete(named('A'))],
  [
    'an age that all events have passed',
    'shortened',
    0,
    (): void => {
      double.log.setMetadata(named('A'), { $maxAge: 60 });
      double.log.now = () => Date.now() + 3_600_000;
    },
  ],
  [
    'a number that the events exceed',
    'shortened',
    0,
    (): void => double.log.setMetadata(named('A'), { $maxCount: 1 }),
  ],
  [
    'an age that no event has passed yet',
    'limited',
    2,
    (): void => double.log.setMetadata(named('A'), { $maxAge: 3_600 }),
  ],
] as const;

/** What holds for a service one of whose units was damaged. */
async function expectPutAside(revision: number, cause: string): Promise<void> {
  expect(await company.access('A')).toBe('tenant_permitted active');
  const refused = await company.patch('A', { balance_due: 5 });
  expect(refused).toMatchObject({
    status: 409,
    body: { code: 'history_damaged', hint: expect.any(String) as string },
  });
  // Also where it would change nothing.
  expect(await company.moveIn('A', { pms_tenant_id: 'A' })).toMatchObject({ status: 409 });
  const balance_due = Math.floor(Math.random() * 1e6);
  const tenant = { pms_tenant_id: 'B', move_in_date: '2025-12-01', occupied: true };
  const bulk = await company.sync([
    { crm_unit_id: 'A', ...tenant, pms_tenant_id: 'A' },
    { crm_unit_id: 'B', ...tenant, balance_due },
  ]);
  expect(bulk.body.data.errors).toMatchObject([{ crm_unit_id: 'A', code: 'history_damaged' }]);
  expect((await company.unit('B')).facts.balance_due).toBe(balance_due);
  const history = demand(200, await company.push('get', '/units/A/history'));
  expect(history.damage).toEqual({ revision, cause });
  expect(history.entries).toHaveLength(revision);
  const today = demand(200, await service.operator('get', `/companies/${company.id}/today`));
  expect(today.damaged_histories).toEqual([
    { kind: 'unit', id: (await company.unit('A')).unit_id, name: 'A', revision },
  ]);
  expect(demand(200, await company.push('get', '/events')).events.length).toBeGreaterThan(3);
  expect(await metric()).toBe('1');
}

it.each(DAMAGES)('%s in a stream puts that unit aside alone', async (_, cause, revision, damage) => {
  damage();
  await lookedAt();
  await expectPutAside(revision, cause);
  expect(service.failures).toEqual([expect.stringContaining(unitStream(company.id, 'A'))]);
  await service.restart();
  await expectPutAside(revision, cause);
  expect(service.failures.splice(0)).toHaveLength(1);
  await service.restart({ keepViews: false });
  expect(await company.access('B')).toMatch(/tenant/);
  expect(service.failures.splice(0)).toHaveLength(1);
  await expectPutAside(revision, cause);
});

it.each(DAMAGES)('%s in a stream is named by who verifies the log', async (_, cause, revision, damage) => {
  damage();
  const damaged = new DamagedStreams();
  const log = new SoundStreams(service.stores.eventStore, damaged);
  expect(await verifyAll(log)).toMatchObject({ ok: true });
  expect(damaged.listDamages()).toEqual([{ stream: unitStream(company.id, 'A'), revision, cause }]);
  service.failures.length = 0;
});

it('a write finds the damage that nobody has looked at yet', async () => {
  double.log.append(named('A'), 'any', [foreign()]);
  double.log.tombstone(named('B'));
  expect(await company.patch('A', { balance_due: 5 })).toMatchObject({
    status: 409,
    body: { code: 'history_damaged' },
  });
  expect(await company.patch('B', { balance_due: 5 })).toMatchObject({
    status: 409,
    body: { code: 'history_damaged' },
  });
  demand(200, await company.patch('C', { balance_due: 5 }));
  expect(service.failures.splice(0)).toHaveLength(2);
});

describe('an age that no event of a stream has passed yet', () => {
  beforeEach(async () => {
    double.log.setMetadata(named('A'), { $maxAge: 3_600 });
    await lookedAt();
  });
  afterEach(() => {
    service.failures.length = 0;
  });

  it('is forgotten once somebody takes it back, and the unit takes writes again', async () => {
    expect(await company.patch('A', { balance_due: 5 })).toMatchObject({ status: 409 });
    double.log.setMetadata(named('A'), {});
    const damaged = service.application.get(DamagedStreams, { strict: false });
    await waitUntil(() => {
      service.manualClock.advance(1_000);
      return damaged.listDamages().length === 0;
    });
    demand(200, await company.patch('A', { balance_due: 5 }));
    expect(demand(200, await company.push('get', '/units/A/history')).damage).toBeNull();
  });

  it('leaves the unit as it was known once its events are gone', async () => {
    const history = async () => demand(200, await company.push('get', '/units/A/history'));
    expect(await history()).toMatchObject({ entries: [{}, {}], damage: { cause: 'limited' } });
    double.log.now = () => Date.now() + 7_200_000;
    expect(await history()).toMatchObject({ entries: [], damage: { revision: 0, cause: 'shortened' } });
    await service.restart({ keepViews: false });
    expect(await company.access('A')).toBe('tenant_permitted active');
    expect(await company.patch('A', { balance_due: 5 })).toMatchObject({ status: 409 });
  });
});

describe.each([
  [
    'an event of another application',
    (stream: string): void => void double.log.append(stream, 'any', [foreign()]),
  ],
  ['a tombstone', (stream: string): void => void double.log.tombstone(stream)],
  ['a soft delete', (stream: string): void => void double.log.softDelete(stream)],
] as const)('%s in the stream of a location', (_, damage) => {
  beforeEach(() => {
    damage(streamOf('location'));
  });
  afterEach(() => {
    service.failures.length = 0;
  });

  it('leaves its units to be written, explained and read at any instant', async () => {
    const explained = async () => demand(200, await company.push('get', '/units/A/explain'));
    const before = await explained();
    await lookedAt();
    demand(200, await company.patch('A', { balance_due: 5 }));
    const history = demand(200, await company.push('get', '/units/A/history'));
    expect(history.entries.length).toBeGreaterThan(1);
    expect(history.damage).toBeNull();
    const after = await explained();
    expect(after).toMatchObject({ state: before.state, entry_points: before.entry_points });
    const at = new Date(service.manualClock.now()).toISOString();
    expect(demand(200, await company.push('get', `/units/A/as-of?at=${at}`)).facts).toMatchObject({
      balance_due: 5,
    });
  });
});

it('a deleted stream of a location leaves the pages of its hours and gates', async () => {
  const location_id = company.locations.get('MAIN')!;
  const at = `/locations/${location_id}`;
  const access_hours = OFFICE_HOURS;
  demand(200, await service.operator('patch', at, { access_hours }));
  demand(
    200,
    await service.operator('patch', at, { access_hours: { ...access_hours, exit_grace_minutes: 5 } }),
  );
  const { zone_id } = demand(201, await service.operator('post', `${at}/zones`, { name: 'Yard' }));
  const gate = { name: 'North gate', kind: 'gate', zone_ids: [zone_id], hours: 'location' };
  const { entry_point_id } = demand(201, await service.operator('post', `${at}/entry-points`, gate));
  const visitor = await Visitor.signedIn(service);
  await visitor.visit(`/dashboard${at}/hours`);
  double.log.tombstone(streamOf('location'));
  await lookedAt();
  const { values } = visitor.form('hours');
  for (const path of [at, `${at}/hours`, `${at}/equipment`, `/entry-points/${entry_point_id}/hours`]) {
    expect(await visitor.visit(`/dashboard${path}`)).toMatchObject({ status: 200 });
    expect(visitor.text).toMatch(/Hours|Open|Closed/);
  }
  await visitor.post(`/dashboard${at}/hours`, { ...values, mon_kind: 'closed' });
  expect(visitor.shown.status).toBe(409);
  service.failures.length = 0;
});

describe.each([
  [
    'an event of another application',
    (stream: string): void => void double.log.append(stream, 'any', [foreign()]),
  ],
  ['a tombstone', (stream: string): void => void double.log.tombstone(stream)],
] as const)('%s in the stream of a tenant', (_, damage) => {
  const row = (email: string, more: object = {}) => ({
    crm_unit_id: 'D',
    occupied: true,
    move_in_date: '2025-12-01',
    tenant: { pms_tenant_id: 'D', first_name: 'Ada', last_name: 'Park', email },
    ...more,
  });
  const shown = async () => {
    const { unit_id } = await company.unit('D');
    return demand(200, await service.operator('get', `/units/${unit_id}`)).tenant;
  };
  let tenant_id: string;

  beforeEach(async () => {
    demand(200, await company.sync([row('ada@example.com')]));
    demand(200, await company.sync([row('new@example.com')]));
    ({ tenant_id } = await shown());
    damage(`${DEFAULT_STREAM_PREFIX}tenant-${tenant_id}`);
  });
  afterEach(() => {
    service.failures.length = 0;
  });

  it('refuses new contacts as one row of a bulk, of which nothing is written', async () => {
    await lookedAt();
    const answer = await company.sync([
      row('other@example.com', { balance_due: 5 }),
      { crm_unit_id: 'V', occupied: false },
    ]);
    expect(demand(200, answer)).toMatchObject({
      created: 1,
      errors: [{ crm_unit_id: 'D', code: 'history_damaged' }],
    });
    expect((await company.unit('D')).facts.balance_due).toBe(0);
    expect(await shown()).toMatchObject({ email: 'new@example.com' });
  });

  it('lets the facts of the unit through, where the contacts stay the same', async () => {
    await lookedAt();
    const { errors, updated } = demand(200, await company.sync([row('new@example.com', { balance_due: 5 })]));
    expect([errors, updated]).toEqual([[], 1]);
    demand(200, await company.patch('D', { balance_due: 7 }));
    expect(await company.access('D')).toBe('tenant_permitted active');
  });

  it('stops no other row of the bulk that finds it', async () => {
    const { errors, updated } = demand(
      200,
      await company.sync([
        row('other@example.com'),
        {
          ...row('b@example.com'),
          crm_unit_id: 'B',
          tenant: { pms_tenant_id: 'B', first_name: 'Bea', last_name: 'Hill' },
        },
      ]),
    );
    expect(errors).toMatchObject([{ crm_unit_id: 'D', code: 'history_damaged' }]);
    expect(updated).toBe(1);
    expect(await shown()).toMatchObject({ email: 'new@example.com' });
  });

  it('refuses an operator’s change, shows what is known, and Today tells of it', async () => {
    await lookedAt();
    const refused = await service.operator('patch', `/tenants/${tenant_id}`, { phone: '+13125550100' });
    expect(refused).toMatchObject({ status: 409, body: { code: 'history_damaged' } });
    const { name } = demand(200, await service.operator('get', `/tenants/${tenant_id}`));
    expect(name).toBe('Ada Park');
    const today = demand(200, await service.operator('get', `/companies/${company.id}/today`));
    expect(today.damaged_histories).toMatchObject([{ kind: 'tenant', id: tenant_id, name: 'Ada Park' }]);
  });
});

describe.each(['company'])('damage to the stream of a %s', (category) => {
  it('stops no start and no other company, and Today tells of it', async () => {
    const stream = streamOf(category);
    const other = await service.company({ pms_location_code: 'OTHER' });
    double.log.append(stream, 'any', [foreign()]);
    await lookedAt();
    await service.restart({ keepViews: false });
    expect(await company.access('B')).toBe('tenant_permitted active');
    demand(200, await company.patch('B', { balance_due: 5 }));
    demand(201, await other.moveIn('O', { pms_tenant_id: 'o' }));
    const today = demand(200, await service.operator('get', `/companies/${company.id}/today`));
    expect(today.damaged_histories).toMatchObject([{ kind: category }]);
    service.failures.length = 0;
  });
});

it('a stray stream under the prefix damages nothing', async () => {
  double.log.append(`${DEFAULT_STREAM_PREFIX}stray`, 'any', [foreign()]);
  double.log.append(named('A'), 'any', [foreign()]);
  await lookedAt();
  expect(await metric()).toBe('1');
  const damaged = new DamagedStreams();
  await verifyAll(new SoundStreams(service.stores.eventStore, damaged));
  expect(damaged.listStray()).toMatchObject([{ stream: 'stray' }]);
  service.failures.length = 0;
});
