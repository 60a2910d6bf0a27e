import { describeWithMongo } from '../../../support/mongo-server.js';
import { demand } from '../../../support/service.js';
import { LogReader } from '../event-server.js';
import { rented, SharedLog } from './shared-log.js';
import type { Stranger } from './stranger.js';

/** Revision of the last event of each unit: it is registered, moved into, and its balance is told. */
const LAST_REVISION = 2;

type Damage = (stranger: Stranger, stream: string) => Promise<void>;

const DAMAGES: Readonly<Record<string, Damage>> = {
  'another application’s event': (stranger, stream) => stranger.writeTo(stream, LAST_REVISION, {}),
  'an event of our type without our mark': (stranger, stream) =>
    stranger.writeTo(stream, LAST_REVISION, { type: 'TenantMovedOut' }),
  'bytes that are no JSON': (stranger, stream) =>
    stranger.writeTo(stream, LAST_REVISION, { data: Buffer.of(0, 255), metadata: Buffer.of(0, 255) }),
  'a link': (stranger, stream) => stranger.writeTo(stream, LAST_REVISION, { type: '$>', data: '0@orders-1' }),
  'a tombstone': (stranger, stream) => stranger.deleteForEver(stream),
  'its events deleted': (stranger, stream) => stranger.deleteSoftly(stream),
  'its events deleted and another’s in their place': async (stranger, stream) => {
    await stranger.deleteSoftly(stream);
    await stranger.writeTo(stream, 'no_stream', {});
  },
  'all but its last event deleted': (stranger, stream) => stranger.keepOnlyLast(stream),
  'an age that its events pass': (stranger, stream) => stranger.keepFor(stream, 1),
  'an age that none of its events has passed': (stranger, stream) => stranger.keepFor(stream, 1_000_000),
};

const CASES = Object.keys(DAMAGES).map((name, number) => [name, `D-${number}`] as const);

/** By the code of the location. */
const OF_LOCATIONS: Readonly<Record<string, Damage>> = {
  MAIN: DAMAGES['a tombstone']!,
  FOREIGN: (stranger, stream) => stranger.writeTo(stream, 0, {}),
};

/** By the unit that the tenant rents: its number is that of the case. */
const OF_TENANTS: Readonly<Record<string, Damage>> = {
  'T-0': (stranger, stream) => stranger.writeTo(stream, 0, {}),
  'T-1': DAMAGES['a tombstone']!,
};
const TENANT_CASES = [
  ['another application’s event', 'T-0'],
  ['a tombstone', 'T-1'],
] as const;
const LOCATION_CASES = [
  ['a tombstone', 'MAIN'],
  ['another application’s event', 'FOREIGN'],
] as const;

const UNITS = CASES.map(([, unit]) => unit);

describeWithMongo('a start on a log in which streams of ours were damaged', () => {
  let log: SharedLog;
  const unitsBefore = new Map<string, unknown>();
  /** By the code of the location. */
  const locations = new Map<string, { readonly id: string; readonly before: unknown }>();
  /** By the unit. */
  const tenants = new Map<string, { readonly id: string; readonly before: unknown }>();

  beforeAll(async () => {
    log = await SharedLog.open();
    const reader = await LogReader.open(log.server);
    await log.start();
    for (const code of Object.keys(OF_LOCATIONS)) {
      const id = code === 'MAIN' ? log.company.location_id : await openLocation(code);
      locations.set(code, { id, before: await read(`/locations/${id}`) });
    }
    for (const unit of Object.keys(OF_TENANTS)) {
      demand(201, await log.moveIn(unit));
      const { unit_id } = await log.get(`/units/${unit}`);
      const id = (await read(`/units/${unit_id}`)).tenant.tenant_id as string;
      demand(200, await log.service.operator('patch', `/tenants/${id}`, { name: `Ada ${unit}` }));
      tenants.set(unit, { id, before: await read(`/tenants/${id}`) });
    }
    for (const [, unit] of CASES) {
      demand(201, await log.moveIn(unit));
      demand(200, await write(unit, { balance_due: 7 }));
      unitsBefore.set(unit, (await log.get(`/units/${unit}`)).facts);
    }
    expect(await log.service.stop()).toBe(0);
    const streams = (await reader.events()).map(({ stream }) => stream);
    await reader.close();
    for (const [name, unit] of CASES) {
      const stream = streams.find((one) => one.endsWith(`.unit-${log.company.id}.${unit}`))!;
      await DAMAGES[name]!(log.stranger, stream);
    }
    for (const [code, { id }] of locations)
      await OF_LOCATIONS[code]!(
        log.stranger,
        streams.find((one) => one.endsWith(`.location-${id}`))!,
      );
    for (const [unit, { id }] of tenants)
      await OF_TENANTS[unit]!(
        log.stranger,
        streams.find((one) => one.endsWith(`.tenant-${id}`))!,
      );
    await log.stranger.writeTo(`${log.server.streamPrefix}stray-1`, 'no_stream', {});
    await log.start();
  });
  afterAll(() => log.close());

  const write = (unit: string, body: object) =>
    log.service.call('patch', `/api/v2/units/${unit}`, { body, token: log.company.token });

  const read = async (path: string) => demand(200, await log.service.operator('get', path));
  const openLocation = async (code: string): Promise<string> => {
    const body = { pms_location_code: code, name: 'Side St' };
    const path = `/companies/${log.company.id}/locations`;
    return demand(201, await log.service.operator('post', path, body)).location_id;
  };

  test.each(CASES)('a unit with %s is read as it was before', async (_, unit) => {
    expect((await log.get(`/units/${unit}`)).facts).toEqual(unitsBefore.get(unit));
  });

  test.each(CASES)('a write to a unit with %s is refused', async (_, unit) => {
    const { status, body } = await write(unit, { balance_due: 9 });
    expect([status, body.code]).toEqual([409, 'history_damaged']);
    expect((await log.get(`/units/${unit}`)).facts).toEqual(unitsBefore.get(unit));
  });

  test.each(CASES)('the history of a unit with %s says where it ends', async (_, unit) => {
    const { damage } = await log.get(`/units/${unit}/history`);
    expect(damage).toMatchObject({ revision: expect.any(Number) });
  });

  test.each(LOCATION_CASES)(
    'a location with %s is read as it was before, and a write to it is refused',
    async (_, code) => {
      const { id, before } = locations.get(code)!;
      const { status, body } = await log.service.operator('patch', `/locations/${id}`, { name: 'Elm St' });
      expect([status, body.code]).toEqual([409, 'history_damaged']);
      expect(await read(`/locations/${id}`)).toEqual(before);
    },
  );

  test.each(TENANT_CASES)(
    'a tenant with %s is read as before, a write to it is refused, and its unit is written',
    async (_, unit) => {
      const { id, before } = tenants.get(unit)!;
      const { status, body } = await log.service.operator('patch', `/tenants/${id}`, { name: 'Bea' });
      expect([status, body.code]).toEqual([409, 'history_damaged']);
      expect(await read(`/tenants/${id}`)).toEqual(before);
      demand(200, await write(unit, { balance_due: 0 }));
    },
  );

  test('a unit that is damaged while the service runs refuses writes, and the service stays ready', async () => {
    demand(201, await log.moveIn('R-1'));
    await log.stranger.deleteForEver(`${log.server.streamPrefix}unit-${log.company.id}.R-1`);
    const { status, body } = await write('R-1', { balance_due: 9 });
    expect([status, body.code]).toEqual([409, 'history_damaged']);
    await log.untilViewsShowAll();
    expect((await log.get('/units/R-1')).facts.occupied).toBe(true);
  });

  test('every other unit is written and read, and the views show all', async () => {
    await log.demandRequestsWork();
    const listed = (await log.service.units(log.company)).map(({ crm_unit_id }) => crm_unit_id as string);
    expect(listed).toEqual(expect.arrayContaining([...UNITS, 'R-1']));
  });

  test('a bulk refuses the rows of damaged units alone', async () => {
    const damaged = UNITS.map(rented);
    const { created, errors } = await log.bulk([...damaged, rented('N-1')]);
    expect(created).toBe(1);
    expect(errors).toHaveLength(damaged.length);
    for (const error of errors) expect(error).toMatchObject({ code: 'history_damaged' });
  });

  test('the metric counts each damaged stream, without the stray stream', async () => {
    const { text } = await log.service.call('get', '/metrics');
    expect(Number(/^\w*damaged_streams(?:\{.*\})? (\d+)$/m.exec(text)?.[1])).toBe(
      UNITS.length + locations.size + tenants.size + 1,
    );
  });

  test('Today tells operators of each', async () => {
    const today = demand(200, await log.service.operator('get', `/companies/${log.company.id}/today`));
    const told = today.damaged_histories.map(({ name }: { name: string }) => name);
    expect(told.sort()).toEqual([...UNITS, 'Park Storage', 'Side St', 'Ada T-0', 'Ada T-1', 'R-1'].sort());
  });

  test('audit verify names each, and the stray stream, with status 1', async () => {
    const { status, stdout, stderr } = await log.command('audit', 'verify');
    expect(status).toBe(1);
    const told = `${stdout}${stderr}`;
    for (const unit of [...UNITS, 'R-1'])
      expect(told).toMatch(new RegExp(`unit-${log.company.id}\\.${unit} is damaged from revision \\d+ on`));
    for (const { id } of locations.values()) expect(told).toContain(`location-${id} is damaged`);
    for (const { id } of tenants.values()) expect(told).toContain(`tenant-${id} is damaged`);
    expect(told).toContain('stray-1');
  });

  test('views are rebuilt past them, and the next start too', async () => {
    const before = await log.service.units(log.company);
    expect(await log.command('views', 'rebuild')).toMatchObject({ status: 0 });
    expect(await log.service.units(log.company)).toEqual(before);
    expect(await log.service.stop()).toBe(0);
    await log.start();
    expect(await log.service.units(log.company)).toEqual(before);
    expect(await log.service.stop()).toBe(0);
  });
});
