import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import {
  type MongoServer,
  describeWithMongo,
  mongoServer,
  withDatabase,
} from '../../support/mongo-server.js';
import { resultsAtOnce } from '../../support/barrier.js';
import type { Answer, Method } from '../../support/http-client.js';
import { demand } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { eventServer, type EventServer, LogReader } from './event-server.js';
import { dropCollections, dropDatabase } from './server-stores.js';
import { joinOperator } from '../../support/join-operator.js';
import { type ProcessCompany, ServiceProcess, type ServiceProcessOptions } from './service-process.js';

const LEASE = 1_500;
const BULKS = 5;
const UNITS = 10;
const CLIENTS = 8;
const WRITES = 30;

describeWithMongo('several processes on one EventStoreDB and one MongoDB', () => {
  let events: EventServer;
  let log: LogReader;
  let mongo: MongoServer;
  let options: ServiceProcessOptions;
  let database: string;
  let a: ServiceProcess;
  let b: ServiceProcess;
  let company: ProcessCompany;

  beforeEach(async () => {
    events = await eventServer();
    log = await LogReader.open(events);
    mongo = await mongoServer();
    database = `test_${randomUUID()}`;
    options = {
      eventStoreUrl: events.url,
      mongoUrl: withDatabase(mongo.url, database),
      lease: LEASE,
      environment: { RATE_LIMIT_PMS_BULK: String(BULKS), EVENTSTORE_STREAM_PREFIX: events.streamPrefix },
    };
    a = await ServiceProcess.start(options);
    b = await ServiceProcess.start(options);
    company = await a.company();
  });
  afterEach(async () => {
    await Promise.all([a.kill(), b.kill()]);
    await log.close();
    await events.close();
    if (!mongo.isStandIn) await dropDatabase(mongo.url, database);
    await mongo.stop();
  });

  const unitEvents = async () =>
    (await log.events()).filter(({ stream }) => stream.includes(`.unit-${company.id}.`));
  const patch = (process: ServiceProcess, unit: string, body: object, key: string) =>
    process.call('patch', `/api/v2/units/${unit}`, {
      body,
      token: company.token,
      headers: { 'Idempotency-Key': key },
      mayFail: true,
    });
  const moveInAll = async () => {
    const units = Array.from({ length: UNITS }, (_, number) => rented(`U-${number}`));
    demand(200, await a.call('patch', '/api/v2/units', { body: { units }, token: company.token }));
  };

  /** Asks one process and, where that fails, the other, under the same key until one of them answers. */
  async function acknowledged(
    unit: string,
    body: object,
    key: string,
    first: ServiceProcess,
  ): Promise<Answer> {
    const others = first === a ? [a, b] : [b, a];
    const answer = await waitUntil(
      async () => {
        for (const process of others) {
          const given = await patch(process, unit, body, key).catch(() => undefined);
          if (given !== undefined && given.status !== 503) return given;
        }
        return undefined;
      },
      (given) => given !== undefined,
    );
    return answer!;
  }

  test('one that is killed under load loses nothing, doubles nothing, and the other follows it', async () => {
    await moveInAll();
    expect([a.fences.length, b.fences.length]).toEqual([1, 0]);
    const sent = new Map<number, Answer>();
    let killed: number | undefined;
    const kill = async () => {
      await waitUntil(
        () => sent.size,
        (size) => size >= (CLIENTS * WRITES) / 3,
      );
      await a.kill();
      killed = performance.now();
    };
    const client = (index: number) => async () => {
      for (let turn = 0; turn < WRITES; turn += 1) {
        const amount = 1 + index * WRITES + turn;
        const unit = `U-${(index + turn) % UNITS}`;
        const body = { balance_due: amount, paid_through_date: '2020-01-01' };
        sent.set(amount, await acknowledged(unit, body, `key-${amount}`, (index + turn) % 2 === 0 ? a : b));
      }
    };
    const takeOver = async () => {
      await waitUntil(
        () => killed,
        (at) => at !== undefined,
      );
      await waitUntil(
        () => b.fences.length,
        (count) => count === 1,
      );
      return performance.now() - killed!;
    };
    const began = performance.now();
    const [, took] = await resultsAtOnce<unknown>([
      kill,
      takeOver,
      ...Array.from({ length: CLIENTS }, (_, index) => client(index)),
    ]);
    const lasted = performance.now() - began;

    expect([...sent.values()].map(({ status }) => status)).toEqual(
      Array.from({ length: CLIENTS * WRITES }, () => 200),
    );
    // Every amount stands in the log exactly once: acknowledged, none missing; asked again, none doubled.
    const amounts = (await unitEvents()).flatMap(({ data: { balance_due: cents } }) =>
      typeof cents === 'number' ? [cents / 100] : [],
    );
    expect([...amounts].sort((left, right) => left - right)).toEqual(
      [...sent.keys()].sort((left, right) => left - right),
    );
    expect(b.fences).toEqual([a.fences[0]! + 1]);
    expectOneKeeperAtATime([a, b]);
    await expectViewsToEqualTheLog();
    process.stdout.write(
      `Two processes, one killed: ${sent.size} writes by ${CLIENTS} clients in ${Math.round(lasted)} ms, ` +
        `followed after ${Math.round(Number(took))} ms (lease ${LEASE} ms).\n`,
    );
  });

  test('one that was asleep past its lease is followed, and its checkpoint is refused when it wakes', async () => {
    await moveInAll();
    a.signal('SIGSTOP');
    await waitUntil(
      () => b.fences,
      (fences) => fences.length === 1,
    );
    // Events that the sleeper finds when it wakes, and would save a checkpoint for.
    await acknowledged('U-1', { balance_due: 7 }, 'asleep', b);
    a.signal('SIGCONT');
    await acknowledged('U-1', { balance_due: 8 }, 'awake', b);
    await waitUntil(
      () => b.checkpoints,
      (saved) => saved.some(({ outcome }) => outcome === 'written'),
    );
    await b.stop();
    // It leads again only by a lease of its own.
    await waitUntil(
      () => a.fences,
      (fences) => fences.length === 2,
    );
    expectOneKeeperAtATime([a, b]);
    b = await ServiceProcess.start(options);
    await expectViewsToEqualTheLog();
  });

  test('what one of them revokes, the other refuses at once', async () => {
    await moveInAll();
    const read = () => b.call('get', '/api/v2/units/U-1', { token: company.token });
    expect((await read()).status).toBe(200);
    const path = `/companies/${company.id}/api-tokens/${company.token_id}`;
    expect((await a.operator('delete', path)).status).toBe(200);
    expect((await read()).status).toBe(401);
  });

  test('an operator who is removed by one writes nothing more by the other', async () => {
    const bob = { email: 'bob@example.com', password: 'bob has a password of his', role: 'manager' };
    const companies = [company.id];
    const added = demand(201, await a.operator('post', '/operators', { ...bob, companies }));
    for (let round = 1; round <= 6; round += 1) {
      const eve = { email: `eve-${round}@example.com`, password: 'eve has a password of hers' };
      const rights = { role: 'admin', companies };
      const invited = demand(201, await b.operator('post', '/operators', { email: eve.email, ...rights }));
      await joinOperator(b.port, invited.invitation, eve.password);
      const { operator_id } = invited;
      const { token } = demand(201, await a.call('post', '/api/operator/sessions', { body: eve }));
      const attack = (method: Method, path: string, body: object) => () =>
        a.call(method, `/api/operator${path}`, { token: token as string, body, mayFail: true });
      const [removal] = await resultsAtOnce<Answer>([
        () => b.operator('delete', `/operators/${operator_id}`),
        attack('post', '/operators', { ...eve, email: `door-${round}@example.com`, ...rights }),
        attack('patch', `/operators/${added.operator_id}`, { password: eve.password }),
        attack('post', `/companies/${company.id}/api-tokens`, { name: 'door' }),
      ]);
      expect(removal!.status).toBe(200);
      const logged = await log.events();
      const own = logged.findIndex(
        ({ stream, type }) => stream.endsWith(`.operator-${operator_id}`) && type === 'OperatorRemoved',
      );
      const later = logged.slice(own + 1);
      expect(own).toBeGreaterThan(0);
      expect(later.filter(({ metadata }) => actorOf(metadata) === operator_id)).toEqual([]);
    }
  });

  test('twins with one key, sent to both at once, execute once and are answered alike', async () => {
    await moveInAll();
    const before = (await unitEvents()).length;
    for (let round = 1; round <= 15; round += 1) {
      const twin = (process: ServiceProcess) => () =>
        patch(process, 'U-1', { balance_due: round }, `twin-${round}`);
      const answers = await resultsAtOnce([twin(a), twin(b)]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      expect(answers[0]!.text).toBe(answers[1]!.text);
      const replayed = answers.filter(({ headers }) => headers['idempotency-replayed'] === 'true');
      expect(replayed).toHaveLength(1);
      expect(await unitEvents()).toHaveLength(before + round);
    }
  });

  test('a quota is shared', async () => {
    const bulk = (process: ServiceProcess, number: number) =>
      process.call('patch', '/api/v2/units', {
        body: { units: [rented(`Q-${number}`)] },
        token: company.token,
      });
    const statuses = [];
    for (let number = 1; number <= BULKS + 2; number += 1) {
      const answer = await bulk(number % 2 === 0 ? a : b, number);
      statuses.push([answer.status, /r=(\d+)/.exec(answer.headers['ratelimit']!)?.[1]]);
    }
    expect(statuses).toEqual([
      ...Array.from({ length: BULKS }, (_, number) => [200, String(BULKS - 1 - number)]),
      [429, '0'],
      [429, '0'],
    ]);
  });

  test('one that joins serves only when the views hold the log', async () => {
    await moveInAll();
    const before = await a.units(company);
    await Promise.all([a.stop(), b.stop()]);
    await dropCollections(mongo.url, database, 'views_');
    [a, b] = await Promise.all([ServiceProcess.start(options), ServiceProcess.start(options)]);
    expect(await a.units(company)).toEqual(before);
    expect(await b.units(company)).toEqual(before);
    expect(a.fences.length + b.fences.length).toBe(1);
  });

  /** The survivor's answers, and those of a process that builds the views anew. */
  async function expectViewsToEqualTheLog(): Promise<void> {
    const listed = await b.units(company);
    const token = company.token;
    const logged = await unitEvents();
    for (const unit of listed) {
      const single = demand(200, await b.call('get', `/api/v2/units/${unit.crm_unit_id}`, { token }));
      delete single.access.checks;
      expect(unit).toEqual(single);
      const ofUnit = logged.filter(({ stream }) => stream.endsWith(`.${unit.crm_unit_id}`));
      expect(unit.revision).toBe(ofUnit.length - 1);
    }
    await a.kill();
    await b.stop();
    await dropCollections(mongo.url, database, 'views_');
    b = await ServiceProcess.start(options);
    expect(await b.units(company)).toEqual(listed);
  }
});

function rented(crm_unit_id: string): object {
  return {
    crm_unit_id,
    occupied: true,
    pms_tenant_id: 't-1',
    move_in_date: '2025-12-01',
    pms_location_code: 'MAIN',
  };
}

/** In the order of their versions, saved checkpoints never go back to an earlier lease. */
function expectOneKeeperAtATime(processes: readonly ServiceProcess[]): void {
  const saved = processes
    .flatMap(({ checkpoints }) => checkpoints)
    .filter(({ outcome }) => outcome === 'written')
    .sort((left, right) => left.version - right.version);
  const versions = saved.map(({ version }) => version);
  expect(versions).toEqual([...new Set(versions)]);
  const fences = saved.map(({ fence }) => fence);
  expect(fences).toEqual([...fences].sort((left, right) => left - right));
  const leased = processes.flatMap((process) => process.fences);
  expect(leased).toHaveLength(new Set(leased).size);
}

function actorOf(metadata: RecordedEvent['metadata']): string {
  return (metadata as unknown as { actor: { id: string } }).actor.id;
}
