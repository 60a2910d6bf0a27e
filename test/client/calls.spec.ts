import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { connect, ServiceError } from 'storage-access-client';
import { connectionLost, refusal, ScriptedService, success } from './support/scripted-service.js';

const PATCH = ['PATCH', '/api/v2/units/{crm_unit_id}'] as const;
const UNIT = { path: { crm_unit_id: 'A 1/2' }, body: { balance_due: 4 } };

async function failureOf(call: Promise<unknown>): Promise<ServiceError> {
  const failure: unknown = await call.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure instanceof ServiceError) return failure;
  throw new Error(`No ServiceError: ${inspect(failure)}`);
}

describe('a call', () => {
  it('fills in path, query and body, and takes data and message out of the answer', async () => {
    const service = new ScriptedService(success({ unit_id: 'U' }, { 'X-Request-Id': 'r' }));
    const answer = await service.client().call(...PATCH, { ...UNIT, query: { dry_run: true } });
    expect(service.requests[0]).toMatchObject({
      line: 'PATCH /api/v2/units/A%201%2F2?dry_run=true',
      body: { balance_due: 4 },
    });
    expect(service.requests[0]!.headers.get('authorization')).toBe('Bearer secret-token');
    expect([answer.status, answer.message, answer.data.unit_id]).toEqual([200, 'Request successful.', 'U']);
    expect(answer.headers.get('x-request-id')).toBe('r');
  });

  it('tells what kinds of value a change of a history may have', async () => {
    const changes = { balance_due: { from: 0, to: 189 }, shared_with: { from: [], to: ['T'] } };
    const service = new ScriptedService(success({ entries: [{ changes }], next_cursor: null }));
    const path = '/api/v2/units/{crm_unit_id}/history';
    const { data } = await service.client().call('GET', path, { path: UNIT.path });
    const told = Object.values(data.entries[0]!.changes);
    const values: (string | number | boolean | null | string[])[] = told.flatMap(({ from, to }) => [
      from,
      to,
    ]);
    expect(values).toHaveLength(4);
  });

  it('is checked against the description when it is compiled', () => {
    const client = new ScriptedService().client();
    const wrong = (): Promise<unknown>[] => [
      // @ts-expect-error the unit is missing
      client.call(...PATCH, { body: {} }),
      // @ts-expect-error no such field
      client.call(...PATCH, { ...UNIT, body: { balance: 4 } }),
      // @ts-expect-error no such route
      client.call('POST', '/api/v2/units/{crm_unit_id}', UNIT),
      // @ts-expect-error not among the states
      client.call('GET', '/api/v2/units', { query: { state: 'open' } }),
    ];
    expect(wrong).toBeInstanceOf(Function);
  });

  it('has a key where the write takes one, a fresh one for each', async () => {
    const service = new ScriptedService(success({}), success({}), success({}), success({}));
    const client = service.client();
    await client.call(...PATCH, UNIT);
    await client.call(...PATCH, UNIT);
    await client.call(...PATCH, { ...UNIT, idempotency_key: 'mine' });
    await client.call('POST', '/api/operator/sessions', {
      body: { email: 'ada@example.com', password: 'a secret' },
    });
    expect(service.requests.map(({ key }) => key)).toEqual(['key-1', 'key-2', 'mine', null]);
  });

  it('without a token sends none', async () => {
    const service = new ScriptedService(success({}));
    await service.client({ token: undefined }).call('GET', '/api/v2/health');
    expect(service.requests[0]!.headers.has('authorization')).toBe(false);
  });
});

describe('an answer that sends elsewhere', () => {
  it.each([301, 302, 303, 307, 308])(
    'is not followed: %i would take the body to another server',
    async (status) => {
      const seen: string[] = [];
      const server = createServer((request, response) => {
        seen.push(`${request.method} ${request.url}`);
        if (request.url === '/elsewhere') {
          response.setHeader('Content-Type', 'application/json');
          response.end('{ "message": "Done.", "data": { "unit_id": "U" } }');
        } else response.writeHead(status, { Location: '/elsewhere' }).end();
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      try {
        const { port } = server.address() as AddressInfo;
        const client = connect({ baseUrl: `http://127.0.0.1:${port}`, token: 'secret-token' });
        const failure = await failureOf(client.call(...PATCH, UNIT));
        expect(failure).toMatchObject({ code: 'not_the_service', status });
        expect(seen).toEqual(['PATCH /api/v2/units/A%201%2F2']);
      } finally {
        server.closeAllConnections();
        await new Promise((resolve) => server.close(resolve));
      }
    },
  );
});

describe('a request that failed', () => {
  it('is sent again when Retry-After says, under the key that it had', async () => {
    const busy = refusal(429, 'rate_limited', { headers: { 'Retry-After': '7' } });
    const service = new ScriptedService(busy, refusal(503, 'starting'), connectionLost(), success({}));
    await service.client().call(...PATCH, UNIT);
    expect(service.pauses).toEqual([7_000, 500, 1_000]);
    expect(service.requests.map(({ key, body }) => [key, body])).toEqual(
      Array(4).fill(['key-1', { balance_due: 4 }]),
    );
  });

  it('is sent again where its answer breaks off', async () => {
    const broken = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode('{"mess'));
        controller.error(new Error('terminated'));
      },
    });
    const service = new ScriptedService(new Response(broken), success({ unit_id: 'U' }));
    expect((await service.client().call(...PATCH, UNIT)).data.unit_id).toBe('U');
    expect(service.requests).toHaveLength(2);
  });

  it('is not sent again where it might be done twice', async () => {
    const signIn = [
      'POST',
      '/api/operator/sessions',
      { body: { email: 'ada@example.com', password: 'a secret' } },
    ] as const;
    const service = new ScriptedService(connectionLost(), refusal(503, 'store_unavailable'));
    const client = service.client();
    expect((await failureOf(client.call(...signIn))).code).toBe('no_answer');
    expect((await failureOf(client.call(...signIn))).code).toBe('store_unavailable');
    expect(service.pauses).toEqual([]);
    // A request that was refused for too many was not done. A caller may know better.
    service.then(refusal(429, 'rate_limited'), success({}), connectionLost(), success({}));
    await client.call(...signIn);
    await client.call('POST', '/api/operator/sessions', {
      body: { email: 'ada@example.com', password: 'a secret' },
      repeatable: true,
    });
    expect(service.requests).toHaveLength(6);
  });

  it.each([400, 401, 403, 404, 409, 422, 500, 501])('with %i is not sent again', async (status) => {
    const service = new ScriptedService(refusal(status, 'not_found'));
    expect((await failureOf(service.client().call(...PATCH, UNIT))).status).toBe(status);
    expect(service.requests).toHaveLength(1);
  });

  it('is given up after some attempts, and where the pause would be too long', async () => {
    const service = new ScriptedService(...Array.from({ length: 5 }, () => refusal(503, 'starting')));
    expect((await failureOf(service.client().call(...PATCH, UNIT))).code).toBe('starting');
    expect(service.pauses).toEqual([250, 500, 1000, 2000]);
    const closed = new ScriptedService(refusal(429, 'rate_limited', { headers: { 'Retry-After': '3600' } }));
    expect((await failureOf(closed.client().call(...PATCH, UNIT))).status).toBe(429);
    expect(closed.pauses).toEqual([]);
  });

  it('is given up at once where the caller gives up', async () => {
    const controller = new AbortController();
    const service = new ScriptedService(refusal(503, 'starting'));
    service.beforePause = () => controller.abort(new Error('enough'));
    const call = service.client().call(...PATCH, { ...UNIT, signal: controller.signal });
    await expect(call).rejects.toThrow('enough');
    expect(service.requests).toHaveLength(1);
  });

  it('has a bounded time for each attempt', async () => {
    const service = new ScriptedService(connectionLost(), success({}));
    await service.client({ timeout: 1234 }).call(...PATCH, UNIT);
    expect(service.timeouts).toEqual([1234, 1234]);
  });
});

describe('an error', () => {
  it('has status, code, message, messages by path, the request’s id, and how long to wait', async () => {
    const errors = { balance_due: ['The balance due field must be a number.'] };
    const headers = { 'X-Request-Id': 'req-1', 'Retry-After': '3600' };
    const service = new ScriptedService(refusal(422, 'validation_failed', { errors, headers }));
    const {
      status,
      code,
      message,
      errors: told,
      request_id,
      retry_after,
    } = await failureOf(service.client().call(...PATCH, UNIT));
    expect({ status, code, message, errors: told, request_id, retry_after }).toEqual({
      status: 422,
      code: 'validation_failed',
      message: 'It was validation_failed.',
      errors,
      request_id: 'req-1',
      retry_after: 3600,
    });
  });

  it.each([
    ['a page of a proxy', new Response('<html>secret</html>', { status: 502 }), 502],
    ['a page of another program', new Response('<html>secret</html>', { status: 200 }), null],
    ['an error of another program', Response.json({ error: 'secret' }, { status: 404 }), 404],
  ])('tells %s from the service', async (_name, response, status) => {
    const service = new ScriptedService(response);
    const failure = await failureOf(service.client({ retries: { attempts: 1 } }).call(...PATCH, UNIT));
    expect([failure.code, failure.status]).toEqual(['not_the_service', status]);
    expect(inspect(failure)).not.toContain('<html>');
  });

  it('never holds the token, and neither does the client', async () => {
    const service = new ScriptedService(connectionLost(), refusal(401, 'unauthorized'));
    const client = service.client({ retries: { attempts: 1 } });
    const failures = [
      await failureOf(client.call(...PATCH, UNIT)),
      await failureOf(client.call(...PATCH, UNIT)),
    ];
    expect(failures[0]!.message).toBe('The service did not answer (ECONNRESET).');
    expect(inspect([client, failures], { depth: 20, showHidden: true })).not.toContain('secret-token');
  });

  it.each(['secret-token\n', 'secret token', 'sécret', ''])(
    'does not show the token %j, which no header takes',
    (token) => {
      let told = '';
      try {
        connect({ baseUrl: 'http://service.test', token });
      } catch (error) {
        told = inspect(error);
      }
      expect(told).toContain('token must have visible characters');
      expect(told).not.toContain('secret');
    },
  );

  it.each(['localhost:3000', 'service.test', 'ftp://service.test', 'http://me:secret@service.test', ''])(
    'tells of the address %j when connecting',
    (baseUrl) => {
      expect(() => connect({ baseUrl })).toThrow(/^baseUrl must be/);
    },
  );

  it('tells who gives nothing what to give', () => {
    const untyped = connect as (options?: unknown) => unknown;
    expect(() => untyped()).toThrow(/^Options are missing: connect\({ baseUrl: /);
    expect(() => untyped({})).toThrow(/^baseUrl must be/);
    expect(() => untyped('http://service.test')).toThrow(/^baseUrl must be/);
  });
});
