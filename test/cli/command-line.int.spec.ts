import { randomUUID } from 'node:crypto';
import { PassThrough } from 'node:stream';
import { runCommandLine } from '#cli/command-line.js';
import { eventServer, type EventServer } from '../system/servers/event-server.js';
import { dropDatabase } from '../system/servers/server-stores.js';
import { ServiceProcess, type Setup, setUpCompany } from '../support/service-process.js';
import { describeWithMongo, type MongoServer, mongoServer } from '../support/mongo-server.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
// Before any client of MongoDB: Node 20 cannot load packages like Nest's while the driver's own import of `os` is under way.
import '#cli/audit-unit.js';
import '#cli/audit.js';

describeWithMongo('the command line on servers', () => {
  let events: EventServer;
  let mongo: MongoServer;
  let database: string;
  let folder: TemporaryFolder;
  let environment: Record<string, string>;
  let service: ServiceProcess;
  let setup: Setup;

  beforeAll(async () => {
    [events, mongo, folder] = await Promise.all([eventServer(), mongoServer(), temporaryFolder()]);
    database = `test_${randomUUID()}`;
    const address = new URL(mongo.url);
    address.pathname = `/${database}`;
    environment = { EVENTSTORE_URL: events.url, MONGODB_URL: address.href };
    service = await ServiceProcess.start(folder.path, { environment });
    setup = await setUpCompany(service);
    const body = { pms_tenant_id: 't-1', move_in_date: '2025-12-01', pms_location_code: 'A' };
    await service.client.call('put', '/api/v2/units/A-1/tenancy', { body, token: setup.token });
  });

  afterAll(async () => {
    await service.kill();
    await events.close();
    if (!mongo.isStandIn) await dropDatabase(mongo.url, database);
    await mongo.stop();
    await folder.remove();
  });

  const command = (...parameters: string[]) =>
    commandOn({ ...environment, DATA_DIR: folder.path }, ...parameters);

  async function commandOn(variables: Readonly<Record<string, string>>, ...parameters: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const texts = { stdout: '', stderr: '' };
    stdout.on('data', (chunk) => (texts.stdout += String(chunk)));
    stderr.on('data', (chunk) => (texts.stderr += String(chunk)));
    const status = await runCommandLine(parameters, variables, { stdout, stderr });
    return { status, ...texts };
  }

  const unit = () => service.client.call('get', '/api/v2/units/A-1', { token: setup.token });
  const named = () => ['--company', setup.company_id, '--unit', 'A-1'];

  test('audit reads beside a running service', async () => {
    const { body } = await service.client.call('get', '/api/v2/units/A-1/history', { token: setup.token });
    const history = await command('audit', 'history', ...named());
    expect(history).toMatchObject({ status: 0, stderr: '' });
    const lines = history.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual(body.data.entries);
    expect(await command('audit', 'verify', ...named())).toEqual({
      status: 0,
      stdout: 'ok: 2 events in 1 streams; compared: chains; not compared: signatures (none was given)\n',
      stderr: '',
    });
    expect((await command('audit', 'verify')).stdout).toMatch(/^ok: \d+ events .* views \(/);
  });

  test.each(['verify', 'export', 'checkpoint'])('audit %s with another prefix is refused', async (name) => {
    environment['EVENTSTORE_STREAM_PREFIX'] = 'other.';
    expect(await command('audit', name)).toEqual({
      status: 1,
      stdout: '',
      stderr: expect.stringMatching(/^storage-access: EVENTSTORE_STREAM_PREFIX is "other\.", but .*\n$/),
    });
    delete environment['EVENTSTORE_STREAM_PREFIX'];
  });

  test('views rebuild makes the views anew, by a running service and without one', async () => {
    const before = (await unit()).body;
    const rebuilt = {
      status: 0,
      stdout: expect.stringMatching(/^ok: the views hold \d+ events\n$/),
      // On a slow machine it says how far it is.
      stderr: expect.stringMatching(/^(applied \d+.*\n)*$/),
    };
    expect(await command('views', 'rebuild')).toEqual(rebuilt);
    expect((await unit()).body).toEqual(before);
    expect(await service.stop()).toBe(0);
    expect(await command('views', 'rebuild')).toEqual(rebuilt);
    service = await ServiceProcess.start(folder.path, { environment });
    expect((await unit()).body).toEqual(before);
  });
});
