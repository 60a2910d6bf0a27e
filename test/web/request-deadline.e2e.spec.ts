import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpAdapterHost } from '@nestjs/core';
import { errorOf } from '#kernel/errors/api-error.js';
import { Idempotency } from '#web/pipeline/idempotency.js';
import { RateLimits } from '#web/pipeline/rate-limits.js';
import { RequestDeadlines } from '#web/pipeline/request-deadlines.js';
import { SearchEverywhere } from '#api/operator/index.js';
import { PushedUnits } from '#api/push/pushed-units.js';
import type { EventStore, StreamAppend } from '#eventsourcing/log/event-store.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import { Gate } from '../support/gate.js';
import { ManualClock } from '../support/manual-clock.js';
import type { Answer } from '../support/http-client.js';
import { type Company, demand, Service, type Stores } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

const KEY = { 'Idempotency-Key': 'k' };

/** A log that can fall silent: what is asked of it is answered when it speaks again. */
class SilentLog {
  silent = false;
  /** Calls that wait. */
  waiting = 0;
  readonly appended: string[] = [];
  #speak: () => void = () => undefined;
  #spoken: Promise<void> = Promise.resolve();

  fallSilent(): void {
    this.silent = true;
    this.#spoken = new Promise((resolve) => (this.#speak = resolve));
  }

  speak(): void {
    this.silent = false;
    this.#speak();
  }

  readonly wrap = (stores: Stores): Stores => ({
    ...stores,
    eventStore: this.#around(stores.eventStore),
    presence: { awaySince: () => this.awaySince },
  });
  awaySince: number | undefined;

  #around(store: EventStore): EventStore {
    const answered = async <T>(call: () => Promise<T>): Promise<T> => {
      this.waiting += 1;
      await this.#spoken;
      this.waiting -= 1;
      return call();
    };
    return {
      append: (appends: readonly StreamAppend[]) =>
        answered(() => {
          this.appended.push(...appends.map(({ stream }) => stream));
          return store.append(appends);
        }),
      readStream: (stream, options) => answered(() => store.readStream(stream, options)),
      readAll: (options) => store.readAll(options),
      head: () => store.head(),
      subscribe: (after, handler) => store.subscribe(after, handler),
      ping: () => store.ping(),
      close: () => store.close(),
    };
  }
}

let log: SilentLog;
let clock: ManualClock;
let service: Service;
let company: Company;

beforeAll(async () => {
  log = new SilentLog();
  clock = new ManualClock();
  service = await Service.start({ clock, wrap: log.wrap });
});
beforeEach(async () => {
  company = await service.company();
  demand(201, await company.moveIn('A'));
  log.appended.length = 0;
});
afterEach(async () => {
  jest.restoreAllMocks();
  log.awaySince = undefined;
  log.speak();
  // Work that was given up goes on behind its answer, and would be counted to the next test.
  await waitUntil(() => log.waiting === 0 && service.part(RequestDeadlines).underWay.size === 0);
});
afterAll(() => service.close());

type Ask = () => Promise<Answer>;
const balance = (balance_due: number, headers?: Record<string, string>): Ask => {
  const call = { body: { balance_due }, token: company.token, mayFail: true };
  return () => service.call('patch', '/api/v2/units/A', { ...call, ...(headers ? { headers } : {}) });
};
const history: Ask = () =>
  service.call('get', '/api/v2/units/A/history', { token: company.token, mayFail: true });

/** Asks, and waits until the request waits for the log. */
async function underWay(ask: Ask): Promise<Promise<Answer>[]> {
  const { waiting } = log;
  const answer = ask();
  await waitUntil(() => log.waiting > waiting);
  return [answer];
}

const late = { message: 'Service unavailable.', code: 'store_unavailable' };

/** Sends the half of a write. @returns sends the rest, and tells the status of the answer */
async function sendSlowly(token = company.token): Promise<() => Promise<number | undefined>> {
  const server = service.part(HttpAdapterHost).httpAdapter.getHttpServer() as Server;
  const { port } = server.address() as AddressInfo;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const seen = once(server, 'request');
  const sending = request({ port, method: 'PATCH', path: '/api/v2/units/A', headers });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  sending.write('{"balance_due":');
  await seen;
  await waitUntil(() =>
    [...service.part(RequestDeadlines).underWay].some(({ phase }) => phase === 'receiving'),
  );
  return async () => {
    sending.end('5}');
    const [answer] = await answered;
    answer.resume();
    return answer.statusCode;
  };
}

describe('a request', () => {
  it.each<[string, () => Ask]>([
    ['a write', () => balance(5)],
    ['a write with a key', () => balance(5, KEY)],
    ['a read of the log', () => history],
  ])('that is %s is answered 503 within 10 s where its store is silent', async (_case, ask) => {
    log.fallSilent();
    const [asked] = await underWay(ask());
    clock.advance(10_000);
    const answer = await asked!;
    expect([answer.status, answer.body, answer.headers['retry-after']]).toEqual([503, late, '1']);
    expect(answer.headers['x-request-id']).toMatch(/^\w{26}$/);
  });

  it('is answered within 2 s when a store has been away for 5 s', async () => {
    log.fallSilent();
    log.awaySince = clock.now() - 5_000;
    const [asked] = await underWay(balance(5));
    clock.advance(2_000);
    expect((await asked!).status).toBe(503);
  });

  it('that came before the store had been away for 5 s is answered 2 s after that', async () => {
    log.fallSilent();
    log.awaySince = clock.now();
    const [asked] = await underWay(balance(5));
    clock.advance(7_000);
    expect((await asked!).status).toBe(503);
  });

  it('that waits for another one keeps its own deadline, and appends nothing after it', async () => {
    log.fallSilent();
    const [first] = await underWay(balance(5));
    const second = balance(7)();
    await waitUntil(() => service.part(RequestDeadlines).underWay.size === 2);
    clock.advance(10_000);
    expect([(await first!).status, (await second).status]).toEqual([503, 503]);
    log.speak();
    await waitUntil(async () => (await company.unit('A')).facts.balance_due === 5);
    // The next request waits behind both.
    demand(200, await company.patch('A', { pms_status_raw: 'paid' }));
    expect((await company.unit('A')).facts.balance_due).toBe(5);
  });

  it('that claims its key after the deadline does nothing, and leaves the key free', async () => {
    const keys = service.part(Idempotency);
    const claim = keys.claim.bind(keys);
    const gate = new Gate();
    gate.close();
    jest.spyOn(keys, 'claim').mockImplementationOnce(async (...given) => {
      await gate.pass();
      return claim(...given);
    });
    const asked = balance(5, KEY)();
    await gate.reached();
    clock.advance(10_000);
    expect((await asked).status).toBe(503);
    gate.open();
    const again = await balance(5, KEY)();
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
    expect(log.appended.filter((stream) => stream.startsWith('unit-'))).toHaveLength(1);
  });

  it('that is refused after the deadline is refused again under its key, without the work', async () => {
    const writes = service.part(PushedUnits);
    const gate = new Gate();
    gate.close();
    jest.spyOn(writes, 'changeFacts').mockImplementationOnce(async () => {
      await gate.pass();
      throw errorOf('unit_not_found');
    });
    const asked = balance(5, KEY)();
    await gate.reached();
    clock.advance(10_000);
    expect((await asked).status).toBe(503);
    gate.open();
    const again = await balance(5, KEY)();
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([404, 'true']);
  });

  it('for a code by text message is answered 503 within 10 s where its counts are silent', async () => {
    const gate = new Gate();
    gate.close();
    const limits = service.part(RateLimits);
    jest.spyOn(limits, 'enforce').mockImplementationOnce(() => gate.pass());
    const call = { body: { country_code: '1', phone_number: '3125550100' }, mayFail: true };
    const asked = service.call('post', '/api/v2/auth/phone', call);
    await gate.reached();
    clock.advance(10_000);
    expect((await asked).status).toBe(503);
    gate.open();
  });

  it('for a page is answered by a page where its store is silent', async () => {
    const gate = new Gate();
    gate.close();
    jest.spyOn(service.part(SearchEverywhere), 'find').mockImplementationOnce(async () => {
      await gate.pass();
      throw errorOf('unit_not_found');
    });
    const token = await service.operatorToken();
    const asked = service.call('get', '/dashboard/find?q=x', { token, mayFail: true });
    await gate.reached();
    clock.advance(10_000);
    const answer = await asked;
    expect([answer.status, answer.headers['content-type'], answer.headers['retry-after']]).toEqual([
      503,
      'text/html; charset=utf-8',
      '1',
    ]);
    gate.open();
  });

  it('has its deadline count from the end of its body', async () => {
    const end = await sendSlowly();
    clock.advance(15_000);
    expect(await end()).toBe(200);
  });
});

describe('a request whose token is revoked while it waits is refused, and writes nothing', () => {
  let token: string;
  let revoke: () => Promise<Answer>;
  beforeEach(async () => {
    const path = `/companies/${company.id}/api-tokens`;
    const issued = demand(201, await service.operator('post', path, { name: 'leaked' }));
    token = issued.token as string;
    revoke = () => service.operator('delete', `${path}/${issued.token_id as string}`);
    log.appended.length = 0;
  });
  const write = (by: string, balance_due: number, key: string) => {
    const headers = { 'Idempotency-Key': key };
    return service.call('patch', '/api/v2/units/A', {
      body: { balance_due },
      token: by,
      headers,
      mayFail: true,
    });
  };
  /** The record is revoked before the log is told, which waits. */
  const isRefused = () =>
    waitUntil(async () => {
      const { status } = await service.call('get', '/api/v2/units/A', { token, mayFail: true });
      return status === 401;
    });

  test('for its body', async () => {
    const end = await sendSlowly(token);
    demand(200, await revoke());
    log.appended.length = 0;
    expect(await end()).toBe(401);
    expect(log.appended).toEqual([]);
  });

  test('for another write of its unit; its key stays free for others', async () => {
    const runner = service.part(CommandRunner);
    const runs = jest.spyOn(runner, 'alone');
    log.fallSilent();
    const [first] = await underWay(balance(5));
    const second = write(token, 7, 'waits');
    await waitUntil(() => runs.mock.calls.length === 2);
    runs.mockRestore();
    const revoking = revoke();
    await isRefused();
    log.speak();
    expect([(await first!).status, (await second).status, (await revoking).status]).toEqual([200, 401, 200]);
    expect((await company.unit('A')).facts.balance_due).toBe(5);
    const again = await write(company.token, 7, 'waits');
    expect([again.status, again.headers['idempotency-replayed']]).toEqual([200, undefined]);
  });

  test('for its twin, and is not told the answer', async () => {
    log.fallSilent();
    const [first] = await underWay(balance(5, KEY));
    const { pending } = clock;
    const twin = write(token, 5, KEY['Idempotency-Key']);
    await waitUntil(() => clock.pending > pending);
    const revoking = revoke();
    await isRefused();
    log.speak();
    expect([(await first!).status, (await twin).status, (await revoking).status]).toEqual([200, 401, 200]);
  });
});

describe('work that outlasts the deadline', () => {
  it('goes on after the answer, and a repeated key finds its result', async () => {
    log.fallSilent();
    const [asked] = await underWay(balance(5, KEY));
    clock.advance(10_000);
    expect((await asked!).status).toBe(503);
    log.speak();
    const second = await balance(5, KEY)();
    expect([second.status, second.headers['idempotency-replayed'], second.headers['retry-after']]).toEqual([
      200,
      'true',
      undefined,
    ]);
    expect(log.appended).toHaveLength(1);
  });

  it('is waited for by a twin for up to 30 s', async () => {
    log.fallSilent();
    const [first] = await underWay(balance(5, KEY));
    const { pending } = clock;
    const twin = balance(5, KEY)();
    await waitUntil(() => clock.pending > pending);
    clock.advance(10_000);
    expect((await first!).status).toBe(503);
    clock.advance(20_000);
    const second = await twin;
    expect([second.status, second.body.code]).toEqual([503, 'request_in_progress']);
  });
});
