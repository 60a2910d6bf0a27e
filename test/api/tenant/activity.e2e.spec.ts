import { makeAccounts } from '../../domain/tenants/support/details.js';
import { commandRunnerOn } from '../../support/command-runner.js';
import { ReportsApiModule } from '#api/tenant/reports/reports-api.module.js';
import type { EventMetadata } from '#eventsourcing/log/domain-event.js';
import {
  ActivityRecords,
  EntryPointActivityProjector,
  KeyIssues,
  LockEntitlement,
  LockActivityProjector,
  UnitActivity,
} from '#domain/locks/index.js';
import type { TenantPrincipal } from '#kernel/principals.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { ACTIVITY_HEADS, ActivityProjectors } from '#domain/locks/activity/activity.projector.js';
import { ReportActivity } from '#domain/locks/activity/report-activity.js';
import { WriteActivityHandler } from '#domain/locks/activity/write-activity.js';
import { busOfHandlers } from '#eventsourcing/writing/bus-of-handlers.js';
import { REPORT_RESERVATIONS } from '#domain/locks/activity/activity-records.js';
import { ReportRights } from '#domain/locks/activity/report-rights.js';
import { UNIT_ACTIVITY } from '#domain/locks/activity/unit-activity.js';
import { locationDocument } from '../../domain/locations/location-document.js';
import { type LockDocument } from '#domain/locations/index.js';
import { LOCATIONS, LOCKS } from '#domain/locations/location.documents.js';
import { type TenantAccount, TenantAccounts, TenantSessions } from '#domain/tenants/index.js';
import { removeDocuments } from '../../support/remove-documents.js';
import { resultsAtOnce } from '../../support/barrier.js';
import {
  startTenantsApplication,
  type TenantsApplication,
} from '../../domain/tenants/support/application.js';
import type { World } from '../../domain/tenants/support/world.js';
import { COMPANY, LOCATION, keyOf, openWorld } from '../../domain/tenants/support/world.js';
import { worldsClock } from '../../support/company-clocks.js';
import { invalid } from '../../support/invalid.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

let world: World;
let app: TenantsApplication;
/** Of each test its own. */
let unit: string;
let lock: string;
let looseLock: string;
let foreignLock: string;
let gate: string;
let foreignGate: string;
let tenant_id: string;
let token: string;
let entitled: boolean;
/** Of which unit, or zones, and which instant was asked. */
const asked: (string | number)[][] = [];

const entitlement: LockEntitlement = {
  openUnitsOf: (principal: TenantPrincipal) => ({
    hadUnit: (unit_id, at) => {
      asked.push([unit_id, at]);
      return Promise.resolve(entitled && principal.id === tenant_id);
    },
    hadUnitInZones: (zone_ids, at) => {
      asked.push([...zone_ids, at]);
      return Promise.resolve(entitled && principal.id === tenant_id);
    },
  }),
};

beforeAll(async () => {
  world = await openWorld();
  app = await startTenantsApplication(
    world,
    [ReportsApiModule],
    [{ provide: LockEntitlement, useValue: entitlement }],
  );
});
afterAll(async () => {
  await app.close();
  await world.close();
});
beforeEach(async () => {
  entitled = true;
  asked.length = 0;
  app.logged.length = 0;
  unit = world.ids.ulid();
  lock = world.ids.ulid();
  looseLock = world.ids.ulid();
  foreignLock = world.ids.ulid();
  gate = world.ids.ulid();
  foreignGate = world.ids.ulid();
  await seedPlaces();
  const accounts = app.get(TenantAccounts);
  tenant_id = (await makeAccounts({ ...world, accounts }, [keyOf(world.ids.ulid())])).tenant_ids[0]!;
  token = (await app.get(TenantSessions).begin(await account())).token;
});

async function seedPlaces(): Promise<void> {
  const aLock = (lock_id: string, company_id: string, unit_id: string | null): LockDocument => ({
    _id: lock_id,
    revision: 0,
    company_id,
    lock_id,
    location_id: LOCATION,
    name: lock_id,
    serial: null,
    key_format: 1,
    unit_id,
    search_names: [],
    placements: unit_id === null ? [] : [{ unit_id, from: 0, until: null }],
  });
  const aGate = (entry_point_id: string, location_id: string) => ({
    revision: 0,
    entry_point_id,
    location_id,
    name: entry_point_id,
    kind: 'gate' as const,
    zone_ids: ['zone-2'],
    // What counts is where it was.
    zone_stays: [
      { zone_id: 'zone-1', from: 0, until: world.clock.now() + 5 * MINUTE },
      { zone_id: 'zone-2', from: world.clock.now() + 5 * MINUTE, until: null },
    ],
    in_service: true,
    hours: 'location' as const,
    hours_set_at: [],
    key_format: 1 as const,
  });
  const aPlace = (_id: string, company_id: string, gate_id: string) =>
    locationDocument(_id, company_id, { entry_points: [aGate(gate_id, _id)], part_ids: [gate_id] });
  const elsewhere = ['01OTHERLOCATION00000000000', '01OTHERCOMPANY000000000000'] as const;
  for (const one of [LOCKS, LOCATIONS]) await world.views.collection(one as typeof LOCKS);
  await world.views.write([
    { kind: 'put', collection: LOCKS.name, document: aLock(lock, COMPANY, unit) },
    { kind: 'put', collection: LOCKS.name, document: aLock(looseLock, COMPANY, null) },
    { kind: 'put', collection: LOCKS.name, document: aLock(foreignLock, '01OTHERCOMPANY000000000000', unit) },
    { kind: 'put', collection: LOCATIONS.name, document: aPlace(LOCATION, COMPANY, gate) },
    { kind: 'put', collection: LOCATIONS.name, document: aPlace(...elsewhere, foreignGate) },
  ]);
}

const UNLOCK = { event: 'unlock', result: 'success' } as const;

/** Of a successful unlock where the body does not say otherwise. */
function report(body: object = {}, path?: string, prefix?: string) {
  const { entries } = body as { entries?: unknown };
  const each = (one: object | null) => one && { ...UNLOCK, ...one };
  const many = Array.isArray(entries) ? { ...body, entries: entries.map(each) } : body;
  return send(entries === undefined ? { ...UNLOCK, ...body } : many, path, prefix);
}

function send(body: object, path = `locks/${lock}/logs`, prefix = '/api/v2') {
  return app.client.post(`${prefix}/${path}`).set('Authorization', `Bearer ${token}`).send(body);
}

/** A route or a stream, for the lock and gate of the test. */
function filled(name: string): string {
  return name.replace('LOCK', lock).replace('GATE', gate);
}

async function account(): Promise<TenantAccount> {
  const [found] = await app.get(TenantAccounts).byTenantId([tenant_id]);
  return found!;
}

async function lastAccessed(): Promise<number | undefined> {
  return (await app.get(UnitActivity).lastAccessed([unit])).get(unit);
}

function at(offset: number): string {
  return new Date(world.clock.now() + offset).toISOString();
}

const NO_CODE =
  'The failure code field must be 1 to 64 lower case letters, digits, dots, dashes or underscores.';

describe('a report about a lock', () => {
  it.each(['/api/v1', '/api'])('under %s is a successful unlock unless said otherwise', async (prefix) => {
    const answer = await send({}, undefined, prefix).expect(201);
    const { log_id } = answer.body.data;
    expect(answer.body).toEqual({
      message: 'Log entry created.',
      data: { log_id: expect.stringMatching(/^[0-9A-Z]{26}$/), recorded_at: at(0) },
    });
    const [event] = await world.events.readStream(`lock-${lock}`);
    expect(event).toMatchObject({
      type: 'LockActivityReported',
      data: {
        log_id,
        company_id: COMPANY,
        location_id: LOCATION,
        lock_id: lock,
        unit_id: unit,
        tenant_id,
        event: 'unlock',
        result: 'success',
        failure_code: null,
        occurred_at: world.clock.now(),
        recorded_at: world.clock.now(),
        battery_percent: null,
        client_log_hash: null,
      },
      metadata: { actor: { kind: 'tenant', id: tenant_id }, schema: 2, occurred_at: at(0) },
    });
    expect(await lastAccessed()).toBe(world.clock.now());
  });

  it('says on v2 what happened and whether it worked', async () => {
    const errors = {
      event: ['The event field is required.'],
      result: ['The result field is required.'],
    };
    expect((await send({}).expect(422)).body.errors).toEqual(errors);
    const named = { entry_point_id: ['The entry point id field is required.'] };
    expect((await send({}, 'entry-points/logs').expect(422)).body.errors).toEqual({ ...named, ...errors });
    const [refused] = (await send({ entries: [{}] }).expect(422)).body.data.entries;
    expect(Object.keys(refused.error.errors)).toEqual(['entries.0.event', 'entries.0.result']);
    expect(await world.events.readStream(`lock-${lock}`)).toEqual([]);
  });

  it.each(['locks/LOCK/logs', 'entry-points/GATE/logs', 'entry-points/logs'])(
    'without a body is no unlock: %s',
    async (route) => {
      const path = filled(route);
      const call = () => app.client.post(`/api/v2/${path}`).set('Authorization', `Bearer ${token}`);
      const chunked = call().set('Content-Type', 'application/json').set('Transfer-Encoding', 'chunked');
      for (const answer of [await call().expect(422), await chunked.expect(422)]) {
        expect(answer.body.errors).toEqual({ body: ['The body field is required.'] });
      }
      expect(await lastAccessed()).toBeUndefined();
      expect(await world.events.readStream(`entry-point-${gate}`)).toEqual([]);
    },
  );

  it('keeps everything that it says, its text outside of the event log', async () => {
    const text = 'Ada could not get in, call +13125550100.';
    const occurred = world.clock.now() - 60 * MINUTE;
    const wallClock = new Date(occurred - 5 * 60 * MINUTE).toISOString().replace('Z', '-05:00');
    const body = {
      event: 'attempt',
      result: 'failure',
      failure_code: 'e42',
      occurred_at: wallClock,
      battery_percent: 71.5,
      client_log_id: 'app-1',
      message: text,
    };
    const { log_id } = (await report(body).expect(201)).body.data;
    const [event] = await world.events.readStream(`lock-${lock}`);
    expect(event!.data).toMatchObject({
      event: 'attempt',
      result: 'failure',
      failure_code: 'e42',
      occurred_at: occurred,
      battery_percent: 71.5,
      client_log_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify([event!.data, event!.metadata])).not.toMatch(/Ada|3125550100|app-1/);
    expect(app.logged.join('\n')).not.toMatch(/Ada|3125550100/);
    const records = app.get(ActivityRecords);
    expect(await records.textsOf([log_id])).toEqual([text]);
    expect(await reserved()).toBeDefined();
    await records.erasePersonalData(tenant_id);
    await records.erasePersonalData(tenant_id);
    expect(await records.textsOf([log_id])).toEqual([undefined]);
    expect(await reserved()).toBeUndefined();
  });

  it.each([
    [{ event: 'open' }, { event: ['The event field must be one of unlock, lock, attempt.'] }],
    [{ result: 1 }, { result: ['The result field must be one of success, failure.'] }],
    [{ failure_code: 'x'.repeat(65) }, { failure_code: [NO_CODE] }],
    [{ failure_code: 'call Ada' }, { failure_code: [NO_CODE] }],
    [
      { client_log_id: 'x'.repeat(65) },
      { client_log_id: ['The client log id field must not be greater than 64 characters.'] },
    ],
    [{ battery_percent: 101 }, { battery_percent: ['The battery percent field must be between 0 and 100.'] }],
    [{ battery_percent: '50' }, { battery_percent: ['The battery percent field must be a number.'] }],
    [
      { message: 'x'.repeat(501) },
      { message: ['The message field must not be greater than 500 characters.'] },
    ],
    [{ lock_id: 'another' }, { lock_id: ['The lock id field is not allowed.'] }],
  ])('is refused with %j', async (body, errors) => {
    const answer = await report(body).expect(422);
    expect(answer.body).toEqual(invalid(errors));
  });

  it('may be 30 days old and 5 minutes ahead, and no more', async () => {
    await report({ occurred_at: at(-30 * DAY) }).expect(201);
    await report({ occurred_at: at(5 * MINUTE) }).expect(201);
    const old = await report({ occurred_at: at(-30 * DAY - 1) }).expect(422);
    expect(old.body.errors).toEqual({ occurred_at: ['The occurred at field must be at most 30 days old.'] });
    const ahead = await report({ occurred_at: at(5 * MINUTE + 1) }).expect(422);
    expect(ahead.body.errors).toEqual({
      occurred_at: ['The occurred at field must be at most 5 minutes ahead.'],
    });
  });

  it('is 404 for a lock that is none, or another company’s, and 403 for one that is somebody else’s', async () => {
    for (const id of [world.ids.ulid(), foreignLock, 'x'.repeat(2000), 'a%2Fb']) {
      const answer = await report({}, `locks/${id}/logs`).expect(404);
      expect(answer.body).toMatchObject({ code: 'lock_not_found', message: 'Lock not found.' });
    }
    entitled = false;
    expect((await report().expect(403)).body).toEqual({ code: 'no_access_then', message: 'Forbidden.' });
    await app.client.post(`/api/v2/locks/${lock}/logs`).send({}).expect(401);
    expect(await world.events.readStream(`lock-${lock}`)).toEqual([]);
  });
});

describe('a report about an entry point', () => {
  it.each(['entry-points/GATE/logs', 'entry-points/logs'])('is stored by POST %s', async (route) => {
    const path = filled(route);
    const body = path === 'entry-points/logs' ? { entry_point_id: gate } : {};
    const answer = await report(body, path).expect(201);
    expect(answer.body.message).toBe('Log entry created.');
    const events = await world.events.readStream(`entry-point-${gate}`);
    expect(events.map(({ type, data }) => [type, data['log_id'], data['entry_point_id']])).toEqual([
      ['EntryPointActivityReported', answer.body.data.log_id, gate],
    ]);
  });

  it('is 404 for an unknown one and 403 for one that is none of the tenant’s', async () => {
    for (const entry_point_id of [world.ids.ulid(), foreignGate, 'nope']) {
      const named = await report({ entry_point_id }, 'entry-points/logs').expect(404);
      expect(named.body).toMatchObject({ code: 'entry_point_not_found', message: 'Entry point not found.' });
      await report({}, `entry-points/${entry_point_id}/logs`).expect(404);
    }
    const missing = await report({}, 'entry-points/logs').expect(422);
    expect(missing.body.errors).toEqual({ entry_point_id: ['The entry point id field is required.'] });
    entitled = false;
    await report({ entry_point_id: gate }, 'entry-points/logs').expect(403);
  });
});

const reserved = async () => {
  const found = await (await world.records.collection(REPORT_RESERVATIONS)).findAny('tenant_id', [tenant_id]);
  return found[0];
};

describe('a repeated client_log_id', () => {
  it('is stored once and answered with the first entry, however late; another report under it is 409', async () => {
    const first = await report({ client_log_id: 'app-1' }).expect(201);
    await report({ entries: Array(60).fill({}) }).expect(201);
    world.clock.advance(DAY);
    expect((await report({ client_log_id: 'app-1' }).expect(201)).body).toEqual(first.body);
    const other = await report({ client_log_id: 'app-1', event: 'lock' }).expect(409);
    expect(other.body.code).toBe('client_log_id_reused');
    expect(await world.events.readStream(`lock-${lock}`)).toHaveLength(61);
  });

  it('is answered with the first entry when it has become too old to be reported', async () => {
    const occurred_at = new Date(world.clock.now()).toISOString();
    const first = await report({ client_log_id: 'app-1', occurred_at }).expect(201);
    world.clock.advance(31 * DAY);
    token = (await app.get(TenantSessions).begin(await account())).token;
    const repeat = await report({ client_log_id: 'app-1', occurred_at }).expect(201);
    expect(repeat.body).toEqual(first.body);
    await report({ client_log_id: 'app-2', occurred_at }).expect(422);
    await report({ occurred_at }).expect(422);
    expect(await world.events.readStream(`lock-${lock}`)).toHaveLength(1);
  });

  it('is appended once, as it was first said, where it was reserved, cut off, and many others came before it', async () => {
    const append = jest.spyOn(world.events, 'append').mockRejectedValueOnce(new Error('Cut off.'));
    await report({ client_log_id: 'app-1', event: 'attempt' }).expect(500);
    append.mockRestore();
    const { log_id } = (await reserved())!.event.data;
    await report({ entries: Array(60).fill({}) }).expect(201);
    for (let count = 0; count < 2; count += 1) {
      const repeat = await report({ client_log_id: 'app-1', event: 'attempt' }).expect(201);
      expect(repeat.body.data.log_id).toBe(log_id);
    }
    const events = await world.events.readStream(`lock-${lock}`);
    expect(events.slice(60).map(({ data }) => [data['log_id'], data['event']])).toEqual([
      [log_id, 'attempt'],
    ]);
  });

  it('costs no reading of what the lock has reported before', async () => {
    await report({ entries: Array(60).fill({}) }).expect(201);
    const read = jest.spyOn(world.events, 'readStream');
    for (let count = 0; count < 10; count += 1) {
      await report({ client_log_id: `app-${count}` }).expect(201);
    }
    expect(read).not.toHaveBeenCalled();
    await report({ entries: Array(50).fill({}) }).expect(201);
    world.clock.advance(MINUTE);
    await report({ client_log_id: 'app-0' }).expect(201);
    expect(read.mock.calls).toEqual([[`lock-${lock}`, { from: 60, limit: 50 }]]);
    read.mockRestore();
  });

  it('is another report at another lock', async () => {
    await givenKey(looseLock, world.clock.now());
    const { log_id } = (await report({ client_log_id: 'app-1' }).expect(201)).body.data;
    const there = await report({ client_log_id: 'app-1' }, `locks/${looseLock}/logs`).expect(201);
    expect(there.body.data.log_id).not.toBe(log_id);
  });

  it('makes one event of 20 at once', async () => {
    const answers = await resultsAtOnce(
      Array.from({ length: 20 }, () => async () => report({ client_log_id: 'app-1' })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ body }) => body.data.log_id)).size).toBe(1);
    expect(await world.events.readStream(`lock-${lock}`)).toHaveLength(1);
  });

  it('makes one event of two processes that report it at the same time', async () => {
    const processes = [0, 1].map(() => {
      const writer = commandRunnerOn(world.events, world.clock);
      const kinds = [
        new LockActivityProjector(world.views),
        new EntryPointActivityProjector(world.views),
      ] as const;
      const projectors = new ActivityProjectors(...kinds);
      const clocks = worldsClock(world.clock);
      const { ids, events } = world;
      const parts = [app.get(ActivityRecords), app.get(ReportRights), app.get(TenantAccounts)] as const;
      const commands = busOfHandlers(new WriteActivityHandler(writer, projectors, clocks, events));
      return new ReportActivity(commands, projectors, clocks, ids, ...parts);
    });
    await report().expect(201);
    const where = (await (await world.views.collection(LOCKS)).get(lock))!;
    const one = { report: { ...UNLOCK, client_log_id: 'app-1' } };
    const reports = { reports: [one], areMany: false, bytes: 2 };
    const entries = await resultsAtOnce(
      processes.map((handler) => () => {
        const actor = { kind: 'tenant', id: tenant_id } as const;
        const principal = { ...actor, company_id: COMPANY } as unknown as TenantPrincipal;
        const command_id = world.ids.ulid();
        const times = { recovering: false, received_at: world.clock.now() };
        const context = { command_id, request_id: command_id, actor, principal, ...times };
        return handler.store(where, reports, context);
      }),
    );
    expect(entries[0]).toEqual(entries[1]);
    expect(await world.events.readStream(`lock-${lock}`)).toHaveLength(2);
  });

  it('is kept reserved for 90 days, longer than any report may be late, and no longer', async () => {
    const first = await report({ client_log_id: 'app-1' }).expect(201);
    world.clock.advance(90 * DAY - 1);
    expect(await reserved()).toMatchObject({ event: { data: { log_id: first.body.data.log_id } } });
    world.clock.advance(1);
    expect(await reserved()).toBeUndefined();
    token = (await app.get(TenantSessions).begin(await account())).token;
    const other = await report({ client_log_id: 'app-1' }).expect(201);
    expect(other.body.data.log_id).not.toBe(first.body.data.log_id);
  });
});

describe('activity that is recovered', () => {
  it.each([
    ['lock', 'locks/LOCK/logs', 'lock-LOCK'],
    ['entry-point', 'entry-points/GATE/logs', 'entry-point-GATE'],
  ])('at one %s is shown by a process that has opened none of its views', async (category, route, named) => {
    const [path, stream] = [filled(route), filled(named)];
    await report({}, path).expect(201);
    const [recorded] = await world.events.readStream(stream);
    const elsewhere = await openWorld();
    try {
      const kinds = [
        new LockActivityProjector(elsewhere.views),
        new EntryPointActivityProjector(elsewhere.views),
      ];
      const kind = kinds.find((one) => one.fold.category === category)!;
      const metadata = recorded!.metadata as unknown as EventMetadata;
      const after = { state: { reported: 1 }, revision: 0, last_hash: metadata.hash, last_at: 0 };
      await kind.project([{ stream, events: [recorded as never], after }]);
      expect(await kind.states.load([stream])).toEqual([after]);
    } finally {
      await elsewhere.close();
    }
  });
});

/** A key to a lock or gate, from now on until an instant that is after `at`. */
async function givenKey(lock_id: string, at: number): Promise<void> {
  await app
    .get(KeyIssues)
    .record([{ lock_id, tenant_id, expires_at: at + 1, unit_ids: [unit] }], world.clock.now());
}

describe('what counts', () => {
  const OTHER_UNIT = '01UNIT00000000000000000002';

  const unitsTold = async () =>
    (await world.events.readStream(`lock-${lock}`)).map(({ data }) => data['unit_id']);

  it('is the unit that the lock was on when it happened, wherever it is now', async () => {
    const now = world.clock.now();
    const placements = [
      { unit_id: unit, from: now - 9 * MINUTE, until: now - 6 * MINUTE },
      { unit_id: OTHER_UNIT, from: now - 5 * MINUTE, until: now - 2 * MINUTE },
    ];
    const stored = await (await world.views.collection(LOCKS)).get(lock);
    const document: LockDocument = { ...stored!, unit_id: null, placements };
    await world.views.write([{ kind: 'put', collection: LOCKS.name, document }]);
    await report({ occurred_at: at(-7 * MINUTE) }).expect(201);
    await report({ occurred_at: at(-5 * MINUTE) }).expect(201);
    for (const minutes of [10, 6, 5.5, 2, 0]) {
      await report({ occurred_at: at(-minutes * MINUTE) }).expect(403);
    }
    expect(await unitsTold()).toEqual([unit, OTHER_UNIT]);
    expect(asked).toEqual([
      [unit, now - 7 * MINUTE],
      [OTHER_UNIT, now - 5 * MINUTE],
    ]);
    expect(await lastAccessed()).toBe(now - 7 * MINUTE);
  });

  it('is a key that had not ended then, whoever had the unit', async () => {
    entitled = false;
    const start = world.clock.now();
    await givenKey(lock, start + MINUTE);
    await givenKey(gate, start + MINUTE);
    world.clock.advance(3 * MINUTE);
    const statuses = async (path: string) => {
      const answers = [];
      for (const instant of [start - 1, start, start + MINUTE, start + MINUTE + 1]) {
        answers.push((await report({ occurred_at: new Date(instant).toISOString() }, path)).status);
      }
      return answers;
    };
    expect(await statuses(`locks/${lock}/logs`)).toEqual([403, 201, 201, 403]);
    expect(await statuses(`entry-points/${gate}/logs`)).toEqual([403, 201, 201, 403]);
    expect(asked.at(-1)).toEqual(['zone-1', start + MINUTE + 1]);
  });

  it('is no longer asked of what was taken once and is sent again', async () => {
    const first = await report({ client_log_id: 'app-1' }).expect(201);
    entitled = false;
    expect((await report({ client_log_id: 'app-1' }).expect(201)).body).toEqual(first.body);
    await report({ client_log_id: 'app-2' }).expect(403);
  });

  it('is limited to 120 reports per tenant and minute, of locks and entry points together, and to 5 MB a day', async () => {
    const limits = app.get(RateLimits);
    await send([]).expect(400).expect('RateLimit', '"tenant-reports";r=119;t=60');
    await report({ event: 'nonsense' }).expect(422).expect('RateLimit', '"tenant-reports";r=118;t=60');
    for (let count = 0; count < 116; count += 1) await limits.consume('tenant-reports', tenant_id);
    const taken = await report().expect(201);
    expect(taken.headers['ratelimit']).toBe('"tenant-reports";r=1;t=60');
    await report({}, `entry-points/${gate}/logs`).expect(201);
    const refused = await report().expect(429);
    expect(refused.headers['ratelimit-policy']).toBe('"tenant-reports";q=120;w=60');
    world.clock.advance(MINUTE);
    await report().expect(201);
    // One byte is left. A report counts with the event that is stored around it.
    const stored = JSON.stringify(UNLOCK).length + 600;
    await limits.consume('tenant-report-bytes', tenant_id, 5_000_000 - 3 * stored - 1);
    await report().expect(429).expect('RateLimit-Policy', '"tenant-report-bytes";q=5000000;w=86400');
  });
});

describe('many reports at once', () => {
  const kinds = async () => (await world.events.readStream(`lock-${lock}`)).map(({ data }) => data['event']);

  it('are answered in order, each by its own entry, and repeated ones by their first', async () => {
    const entries = [
      { event: 'unlock', client_log_id: 'app-1' },
      { event: 'lock', client_log_id: 'app-2' },
      { event: 'unlock', client_log_id: 'app-1' },
    ];
    const answer = await report({ entries }).expect(201);
    const [first, second, third] = answer.body.data.entries;
    expect(first).toEqual({ log_id: expect.stringMatching(/^[0-9A-Z]{26}$/), recorded_at: at(0) });
    expect(third).toEqual(first);
    expect(second.log_id).not.toBe(first.log_id);
    expect(await kinds()).toEqual(['unlock', 'lock']);
    expect((await report({ entries: [entries[1]] }).expect(201)).body.data.entries).toEqual([second]);
    const named = { entry_point_id: gate, entries: [{}, {}] };
    expect((await report(named, 'entry-points/logs').expect(201)).body.data.entries).toHaveLength(2);
  });

  it('are refused as a whole where the list is at fault, and nothing is stored', async () => {
    const length = { entries: ['The entries field must have between 1 and 100 entries.'] };
    const faults: [object, object][] = [
      [{ entries: [{}], event: 'lock' }, { event: ['The event field is not allowed.'] }],
      [{ entries: [] }, length],
      [{ entries: Array(101).fill({}) }, length],
      [{ entries: {} }, { entries: ['The entries field must be an array.'] }],
    ];
    for (const [body, errors] of faults) {
      const answer = await report(body);
      expect([answer.status, answer.body.errors]).toEqual([422, errors]);
    }
    expect(await kinds()).toEqual([]);
  });

  it('have each an outcome of its own: the refusal of one leaves the others', async () => {
    const placements = [{ unit_id: unit, from: world.clock.now() - MINUTE, until: null }];
    const stored = await (await world.views.collection(LOCKS)).get(lock);
    await world.views.write([
      { kind: 'put', collection: LOCKS.name, document: { ...stored!, placements } as LockDocument },
    ]);
    // The lock was on no unit then.
    const then = new Date(world.clock.now() - DAY).toISOString();
    const late = at(31 * DAY);
    const refused = [
      { occurred_at: then },
      null,
      { event: 'open' },
      { failure_code: 'e' },
      { occurred_at: late },
    ];
    const faults: [string, string][] = [
      ['', 'The entries.N field must be an object.'],
      ['.event', 'The event field must be one of unlock, lock, attempt.'],
      ['.failure_code', 'The failure code field is not allowed unless result is failure.'],
      ['.occurred_at', 'The occurred at field must be at most 5 minutes ahead.'],
    ];
    const errors = (first: number) => [
      { code: 'no_access_then', message: 'Forbidden.' },
      ...faults.map(([field, text], place) => {
        const path = `entries.${first + 1 + place}`;
        const named = { [`${path}${field}`]: [text.replace('entries.N', path)] };
        return invalid(named);
      }),
    ];
    const entries = [{ event: 'lock' }, ...refused, { event: 'attempt' }];
    const mixed = (await report({ entries }).expect(201)).body.data.entries;
    expect(mixed.slice(1, -1)).toEqual(errors(1).map((error) => ({ error })));
    expect([mixed[0], mixed[6]]).toEqual(Array(2).fill({ log_id: expect.any(String), recorded_at: at(0) }));
    expect(await kinds()).toEqual(['lock', 'attempt']);
    const none = await report({ entries: refused }).expect(403);
    expect(none.body).toEqual({ ...errors(0)[0], data: { entries: errors(0).map((error) => ({ error })) } });
    expect((await report({ occurred_at: then }).expect(403)).body).toEqual(errors(0)[0]);
  });

  it('count each by itself', async () => {
    const taken = await report({ entries: Array(70).fill({ event: 'lock' }) }).expect(201);
    expect(taken.headers['ratelimit']).toBe('"tenant-reports";r=50;t=60');
    await report({ entries: Array(51).fill({}) }).expect(429);
    expect(await kinds()).toHaveLength(70);
  });
});

describe('last_accessed_at', () => {
  it('moves forward with successful unlocks of the unit’s lock, and never back', async () => {
    await report({ occurred_at: at(-2 * MINUTE) }).expect(201);
    expect(await lastAccessed()).toBe(world.clock.now() - 2 * MINUTE);
    await report({ occurred_at: at(-3 * MINUTE) }).expect(201);
    await report({ event: 'lock' }).expect(201);
    await report({ event: 'attempt' }).expect(201);
    await report({ result: 'failure' }).expect(201);
    await givenKey(looseLock, world.clock.now());
    await report({}, `locks/${looseLock}/logs`).expect(201);
    expect(await lastAccessed()).toBe(world.clock.now() - 2 * MINUTE);
    await report({ occurred_at: at(-MINUTE) }).expect(201);
    expect(await lastAccessed()).toBe(world.clock.now() - MINUTE);
  });

  it('is the same when the view is built again from the log, in parts and twice', async () => {
    await report({ occurred_at: at(-MINUTE) }).expect(201);
    await report({ occurred_at: at(-2 * MINUTE) }).expect(201);
    const kind = app.get(LockActivityProjector);
    const stream = `lock-${lock}`;
    const [after] = await kind.states.load([stream]);
    const recorded = await world.events.readStream(stream);
    await removeDocuments(world.views, UNIT_ACTIVITY, [unit]);
    await removeDocuments(world.views, ACTIVITY_HEADS, [stream]);
    expect(await lastAccessed()).toBeUndefined();
    const changes = [...recorded].reverse().map((event) => ({ stream, events: [event], after: after! }));
    for (const change of [...changes, ...changes]) await kind.project([change as never]);
    expect(await lastAccessed()).toBe(world.clock.now() - MINUTE);
    expect(await kind.states.load([stream])).toEqual([after]);
    await report().expect(201);
  });
});
