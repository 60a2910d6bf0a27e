import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../src/config/clock.js';
import { openEmbeddedDatabase } from '../../src/storage/embedded-database.js';
import { ownStreams } from '../support/own-streams.js';
import { EmbeddedEventStore } from '../../src/log/embedded/embedded-event-store.js';
import type { RecordedEvent } from '../../src/log/event-store.js';
import { STORE_FOLDER, VIEWS_FOLDER } from '../../src/adapters.js';
import { compileService, type ServiceProcess, startServiceProcess } from '../support/compiled-service.js';
import { checkedStreams } from '../support/log-check.js';
import { HttpClient, type Parsed } from '../support/http-client.js';
import { freePort } from '../support/mongo-server.js';
import { temporaryFolder, type TemporaryFolder } from '../support/temporary-folder.js';
import { waitUntil } from '../support/wait-until.js';

const OPERATOR = { OPERATOR_EMAIL: 'ada@example.com', OPERATOR_PASSWORD: 'correct horse battery staple' };
const KILLS = 20;
const WRITERS = 8;

let compiled: Awaited<ReturnType<typeof compileService>>;
let data: TemporaryFolder;
const running: ServiceProcess[] = [];
const clients: HttpClient[] = [];

beforeAll(async () => {
  compiled = await compileService();
});
afterAll(() => compiled.remove());
beforeEach(async () => {
  data = await temporaryFolder();
});
afterEach(async () => {
  for (const client of clients.splice(0)) client.close();
  for (const service of running.splice(0)) {
    service.signal('SIGKILL');
    await service.ended;
  }
  await data.remove();
});

function start(environment: Record<string, string> = {}): ServiceProcess {
  const service = startServiceProcess(compiled.main, {
    PORT: '0',
    HOST: '127.0.0.1',
    DATA_DIR: data.path,
    RATE_LIMIT_PMS_WRITES: '1000000',
    RATE_LIMIT_PMS_BULK: '1000000',
    LOG_LEVEL: 'fatal',
    ...OPERATOR,
    ...environment,
  });
  running.push(service);
  return service;
}

async function connect(service: ServiceProcess): Promise<HttpClient> {
  const client = new HttpClient(await service.port());
  clients.push(client);
  return client;
}

/** A company with one location; answers its API token. */
async function setUp(client: HttpClient): Promise<string> {
  const credentials = { email: OPERATOR.OPERATOR_EMAIL, password: OPERATOR.OPERATOR_PASSWORD };
  const session = await client.call('post', '/api/operator/sessions', { body: credentials });
  const token = session.body.data.token as string;
  const post = async (path: string, body: object): Promise<Parsed> =>
    (await client.call('post', `/api/operator${path}`, { body, token })).body.data;
  const { company_id } = await post('/companies', { name: 'Park Storage' });
  await post(`/companies/${company_id}/locations`, { pms_location_code: 'MAIN', name: 'Main St' });
  return (await post(`/companies/${company_id}/api-tokens`, { name: 'PMS' })).token;
}

/** The log of a service that has ended. */
async function storedLog(): Promise<RecordedEvent[]> {
  const folder = join(data.path, STORE_FOLDER);
  const database = await openEmbeddedDatabase({ folder, durable: false, clock: systemClock });
  const store = ownStreams(new EmbeddedEventStore(database));
  const log = await store.readAll({ limit: 1_000_000 });
  await store.close();
  return log;
}

/** What a writer was told was done, and what it does not know of. */
interface Told {
  acknowledged: number;
  readonly key: string;
}

/** Counts a unit's balance up, a write at a time, until the connection ends. */
async function writeUntilCutOff(client: HttpClient, token: string, unit: string, told: Told): Promise<void> {
  const entry = { occupied: true, pms_tenant_id: 't-1', move_in_date: '2025-01-01' };
  for (;;) {
    const next = told.acknowledged + 1;
    const units = [{ crm_unit_id: unit, ...entry, balance_due: next }];
    const headers = { 'Idempotency-Key': `${told.key}-${next}` };
    try {
      const answer = await client.call('patch', '/api/v2/units', { body: { units }, token, headers });
      // Every write changes the balance, also in the answer to the retry of one that was done and not answered.
      const { created, updated } = answer.body.data;
      if (answer.status !== 200 || created + updated !== 1) throw new Refusal(answer.text);
    } catch (error) {
      if (error instanceof Refusal) throw error;
      return;
    }
    told.acknowledged = next;
  }
}

class Refusal extends Error {}

async function listed(client: HttpClient, token: string): Promise<Parsed[]> {
  return (await client.call('get', '/api/v2/units?limit=500', { token })).body.data.units;
}

describe('a process that is killed', () => {
  it(`${KILLS} times amid writes has every write that it acknowledged, and retries find what it had done`, async () => {
    let service = start();
    let client = await connect(service);
    const token = await setUp(client);
    const told = Array.from({ length: WRITERS }, (_, number): Told => ({
      acknowledged: 0,
      key: `w${number}`,
    }));
    const unit = (number: number) => `U-${number}`;
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = told.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
      const writers = told.map((one, number) => writeUntilCutOff(client, token, unit(number), one));
      const acknowledged = () => told.reduce((sum, one) => sum + one.acknowledged, 0) - before;
      // Each time a little later, so that the end falls on ever other moments of a write.
      await waitUntil(acknowledged, (count) => count >= kill);
      service.signal('SIGKILL');
      await Promise.all([service.ended, ...writers]);
      client.close();
      // Every third start has no views to begin with.
      if (kill % 3 === 0) await rm(join(data.path, VIEWS_FOLDER), { recursive: true, force: true });
      service = start();
      client = await connect(service);
      const units = await listed(client, token);
      told.forEach((one, number) => {
        const found = units.find(({ crm_unit_id }) => crm_unit_id === unit(number));
        const balance = found?.facts.balance_due ?? 0;
        expect([one.acknowledged, one.acknowledged + 1]).toContain(balance);
      });
    }
    const writes = told.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
    expect(writes).toBeGreaterThan(KILLS);
    const revisions = await Promise.all(
      told.map(async (_one, number) => {
        const path = `/api/v2/units/${unit(number)}`;
        const { revision, facts } = (await client.call('get', path, { token })).body.data;
        // Registered and moved in, then one change a write: none twice, none lost.
        return revision - 1 - facts.balance_due;
      }),
    );
    expect(revisions).toEqual(Array.from({ length: WRITERS }, () => 0));
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
    checkedStreams(await storedLog());
  });
});

describe('a process that is told to end', () => {
  it('finishes what runs and ends with status 0', async () => {
    const service = start();
    const client = await connect(service);
    const token = await setUp(client);
    const told: Told = { acknowledged: 0, key: 'w' };
    const writer = writeUntilCutOff(client, token, 'U-1', told).catch(() => undefined);
    await waitUntil(() => told.acknowledged > 5);
    service.signal('SIGTERM');
    expect(await service.ended).toBe(0);
    await writer;
    const again = await connect(start());
    const [unit] = await listed(again, token);
    expect([told.acknowledged, told.acknowledged + 1]).toContain(unit.facts.balance_due);
  });

  it('lets its operator sign in, and ends so, as soon as it answers', async () => {
    const port = await freePort();
    const service = start({ PORT: String(port) });
    const client = new HttpClient(port);
    clients.push(client);
    await waitUntil(
      () =>
        client.call('get', '/health').then(
          ({ status }) => status,
          () => 0,
        ),
      (status) => status === 200,
    );
    expect(await setUp(client)).toEqual(expect.any(String));
    await client.call('get', '/health');
    service.signal('SIGTERM');
    expect([await service.ended, service.errors]).toEqual([0, []]);
  });

  it('ends so while nothing runs, too', async () => {
    const service = start();
    await connect(service);
    service.signal('SIGTERM');
    expect([await service.ended, service.errors]).toEqual([0, []]);
  });
});

describe('a process that cannot start', () => {
  it('on a folder that another one works on says so in one line, and leaves the other alone', async () => {
    const first = start();
    const client = await connect(first);
    const second = start();
    expect([await second.ended, second.errors]).toEqual([
      1,
      [expect.stringMatching(`^The service did not start: .* in use by process ${first.pid}\\b.*$`)],
    ]);
    expect((await client.call('get', '/health')).status).toBe(200);
  });

  it.each([
    [{ PORT: 'http' }, 'PORT must be a whole number between 0 and 65535.'],
    [{ NODE_ENV: 'production' }, 'KEY_MASTER_SECRET is required with NODE_ENV=production.'],
    [{ KEY_MASTER_SECRET: 'short' }, 'KEY_MASTER_SECRET must have at least 32 characters.'],
    [{ OPERATOR_PASSWORD: '' }, 'OPERATOR_PASSWORD is required with OPERATOR_EMAIL.'],
    [
      { MONGODB_URL: 'mongodb://user:secret@127.0.0.1/?tls=perhaps' },
      'The MongoDB address cannot be used: tls/ssl must be either "true" or "false"',
    ],
    [{ V1_SUNSET: '2026-02-30' }, 'V1_SUNSET must be a valid date in the format YYYY-MM-DD.'],
  ])('with %j names the variable in one line', async (environment, line) => {
    const service = start(environment);
    expect([await service.ended, service.errors]).toEqual([1, [`The service did not start: ${line}`]]);
  });

  it('on a port that is taken says so in one line', async () => {
    const first = start();
    const port = await first.port();
    const elsewhere = await temporaryFolder();
    const second = start({ PORT: String(port), DATA_DIR: elsewhere.path });
    expect([await second.ended, second.errors]).toEqual([
      1,
      [expect.stringMatching(/^The service did not start: .*EADDRINUSE/)],
    ]);
    await elsewhere.remove();
  });

  it('without an operator in its environment prints the first one’s password, once', async () => {
    const none = { OPERATOR_EMAIL: '', OPERATOR_PASSWORD: '' };
    const first = start(none);
    await first.port();
    first.signal('SIGTERM');
    await first.ended;
    const printed = await waitUntil(() =>
      first.lines.filter((line) => line.includes('password, shown only now')),
    );
    expect(printed).toHaveLength(1);
    const second = start(none);
    await second.port();
    expect(second.lines.join('\n')).not.toContain('shown only now');
  });
});
