import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MongoClient } from 'mongodb';
import { systemClock } from '#kernel/clock.js';
import { API_TOKENS } from '#domain/companies/api-tokens.js';
import type { DocumentWrite } from '#eventsourcing/documents/document-store.js';
import { EmbeddedDocumentStore } from '#stores/embedded/documents/embedded-document-store.js';
import { openEmbeddedDatabase } from '#stores/embedded/database/embedded-database.js';
import { RECORDS_PREFIX, STORE_FOLDER } from '#app/adapters.js';
import { eventServer, type EventServer, LogReader } from '../../system/servers/event-server.js';
import { type ProcessCompany, ServiceProcess } from '../../system/servers/service-process.js';
import { startChild } from '../../support/child-process.js';
import { runHere } from '../../support/command-process.js';
import { type Answer, type Method, type Parsed } from '../../support/http-client.js';
import {
  describeWithMongo,
  type MongoServer,
  mongoServer,
  withDatabase,
} from '../../support/mongo-server.js';
import { demand } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.js';

const UNITS = 400;
const PHONE = { country_code: '1', phone_number: '3125550100' };

/** Requests whose answers must be the same before and after. */
interface Questions {
  readonly company: ProcessCompany;
  readonly tenantToken: string;
  readonly unitIds: readonly string[];
  /** An instant after everything that happened. */
  readonly at: string;
}

describeWithMongo('the command migrate, from a folder to EventStoreDB and MongoDB', () => {
  let mongo: MongoServer;
  let events: EventServer;
  let log: LogReader;
  let source: Source | undefined;
  let folder: TemporaryFolder;
  let streamPrefix: string;
  let database: string;
  let questions: Questions;
  let before: Parsed;

  beforeAll(async () => {
    mongo = await mongoServer();
  });
  afterAll(async () => {
    await source?.folder.remove();
    await mongo.stop();
  });
  beforeEach(async () => {
    events = await eventServer();
    // What one test copies to a named server, the next would find there.
    if (events.isNamed) await source?.folder.remove();
    if (events.isNamed || source === undefined) source = await makeSource(events.streamPrefix);
    ({ folder, streamPrefix, questions, before } = source);
    log = await LogReader.open({ ...events, streamPrefix });
    database = `test_${randomUUID()}`;
  });
  afterEach(async () => {
    await log.close();
    await events.close();
    const client = new MongoClient(mongo.url);
    await client.db(database).dropDatabase();
    await client.close();
  });

  const variables = () => ({
    DATA_DIR: folder.path,
    EVENTSTORE_URL: events.url,
    EVENTSTORE_STREAM_PREFIX: streamPrefix,
    MONGODB_URL: withDatabase(mongo.url, database),
  });

  const run = (environment: Record<string, string> = variables()) => runHere(['migrate'], environment);

  const startMoved = () =>
    ServiceProcess.start({
      eventStoreUrl: events.url,
      mongoUrl: withDatabase(mongo.url, database),
      environment: { EVENTSTORE_STREAM_PREFIX: streamPrefix },
    });

  async function withRecords<T>(look: (client: MongoClient) => Promise<T>): Promise<T> {
    const client = new MongoClient(mongo.url);
    try {
      return await look(client);
    } finally {
      await client.close();
    }
  }

  test('copies no store in which an API token was planted', async () => {
    const collection = API_TOKENS.name;
    const document = { _id: 'planted', token_id: 'planted', company_id: questions.company.id };
    await writeRecord({ kind: 'insert', collection, document });
    expect(await run()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('API token planted of company'),
    });
    expect(await log.events()).toEqual([]);
    await writeRecord({ kind: 'delete', collection, id: 'planted' });
  });

  /** As whoever can write to the file would. */
  async function writeRecord(write: DocumentWrite): Promise<void> {
    const store = join(folder.path, STORE_FOLDER);
    const database = await openEmbeddedDatabase({ folder: store, durable: true, clock: systemClock });
    const documents = new EmbeddedDocumentStore(database, systemClock);
    await documents.collection(API_TOKENS);
    expect(await documents.write([write])).toEqual([{ kind: 'written' }]);
    await documents.close();
  }

  test('killed in the middle and run again, it leaves a service that answers as before', async () => {
    const child = startChild(join(__dirname, 'migrate.child.ts'), JSON.stringify(variables()));
    await log.untilThereAre(UNITS / 2);
    await child.kill();
    const copiedFirst = (await log.events()).length;
    expect(copiedFirst).toBeLessThan(2 * UNITS);

    const resumed = await run();
    expect({ ...resumed, stderr: '' }).toMatchObject({ status: 0 });
    const told = /ok: (\d+) events in \d+ streams \((\d+) copied now\)/.exec(resumed.stdout)!;
    const [all, copied] = [Number(told[1]), Number(told[2])];
    expect(copied).toBeLessThanOrEqual(all - copiedFirst);
    expect(copied).toBeGreaterThan(0);
    expect(await log.events()).toHaveLength(all);
    const again = await run();
    expect(again).toMatchObject({ status: 0, stdout: expect.stringContaining('(0 copied now)') });

    const moved = await startMoved();
    expect(await answersOf(moved, questions)).toEqual(before);
    // A key used before the move is answered from the record that moved along.
    const repeated = await moved.call('patch', '/api/v2/units', keyed(questions.company));
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    expect(await log.events()).toHaveLength(all);
    await moved.kill();
  });

  test('the moved service sends nothing: no webhook, no text, no morning summary', async () => {
    const { stdout } = await run();
    expect(stdout).toContain('1 webhooks are off in the copy.');
    expect(stdout).toContain('Texts to tenants will be off in the copy.');
    expect(stdout).toContain('1 morning summaries are off in the copy.');
    const moved = await startMoved();
    const { company } = questions;
    const get = async (path: string) => demand(200, await moved.operator('get', path));
    expect((await get(`/companies/${company.id}/webhooks`)).webhooks).toMatchObject([{ enabled: false }]);
    expect((await get('/session/summaries')).summaries).toEqual([]);
    await waitUntil(async () => (await get(`/locations/${company.location_id}`)).notices.closed === false);
    await moved.kill();
  });

  test('indexes and expiry move along', async () => {
    expect((await run()).status).toBe(0);
    const indexes = await withRecords((client) =>
      client.db(database).collection(`${RECORDS_PREFIX}operators`).listIndexes().toArray(),
    );
    expect(indexes).toContainEqual(expect.objectContaining({ unique: true }));
    const expiring = await withRecords((client) =>
      client.db(database).collection(`${RECORDS_PREFIX}idempotency`).listIndexes().toArray(),
    );
    expect(expiring).toContainEqual(expect.objectContaining({ expireAfterSeconds: expect.anything() }));
  });

  test('while something works on the folder it is refused', async () => {
    const store = join(folder.path, STORE_FOLDER);
    const working = await openEmbeddedDatabase({ folder: store, durable: false, clock: systemClock });
    const refused = await run();
    await working.close();
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringContaining('is in use by process') });
    expect(await log.events()).toEqual([]);
  });

  test('a target that was worked on is told, and nothing of it is changed', async () => {
    expect((await run()).status).toBe(0);
    const moved = await startMoved();
    const { token } = questions.company;
    demand(200, await moved.call('patch', '/api/v2/units/U-1', { token, body: { balance_due: 99 } }));
    await moved.stop();
    const stored = (await log.events()).length;
    expect(await run()).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('A service has worked on it'),
    });
    expect(await log.events()).toHaveLength(stored);
  });

  test('a record that differs in the target is told', async () => {
    const other = { _id: 'another', email_key: 'ada@example.com', __open_by_email: null, __writer: 'w' };
    await withRecords((client) =>
      client.db(database).collection<{ _id: string }>(`${RECORDS_PREFIX}operators`).insertOne(other),
    );
    expect(await run()).toMatchObject({ status: 1, stderr: expect.stringMatching(/A record of operators/) });
  });

  test('it says what is missing, and leaves it at that', async () => {
    expect(await run({ DATA_DIR: folder.path })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('EVENTSTORE_URL and MONGODB_URL are not set'),
    });
    const { EVENTSTORE_URL } = variables();
    expect(await run({ EVENTSTORE_URL, DATA_DIR: folder.path })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('EVENTSTORE_URL is set and MONGODB_URL is not'),
    });
    expect(await run({ ...variables(), DATA_DIR: join(folder.path, 'nowhere') })).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no store'),
    });
  });
});

/** A folder to migrate, and what the service in it answered. */
interface Source {
  readonly folder: TemporaryFolder;
  readonly streamPrefix: string;
  readonly questions: Questions;
  readonly before: Parsed;
}

const MAIL = {
  WEBHOOK_ALLOW_PRIVATE: 'true',
  SMTP_URL: 'smtp://127.0.0.1:9',
  SMTP_FROM: 'access@example.com',
  PUBLIC_URL: 'https://access.example',
};

async function makeSource(streamPrefix: string): Promise<Source> {
  const folder = await temporaryFolder();
  const environment = { EVENTSTORE_STREAM_PREFIX: streamPrefix };
  const service = await ServiceProcess.start({
    folder: folder.path,
    environment: { ...environment, ...MAIL },
  });
  const questions = await live(service, folder.path);
  const before = await answersOf(service, questions);
  await service.stop();
  return { folder, streamPrefix, questions, before };
}

/** Fills a service with a bit of everything. */
async function live(service: ServiceProcess, folder: string): Promise<Questions> {
  const company = await service.company();
  const { token } = company;
  const units = Array.from({ length: UNITS }, (_, number) => ({
    crm_unit_id: `U-${number}`,
    occupied: true,
    move_in_date: '2025-12-01',
    pms_location_code: 'MAIN',
    ...(number === 0
      ? { tenant: { pms_tenant_id: 't-0', first_name: 'Ada', last_name: 'Park', phone: '+13125550100' } }
      : { pms_tenant_id: `t-${number % 50}` }),
  }));
  demand(200, await service.call('patch', '/api/v2/units', { token, body: { units } }));
  demand(200, await service.call('patch', '/api/v2/units', keyed(company)));
  demand(200, await service.call('delete', '/api/v2/units/U-7/tenancy', { token }));
  const { unit_id } = demand(200, await service.call('get', '/api/v2/units/U-0', { token }));
  const main = `/locations/${company.location_id}`;
  const { lock_id } = demand(201, await service.operator('post', `${main}/locks`, { name: 'Door' }));
  demand(200, await service.operator('put', `/units/${unit_id}/locks/${lock_id}`));
  const override = { override: 'lockout', reason: 'Ünpaid 🔒' };
  const denied = demand(200, await service.call('get', '/api/v2/units/U-3', { token }));
  demand(200, await service.operator('put', `/units/${denied.unit_id}/override`, override));
  const url = 'http://127.0.0.1:9/';
  demand(201, await service.operator('post', `/companies/${company.id}/webhooks`, { url }));
  demand(200, await service.operator('put', `/session/summaries/${company.id}`));
  demand(200, await service.operator('patch', main, { notices: { closed: true } }));
  const tenantToken = await logIn(service, folder);
  return { company, tenantToken, unitIds: [unit_id, denied.unit_id], at: new Date().toISOString() };
}

async function logIn(service: ServiceProcess, folder: string): Promise<string> {
  demand(200, await service.call('post', '/api/v2/auth/phone', { body: PHONE }));
  const sms = JSON.parse(readFileSync(join(folder, 'sms-outbox.ndjson'), 'utf8')) as { body: string };
  const body = { ...PHONE, otp: /\d{6}/.exec(sms.body)![0] };
  return demand(200, await service.call('post', '/api/v2/auth/verify-otp', { body })).token as string;
}

async function answersOf(service: ServiceProcess, asked: Questions): Promise<Parsed> {
  const { company, tenantToken: tenant, unitIds } = asked;
  const get = async (path: string, token = company.token): Promise<Parsed> =>
    bodyOf('get', path, await service.call('get', path, { token }));
  const access = await get('/api/v2/tenant/access', tenant);
  delete access.evaluated_at;
  const operator = async (path: string) => bodyOf('get', path, await service.operator('get', path));
  return {
    units: await service.units(company),
    unit: await get('/api/v2/units/U-0'),
    histories: [await get('/api/v2/units/U-0/history'), await get('/api/v2/units/U-3/history')],
    asOf: await get(`/api/v2/units/U-7/as-of?at=${encodeURIComponent(asked.at)}`),
    access,
    companies: await operator('/companies'),
    tokens: (await operator(`/companies/${company.id}/api-tokens`)).api_tokens?.length,
    seenByOperators: await Promise.all(unitIds.map((unit_id) => operator(`/units/${unit_id}`))),
  };
}

function bodyOf(method: Method, path: string, answer: Answer): Parsed {
  if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
  return answer.body.data;
}

function keyed({ token }: ProcessCompany) {
  const units = [
    { crm_unit_id: 'U-5', pms_tenant_id: 't-5', move_in_date: '2025-12-01', occupied: true, balance_due: 3 },
  ];
  return { token, body: { units }, headers: { 'Idempotency-Key': 'before the move' } };
}
