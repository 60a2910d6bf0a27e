import { join } from 'node:path';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';
import { freePort } from '../../support/free-port.js';
import { describeWithMongoStandIn, type MongoStandIn, startStandIn } from '../../support/mongo-server.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';
import { waitUntil } from '../../support/wait-until.js';
import { BulkLoad, type LoadSize } from './bulk-load.js';
import { dropCollections } from './server-stores.js';
import { type ProcessCompany, ServiceProcess, type ServiceProcessOptions } from './service-process.js';

const SIZE: LoadSize = { clients: 3, bulks: 5, units: 60 };
const EVENTS_OF_BULKS = SIZE.clients * SIZE.units * (SIZE.bulks + 1);
/** A request's own 10 s, on a machine that may have much else to do. */
const LONGEST_ANSWER = 12_000;

describeWithMongoStandIn('servers that go away under load', () => {
  let folder: TemporaryFolder;
  let double: EventStoreDbDouble;
  let mongo: MongoStandIn;
  let port: number;
  let options: ServiceProcessOptions;
  let service: ServiceProcess;
  let company: ProcessCompany;
  let load: BulkLoad;

  beforeEach(async () => {
    folder = await temporaryFolder();
    port = await freePort();
    mongo = await startStandIn(join(folder.path, 'data'), port);
    double = await EventStoreDbDouble.start();
    options = { eventStoreUrl: double.url(), mongoUrl: `${mongo.url}/faults`, lease: 2_000 };
    service = await ServiceProcess.start(options);
    company = await service.company();
    load = new BulkLoad(service, company, SIZE);
  });
  afterEach(async () => {
    mongo.thaw();
    await service.kill();
    await double.close();
    await mongo.stop();
    await folder.remove();
  });

  const unitEvents = () => double.userEvents.filter(({ stream }) => stream.includes(`.unit-${company.id}.`));
  const stored = (share: number) =>
    waitUntil(
      () => unitEvents().length,
      (count) => count >= EVENTS_OF_BULKS * share,
    );
  const restartMongo = async () => {
    await mongo.stop();
    mongo = await startStandIn(join(folder.path, 'data'), port);
  };

  /** Every bulk has been acknowledged with its counts, every change stands in the log once, the views say the same. */
  async function expectNothingLostOrDoubled(name: string): Promise<void> {
    expect(load.faults).toEqual([]);
    expect(load.acknowledged).toBe(SIZE.clients * SIZE.bulks);
    const streams = new Map<string, unknown[]>();
    for (const { stream, type, data } of unitEvents()) {
      const said = streams.get(stream) ?? [];
      const { balance_due } = JSON.parse(Buffer.from(data).toString('utf8')) as { balance_due?: number };
      said.push(balance_due ?? type);
      streams.set(stream, said);
    }
    expect(streams.size).toBe(SIZE.clients * SIZE.units);
    const wanted = ['UnitRegistered', 'TenantMovedIn', ...load.amounts];
    for (const said of streams.values()) expect(said).toEqual(wanted);
    const listed = await service.units(company);
    expect(listed).toHaveLength(streams.size);
    for (const unit of listed) {
      expect([unit.facts.balance_due, unit.revision]).toEqual([SIZE.bulks - 1, wanted.length - 1]);
    }
    await expectRebuiltViewsToAgree(listed);
    expect(load.slowest).toBeLessThan(LONGEST_ANSWER);
    process.stdout.write(
      `${name}: ${load.count(200)} answers of 200, ${load.count(503)} of 503, ${unitEvents().length} events, ` +
        `slowest answer ${load.slowest} ms.\n`,
    );
  }

  async function expectRebuiltViewsToAgree(listed: unknown[]): Promise<void> {
    await service.stop();
    await dropCollections(mongo.url, 'faults', 'views_');
    service = await ServiceProcess.start(options);
    expect(await service.units(company)).toEqual(listed);
  }

  test('an event store that is killed three times in mid-bulk and comes back', async () => {
    const running = load.run();
    for (const share of [0.2, 0.45, 0.7]) {
      await stored(share);
      await double.kill();
      await double.restart();
    }
    await running;
    expect(double.killed).toBe(3);
    await expectNothingLostOrDoubled('event store killed 3 times');
  });

  test('an event store that stays away until clients have been told', async () => {
    const running = load.run();
    await stored(0.3);
    await double.kill();
    await load.seen(503);
    const ready = await service.call('get', '/health/ready', { mayFail: true });
    expect([ready.status, ready.body.data.dependencies.event_store.status]).toEqual([503, 'unavailable']);
    await double.restart();
    await running;
    await expectNothingLostOrDoubled('event store away until the first 503');
  });

  test('an event store that freezes', async () => {
    const running = load.run();
    await stored(0.3);
    double.freeze();
    await load.seen(503);
    double.thaw();
    await running;
    await expectNothingLostOrDoubled('event store frozen until the first 503');
  });

  test('appends that are stored and whose answers are lost', async () => {
    const running = load.run();
    await stored(0.3);
    double.faults.loseAnswers = 40;
    await running;
    expect(double.faults.loseAnswers).toBe(0);
    await expectNothingLostOrDoubled('40 answers of stored appends lost');
  });

  test('a MongoDB that is ended twice in mid-bulk and comes back', async () => {
    const running = load.run();
    for (const share of [0.3, 0.6]) {
      await stored(share);
      await restartMongo();
    }
    await running;
    await expectNothingLostOrDoubled('MongoDB ended and started again twice');
  });

  test('a MongoDB that freezes', async () => {
    const running = load.run();
    await stored(0.3);
    await mongo.freeze();
    await load.seen(503, SIZE.clients);
    mongo.thaw();
    await running;
    await expectNothingLostOrDoubled('MongoDB frozen until each client was told');
  });
});
