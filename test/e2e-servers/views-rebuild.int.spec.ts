import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { MongoClient } from 'mongodb';
import { runCommandLine } from '../../src/cli/command-line.js';
import { EventStoreDbDouble } from '../support/eventstoredb-double/index.js';
import { describeWithMongo, type MongoServer, mongoServer } from '../support/mongo-server.js';
import { demand } from '../support/service.js';
import { HUNG, waitUntil } from '../support/wait-until.js';
import { dropDatabase } from './server-stores.js';
import { type ProcessCompany, ServiceProcess, type ServiceProcessOptions } from './service-process.js';

const UNITS = 20;

describeWithMongo('a rebuild of views that several processes serve from (double and MongoDB)', () => {
  let double: EventStoreDbDouble;
  let mongo: MongoServer;
  let database: string;
  let options: ServiceProcessOptions;
  let processes: ServiceProcess[];
  let company: ProcessCompany;

  beforeEach(async () => {
    double = await EventStoreDbDouble.start();
    mongo = await mongoServer();
    database = `test_${randomUUID()}`;
    const url = new URL(mongo.url);
    url.pathname = `/${database}`;
    options = { eventStoreUrl: double.url(), mongoUrl: url.href, lease: 1_500 };
    processes = [await ServiceProcess.start(options), await ServiceProcess.start(options)];
    company = await processes[0]!.company();
    const units = Array.from({ length: UNITS }, (_, number) => ({
      crm_unit_id: `U-${number}`,
      occupied: true,
      pms_tenant_id: `t-${number}`,
      move_in_date: '2025-01-01',
      pms_location_code: 'MAIN',
    }));
    demand(
      200,
      await processes[0]!.call('patch', '/api/v2/units', { body: { units }, token: company.token }),
    );
  });
  afterEach(async () => {
    await Promise.all(processes.map((one) => one.kill()));
    await double.close();
    if (!mongo.isStandIn) await dropDatabase(mongo.url, database);
    await mongo.stop();
  });

  async function rebuild() {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const variables = { EVENTSTORE_URL: options.eventStoreUrl!, MONGODB_URL: options.mongoUrl! };
    const status = await runCommandLine(['views', 'rebuild'], variables, { stdout, stderr });
    return { status, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
  }

  /** How many collections each generation of the views has. */
  async function generations(): Promise<Record<string, number>> {
    const client = new MongoClient(mongo.url);
    const collections = await client.db(database).listCollections().toArray();
    await client.close();
    const found: Record<string, number> = {};
    for (const { name } of collections) {
      const number = /^views_(\d+)_/.exec(name)?.[1];
      if (number !== undefined) found[number] = (found[number] ?? 0) + 1;
    }
    return found;
  }

  /** Writes with one process and reads with the others at once, until told: what is read is never older than the answer. */
  function writing(unit: string) {
    let going = true;
    const counts = { written: 0, refused: 0, longest: 0 };
    const path = `/api/v2/units/${unit}`;
    const { token } = company;
    const run = async () => {
      for (let amount = 1; going; amount += 1) {
        const [writer, ...readers] = amount % 2 === 0 ? processes : processes.toReversed();
        const began = performance.now();
        const body = { balance_due: amount };
        const { status } = await writer!.call('patch', path, { body, token, mayFail: true });
        counts.longest = Math.max(counts.longest, performance.now() - began);
        if (status === 503) counts.refused += 1;
        else if (status !== 200) throw new Error(`A write was answered ${status}`);
        else counts.written += 1;
        for (const reader of [...readers, writer!]) {
          const answer = await reader.call('get', path, { token, mayFail: true });
          if (answer.status === 503) continue;
          const { facts } = demand(200, answer);
          const known = status === 200 ? [amount] : [amount - 1, amount];
          if (!known.includes(facts.balance_due)) {
            throw new Error(`After ${amount} was answered ${status}, ${facts.balance_due} was read.`);
          }
        }
      }
      return counts;
    };
    const done = run();
    return {
      done,
      end: () => {
        going = false;
        return done;
      },
    };
  }

  test('goes on beside writes and reads, none of which ever shows less than was answered', async () => {
    expect(await generations()).toMatchObject({ 1: expect.any(Number) });
    const client = new MongoClient(mongo.url);
    // What is wrong in the views is right in those that are made from the log.
    await client
      .db(database)
      .collection('views_1_units')
      .deleteMany({ crm_unit_id: { $in: ['U-1', 'U-2'] } });
    await client.close();
    const clients = [writing('U-7'), writing('U-8')];
    const first = await Promise.race([rebuild(), ...clients.map(({ done }) => done)]);
    expect(first).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ok: the views hold \d+ events\n$/),
    });
    expect(first).toMatchObject({ stderr: expect.stringContaining('goes on serving meanwhile') });
    const counts = await Promise.all(clients.map((one) => one.end()));
    for (const { written, longest } of counts) {
      expect(written).toBeGreaterThan(2);
      expect(longest).toBeLessThan(HUNG);
    }
    expect(Object.keys(await generations())).toEqual(['1', '2']);
    for (const process of processes) expect(await process.units(company)).toHaveLength(UNITS);
    expect(await rebuild()).toMatchObject({ status: 0 });
    for (const process of processes) expect(await process.units(company)).toHaveLength(UNITS);
    processes.push(await ServiceProcess.start(options));
    expect(await processes[2]!.units(company)).toHaveLength(UNITS);
  });

  test('is done by the command where no process runs', async () => {
    await Promise.all(processes.map((one) => one.stop()));
    processes = [];
    expect(await rebuild()).toMatchObject({
      status: 0,
      stderr: expect.not.stringContaining('goes on serving'),
    });
    expect(Object.keys(await generations())).toEqual(['1', '2']);
    processes = [await ServiceProcess.start(options)];
    expect(await processes[0]!.units(company)).toHaveLength(UNITS);
  });

  test('leaves the views that stand where whoever does it is killed, and writes go on', async () => {
    const ordered = rebuild();
    await waitUntil(async () => Object.keys(await generations()).length === 2);
    await processes[0]!.kill();
    processes.shift();
    const path = '/api/v2/units/U-3';
    const { token } = company;
    const patched = await waitUntil(
      () => processes[0]!.call('patch', path, { body: { balance_due: 7 }, token, mayFail: true }),
      ({ status }) => status === 200,
    );
    expect(patched.status).toBe(200);
    expect(await processes[0]!.units(company)).toHaveLength(UNITS);
    void ordered;
    expect((await rebuild()).status).toBe(0);
    expect(demand(200, await processes[0]!.call('get', path, { token })).facts.balance_due).toBe(7);
    expect((await ordered).status).toBe(1);
  });
});
