import { randomUUID } from 'node:crypto';
import { answering, Receiver } from '../../domain/webhooks/support/receiver.js';
import {
  describeWithMongo,
  mongoServer,
  type MongoServer,
  withDatabase,
} from '../../support/mongo-server.js';
import { demand } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { eventServer, type EventServer } from './event-server.js';
import { dropDatabase } from './server-stores.js';
import { type ProcessCompany, ServiceProcess } from './service-process.js';

/** Milliseconds until the others take over from a leader that is silent. */
const LEASE = 1_500;
const UNITS = 12;

describeWithMongo('webhooks of two processes on one EventStoreDB and one MongoDB', () => {
  let events: EventServer;
  let mongo: MongoServer;
  let database: string;
  let receiver: Receiver;
  let a: ServiceProcess;
  let b: ServiceProcess;
  let company: ProcessCompany;

  beforeEach(async () => {
    events = await eventServer();
    mongo = await mongoServer();
    database = `test_${randomUUID()}`;
    receiver = await Receiver.start();
    const options = {
      eventStoreUrl: events.url,
      mongoUrl: withDatabase(mongo.url, database),
      lease: LEASE,
      environment: { WEBHOOK_ALLOW_PRIVATE: 'true', EVENTSTORE_STREAM_PREFIX: events.streamPrefix },
    };
    a = await ServiceProcess.start(options);
    b = await ServiceProcess.start(options);
    company = await a.company();
    const webhook = { url: receiver.url, types: ['TenantMovedIn'] };
    demand(201, await b.operator('post', `/companies/${company.id}/webhooks`, webhook));
  });
  afterEach(async () => {
    await Promise.all([a.kill(), b.kill()]);
    await receiver.close();
    await events.close();
    if (!mongo.isStandIn) await dropDatabase(mongo.url, database);
    await mongo.stop();
  });

  async function moveIn(process: ServiceProcess, unit: string): Promise<void> {
    const body = { pms_tenant_id: unit, move_in_date: '2026-01-01', pms_location_code: 'MAIN' };
    const path = `/api/v2/units/${unit}/tenancy`;
    demand(201, await process.call('put', path, { token: company.token, body }));
  }
  const units = () => receiver.received.map(({ body }) => body.data.subject.crm_unit_id as string);
  const ids = () => receiver.received.map(({ headers }) => headers['webhook-id'] as string);

  test('are sent once, whichever process took the write', async () => {
    for (let count = 0; count < UNITS; count += 1) await moveIn(count % 2 === 0 ? a : b, `U-${count}`);
    await waitUntil(
      () => new Set(units()).size,
      (size) => size === UNITS,
    );
    // The next message comes last. What would come twice has come by then.
    await moveIn(b, 'last');
    await waitUntil(() => units().includes('last'));
    expect(receiver.received).toHaveLength(UNITS + 1);
  });

  test('are sent by the other process once the leader is killed, each under its one id', async () => {
    receiver.reply = () => undefined;
    for (let count = 0; count < UNITS; count += 1) await moveIn(b, `U-${count}`);
    await waitUntil(() => receiver.received.length > 0);
    receiver.reply = answering(204);
    const leader = a.fences.length > 0 ? a : b;
    await leader.kill();
    await waitUntil(
      () => new Set(units()).size,
      (size) => size === UNITS,
    );
    const contents = new Set(
      receiver.received.map(({ headers, text }) => `${String(headers['webhook-id'])} ${text}`),
    );
    expect(contents.size).toBe(new Set(ids()).size);
    expect(new Set(ids()).size).toBe(UNITS);
  });
});
