import { Controller, Get, Post } from '@nestjs/common';
import { Agent, request, type Server } from 'node:http';
import { connect } from 'node:net';
import { Public } from '#web/authentication.js';
import { envelope } from '#web/envelope.js';
import { Idempotent, RateLimited } from '#web/route-options.js';
import { Draining, drain } from '#web/server-lifecycle.js';
import { ManualClock } from '../support/manual-clock.js';
import { waitUntil } from '../support/wait-until.js';
import { GOOD_BODY, startTestApplication, testApplications } from './support/test-application.js';

const start = testApplications();

describe('health', () => {
  it.each(['', '/api', '/api/v1', '/api/v2'])('%s/health tells that the process serves', async (prefix) => {
    const app = await start({ clock: new ManualClock() });
    const answer = await app.client.get(`${prefix}/health`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'OK',
        data: {
          status: 'ok',
          service: 'storage-access',
          version: expect.stringMatching(/^\d+\.\d+\.\d+/),
          time: '2026-01-01T00:00:00.000Z',
        },
      },
    ]);
  });

  it.each(['', '/api', '/api/v1', '/api/v2'])('%s/health/ready names every dependency', async (prefix) => {
    const ok = { name: 'records', check: () => Promise.resolve({ ok: true }) };
    const app = await start({
      checks: [ok],
      projection: () => Promise.resolve({ lag: 3, age_ms: 1_000, stalled: false }),
    });
    const answer = await app.client.get(`${prefix}/health/ready`);
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        message: 'OK',
        data: {
          status: 'ok',
          dependencies: { records: { status: 'ok' } },
          projection: { status: 'ok', lag: 3 },
        },
      },
    ]);
  });

  it('is not ready while events wait and none is projected', async () => {
    const app = await start({
      projection: () => Promise.resolve({ lag: 12, age_ms: 40_000, stalled: true }),
    });
    const answer = await app.client.get('/health/ready');
    expect([answer.status, answer.body.data.projection]).toEqual([503, { status: 'unavailable', lag: 12 }]);
  });

  it('is not ready while it is unknown how far the views are, and says so', async () => {
    const unknown = { lag: null, age_ms: null, stalled: true, detail: 'Nobody knows.' };
    const app = await start({ projection: () => Promise.resolve(unknown) });
    const answer = await app.client.get('/health/ready');
    expect([answer.status, answer.body.data.projection]).toEqual([
      503,
      { status: 'unavailable', lag: null, detail: 'Nobody knows.' },
    ]);
  });

  it.each([
    ['takes longer than 2 s', () => new Promise<never>(() => undefined), 'was not known in time.'],
    [
      'fails',
      () => Promise.reject(new Error('esdb://user:secret@host')),
      'could not be read. The log has the cause.',
    ],
  ])('is not ready while reading how far the views are %s, and says so', async (_, state, reason) => {
    const clock = new ManualClock();
    const app = await start({ clock, projection: state });
    const asking = app.client.get('/health/ready').then((answer) => answer);
    let isAnswered = false;
    void asking.finally(() => (isAnswered = true));
    await waitUntil(() => isAnswered || clock.pending >= 2);
    clock.advance(2_000);
    const answer = await asking;
    expect([
      answer.status,
      answer.body.data.projection,
      app.logged.filter(({ level }) => level === 'error'),
    ]).toEqual([
      503,
      {
        status: 'unavailable',
        lag: null,
        detail: `The lag of the views ${reason}`,
      },
      [],
    ]);
  });

  it('is not ready while a dependency fails, refuses or keeps silent', async () => {
    const clock = new ManualClock();
    const app = await start({
      clock,
      checks: [
        { name: 'event_store', check: () => Promise.reject(new Error('esdb://user:secret@host')) },
        { name: 'records', check: () => Promise.resolve({ ok: false, detail: 'read only' }) },
        { name: 'views', check: () => new Promise(() => undefined) },
      ],
    });
    const asking = app.client.get('/health/ready').then((answer) => answer);
    // Of the silent check, and of the request itself.
    await waitUntil(() => clock.pending >= 2);
    clock.advance(2_000);
    const answer = await asking;
    expect([answer.status, answer.headers['retry-after'], answer.body]).toEqual([
      503,
      '1',
      {
        message: 'Not ready.',
        code: 'not_ready',
        data: {
          status: 'unavailable',
          dependencies: {
            event_store: { status: 'unavailable' },
            records: { status: 'unavailable', detail: 'read only' },
            views: { status: 'unavailable' },
          },
          projection: { status: 'ok', lag: 0 },
        },
      },
    ]);
    await waitUntil(() => clock.pending === 0);
  });
});

describe('a service with an incompletely declared route', () => {
  @Controller('open')
  class Unguarded {
    @Get()
    read() {
      return envelope();
    }
  }

  @Public()
  @Controller('counted')
  class CountedForNobody {
    @Post()
    @RateLimited('pms-write')
    write() {
      return envelope();
    }
  }

  @Public()
  @Controller('keyed')
  class KeyedForNobody {
    @Post()
    @Idempotent()
    write() {
      return envelope();
    }
  }

  it.each([
    [Unguarded, 'Unguarded.read is neither @Authenticated nor @Public.'],
    [CountedForNobody, 'CountedForNobody.write has a rate limit, but the owner of a request is unknown.'],
    [KeyedForNobody, 'KeyedForNobody.write is idempotent, but the owner of a key is unknown.'],
  ])('does not start', async (controller, message) => {
    await expect(startTestApplication({ controllers: [controller] })).rejects.toThrow(message);
  });
});

describe('stopping the service', () => {
  it('lets running requests finish, takes no new connection and closes idle ones', async () => {
    const app = await startTestApplication();
    let release: () => void = () => undefined;
    app.work.gate = new Promise((resolve) => (release = resolve));
    const agent = new Agent({ keepAlive: true });
    const running = send(app.port, agent);
    await waitUntil(() => app.work.runs.length > 0);
    const { setTimeout: wait } = globalThis;
    // The grace for what has been sent and not been read: nothing has.
    const graces = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementationOnce((task: () => void) => wait(task, 0));
    const drained = drain(app.application);
    expect(graces.mock.calls[0]).toEqual([expect.any(Function), 1_000]);
    graces.mockRestore();
    await expect(send(app.port, new Agent())).rejects.toThrow('ECONNREFUSED');
    release();
    expect(await running).toBe(201);
    // Resolves only once no connection is left, the one that the client would keep included.
    await drained;
    agent.destroy();
  });

  it('answers 503 to a new request on an open connection', async () => {
    const app = await startTestApplication();
    app.application.get(Draining).reason = 'shutting_down';
    const answer = await app.client.get('/health');
    expect([answer.status, answer.headers['connection'], answer.body]).toEqual([
      503,
      'close',
      { code: 'shutting_down', message: 'Service unavailable.' },
    ]);
    await app.close();
  });

  it('limits how long a client may take', async () => {
    const app = await start();
    const server = app.application.getHttpServer() as Server;
    expect([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout]).toEqual([
      10_000, 30_000, 65_000,
    ]);
  });

  it.each([
    [
      'no HTTP at all',
      'NONSENSE\r\n\r\n',
      '400 Bad Request',
      'Invalid request structure.',
      'invalid_request',
    ],
    [
      'headers without end',
      `GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`,
      '431 Request Header Fields Too Large',
      'Request header fields too large.',
      'headers_too_large',
    ],
  ])('answers %s like any other fault', async (_what, text, status, message, code) => {
    const app = await start();
    const answer = await sendBytes(app.port, text);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status}\\r\\nX-Request-Id: [0-9A-Z]{26}\\r\\n`));
    expect(answer.slice(answer.indexOf('{'))).toBe(JSON.stringify({ message, code }));
  });
});

/** Sends bytes and collects everything that comes back until the server closes. */
function sendBytes(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let received = '';
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    socket.on('data', (chunk) => (received += chunk.toString()));
    socket.on('close', () => resolve(received));
    socket.on('error', () => undefined);
  });
}

function send(port: number, agent: Agent): Promise<number | undefined> {
  const body = JSON.stringify(GOOD_BODY);
  return new Promise((resolve, reject) => {
    const call = request(
      {
        port,
        agent,
        method: 'PUT',
        path: '/api/v2/things/u1',
        headers: {
          Authorization: 'Bearer token-a',
          'Content-Type': 'application/json',
          'Content-Length': Buffer.byteLength(body),
        },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode));
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
