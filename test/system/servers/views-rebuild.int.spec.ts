import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { MongoClient } from 'mongodb';
import { runCommandLine } from '#cli/command-line.js';
import { describeWithMongo, type MongoServer, mongoServer } from '../../support/mongo-server.js';
import { demand } from '../../support/service.js';
import { HUNG, waitUntil } from '../../support/wait-until.js';
import { eventServer, type EventServer } from './event-server.js';
import { dropDatabase } from './server-stores.js';
import { type ProcessCompany, ServiceProcess, type ServiceProcessOptions } from './service-process.js';

const UNITS = 20;

describeWithMongo('a rebuild of views that several processes serve from', () => {
  let events: EventServer;
  let environment: { EVENTSTORE_STREAM_PREFIX: string };
  let mongo: MongoServer;
  let database: string;
  let options: ServiceProcessOptions;
  let processes: ServiceProcess[];
  let company: ProcessCompany;

  beforeEach(async () => {
    events = await eventServer();
    environment = { EVENTSTORE_STREAM_PREFIX: events.streamPrefix };
    mongo = await mongoServer();
    database = `test_${randomUUID()}`;
    const url = new URL(mongo.url);
    url.pathname = `/${database}`;
    options = { eventStoreUrl: events.url, mongoUrl: url.href, lease: 1_500, environment };
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
    await events.close();
    if (!mongo.isStandIn) await dropDatabase(mongo.url, database);
    await mongo.stop();
  });

  async function command(...parameters: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const variables = {
      ...environment,
      EVENTSTORE_URL: options.eventStoreUrl!,
      MONGODB_URL: options.mongoUrl!,
    };
    const status = await runCommandLine(parameters, variables, { stdout, stderr });
    return { status, stdout: String(stdout.read() ?? ''), stderr: String(stderr.read() ?? '') };
  }

  const rebuild = () => command('views', 'rebuild');

  /** Removes units' documents: what is wrong in the views is right again after a rebuild. */
  async function loseUnits(...crm_unit_ids: string[]): Promise<void> {
    const client = new MongoClient(mongo.url);
    await client
      .db(database)
      .collection('views_units')
      .deleteMany({ crm_unit_id: { $in: crm_unit_ids } });
    await client.close();
  }

  const stateAt = async (process: ServiceProcess) =>
    demand(200, await process.operator('get', '/views/rebuild')).state as string;

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
      counts,
      done,
      end: () => {
        going = false;
        return done;
      },
    };
  }

  test.each([
    ['by the command', rebuild],
    [
      'by an operator, whichever process is asked',
      async () => {
        demand(202, await processes[1]!.operator('post', '/views/rebuild'));
        const state = await waitUntil(
          () => stateAt(processes[0]!),
          (one) => one === 'done' || one === 'failed',
        );
        return { status: state === 'done' ? 0 : 1 };
      },
    ],
  ])(
    '%s goes on beside writes and reads, none of which ever shows less than was answered',
    async (_how, work) => {
      await loseUnits('U-1', 'U-2');
      const clients = [writing('U-7'), writing('U-8')];
      // A rebuild of so few units may end before a busy machine has written.
      do {
        const first = await Promise.race([work(), ...clients.map(({ done }) => done)]);
        expect(first).toMatchObject({ status: 0 });
      } while (clients.some(({ counts }) => counts.written <= 2));
      const counts = await Promise.all(clients.map((one) => one.end()));
      for (const { longest } of counts) expect(longest).toBeLessThan(HUNG);
      for (const process of processes) expect(await process.units(company)).toHaveLength(UNITS);
      processes.push(await ServiceProcess.start(options));
      expect(await processes[2]!.units(company)).toHaveLength(UNITS);
    },
  );

  test('audit verify finds nothing wrong beside writes of two processes', async () => {
    const clients = [writing('U-7'), writing('U-8')];
    const compared = await Promise.race([command('audit', 'verify'), ...clients.map(({ done }) => done)]);
    await Promise.all(clients.map((one) => one.end()));
    expect(compared).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/; compared: chains, records, views \(\d+ documents\); /),
    });
  });

  test('audit verify names a document that was edited, until a rebuild has made it anew', async () => {
    const client = new MongoClient(mongo.url);
    const units = client.db(database).collection('views_units');
    await units.updateOne({ crm_unit_id: 'U-1' }, { $set: { unit_name: 'edited' } });
    await client.close();
    expect(await command('audit', 'verify')).toMatchObject({
      status: 1,
      stdout: expect.stringMatching(
        /^FAULT: document unit-\S+\.U-1 of the view units differs from the log at revision \d, in unit_name\. /,
      ),
    });
    expect(await rebuild()).toMatchObject({ status: 0 });
    expect(await command('audit', 'verify')).toMatchObject({ status: 0 });
  });

  test('is done by the command where no process runs', async () => {
    await Promise.all(processes.map((one) => one.stop()));
    processes = [];
    expect(await rebuild()).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^ok: the views hold \d+ events\n$/),
    });
    processes = [await ServiceProcess.start(options)];
    expect(await processes[0]!.units(company)).toHaveLength(UNITS);
  });

  test('is taken up by the next leader where the one that does it is killed, and writes go on', async () => {
    await loseUnits('U-1');
    demand(202, await processes[0]!.operator('post', '/views/rebuild'));
    await processes[0]!.kill();
    processes.shift();
    const path = '/api/v2/units/U-3';
    const { token } = company;
    const patched = await waitUntil(
      () => processes[0]!.call('patch', path, { body: { balance_due: 7 }, token, mayFail: true }),
      ({ status }) => status === 200,
    );
    expect(patched.status).toBe(200);
    await waitUntil(
      () => stateAt(processes[0]!),
      (state) => state === 'done',
    );
    expect(await processes[0]!.units(company)).toHaveLength(UNITS);
    expect(demand(200, await processes[0]!.call('get', path, { token })).facts.balance_due).toBe(7);
  });

  test('a process that starts beside a leader that was killed is ready by itself', async () => {
    // Long enough to outlast the test.
    await Promise.all(processes.map((one) => one.stop()));
    processes = [await ServiceProcess.start({ ...options, lease: 120_000 })];
    demand(
      200,
      await processes[0]!.call('patch', '/api/v2/units/U-4', {
        body: { balance_due: 4 },
        token: company.token,
      }),
    );
    await processes[0]!.kill();
    processes = [await ServiceProcess.start({ ...options, lease: 120_000 })];
    const unit = await processes[0]!.call('get', '/api/v2/units/U-4', { token: company.token });
    expect(demand(200, unit).facts.balance_due).toBe(4);
    expect((await processes[0]!.call('get', '/health/ready')).status).toBe(200);
  });
});
