import type { Server } from 'node:http';
import { demand } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';
import { World } from '../isolation/support/world.js';
import { opened, parseAnswer, RawClient } from './raw-client.js';
import { faultsOf } from './verdict.js';

let world: World;
let client: RawClient;

beforeAll(async () => {
  world = await (await World.open()).settle();
  client = new RawClient(world.app.port);
});
beforeEach(() => world.writes.take());
afterAll(async () => {
  client.close();
  await world.close();
  expect(world.app.failures).toEqual([]);
});

const unit = () => `/api/v2/units/${world.home.ada.crm_unit_id}`;
const authorized = () => `Host: localhost\r\nAuthorization: Bearer ${world.home.token}\r\n`;
const patch = (rest: string) =>
  `PATCH ${unit()} HTTP/1.1\r\n${authorized()}Content-Type: application/json\r\n${rest}`;
const BODY = '{"balance_due":99}';

const server = () => world.app.application.getHttpServer() as Server;
function connections(): Promise<number> {
  return new Promise((resolve, reject) =>
    server().getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}

/** Sends bytes and then nothing more. */
async function half(bytes: string, end: 'end' | 'reset' | 'wait') {
  const socket = await opened(world.app.port);
  socket.on('error', () => undefined);
  socket.resume();
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  if (end === 'end') socket.end();
  if (end === 'reset') socket.resetAndDestroy();
  return socket;
}

describe('bytes that are no request', () => {
  const HEAD = 'GET /health HTTP/1.1\r\nHost: localhost\r\n';
  it.each<[string, () => string, readonly number[]]>([
    ['garbage', () => 'garbage\r\n\r\n', [400]],
    ['a TLS greeting', () => '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n', [400]],
    ['the preface of HTTP/2', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
    ['HTTP/0.9', () => 'GET /health\r\n\r\n', [200, 400]],
    ['a version to come', () => 'GET /health HTTP/9.9\r\nHost: localhost\r\n\r\n', [400]],
    ['a method nobody knows', () => 'STEAL /health HTTP/1.1\r\nHost: localhost\r\n\r\n', [400]],
    ['a request without a host', () => 'GET /health HTTP/1.1\r\n\r\n', [400]],
    ['two hosts', () => `${HEAD}Host: evil.example\r\n\r\n`, [200, 400]],
    ['a header without a colon', () => `${HEAD}nonsense\r\n\r\n`, [400]],
    ['a space before the colon', () => `${HEAD}Content-Length : 0\r\n\r\n`, [400]],
    ['a folded header', () => `${HEAD}X-A: 1\r\n 2\r\n\r\n`, [200, 400]],
    ['a NUL in a header', () => `${HEAD}X-A: \u0000\r\n\r\n`, [400]],
    ['a bare carriage return', () => `${HEAD}X-A: 1\rX-B: 2\r\n\r\n`, [400]],
    ['20 kB of headers', () => `${HEAD}X-A: ${'a'.repeat(20_000)}\r\n\r\n`, [431]],
    ['a path of 20 kB', () => `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`, [431]],
    ['two lengths', () => patch(`Content-Length: 18\r\nContent-Length: 0\r\n\r\n${BODY}`), [400]],
    [
      'a length and chunks',
      () => patch(`Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`),
      [400],
    ],
    ['a negative length', () => patch('Content-Length: -1\r\n\r\n'), [400]],
    ['a length that is no number', () => patch('Content-Length: 0x12\r\n\r\n'), [400]],
    ['a length beyond counting', () => patch(`Content-Length: ${'9'.repeat(30)}\r\n\r\n`), [400]],
    ['a length of a terabyte', () => patch('Content-Length: 1099511627776\r\n\r\n'), [413]],
    ['chunks of no size', () => patch('Transfer-Encoding: chunked\r\n\r\nzz\r\n'), [400]],
    [
      'a chunk beyond counting',
      () => patch(`Transfer-Encoding: chunked\r\n\r\n${'f'.repeat(17)}\r\n`),
      [400],
    ],
    ['chunks after another coding', () => patch('Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'), [400]],
    [
      'chunks past the limit',
      () => patch(`Transfer-Encoding: chunked\r\n\r\n${chunk(2_200_000)}0\r\n\r\n`),
      [413],
    ],
    ['an expectation nobody meets', () => `${HEAD}Expect: the-impossible\r\n\r\n`, [417]],
    ['an upgrade', () => `${HEAD}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`, [200]],
    [
      'another proxy’s request',
      () => 'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
      [0, 400, 404, 405],
    ],
  ])('%s', async (what, bytes, statuses) => {
    const fresh = new RawClient(world.app.port);
    const answer = await fresh.exchange(bytes());
    fresh.close();
    expect(statuses).toContain(answer.status);
    const request = { route: what, what, method: 'GET', target: '', headers: [] };
    const writes = world.writes.take();
    const faults = answer.status === 0 ? [] : faultsOf(request, answer, writes);
    expect({ faults, writes }).toEqual({ faults: [], writes: [] });
  });

  function chunk(size: number): string {
    return `${size.toString(16)}\r\n${'x'.repeat(size)}\r\n`;
  }
});

describe('a client that does not finish', () => {
  it.each<[string, () => string, 'end' | 'reset']>([
    ['ends within the headers', () => `PATCH ${unit()} HTTP/1.1\r\nHost: loc`, 'end'],
    ['ends within the body', () => patch(`Content-Length: 18\r\n\r\n${BODY.slice(0, 9)}`), 'end'],
    ['resets within the body', () => patch(`Content-Length: 18\r\n\r\n${BODY.slice(0, 9)}`), 'reset'],
    ['ends within a chunk', () => patch(`Transfer-Encoding: chunked\r\n\r\n12\r\n{"bal`), 'end'],
    ['ends with a whole object but too few bytes', () => patch(`Content-Length: 40\r\n\r\n${BODY}`), 'end'],
  ])('and %s leaves nothing behind', async (_name, bytes, end) => {
    const before = await connections();
    await half(bytes(), end);
    await waitUntil(connections, (count) => count <= before);
    expect(world.writes.take()).toEqual([]);
  });

  it('holds up nobody else, 200 times over', async () => {
    const waiting = await Promise.all(
      Array.from({ length: 200 }, (_, index) =>
        half(
          index % 2 === 0 ? 'GET /health HTTP/1.1\r\nHost: l' : patch('Content-Length: 18\r\n\r\n{"bal'),
          'wait',
        ),
      ),
    );
    for (let count = 0; count < 20; count++) {
      demand(200, await world.call('get', unit(), { token: world.home.token }));
    }
    for (const socket of waiting) socket.destroy();
    await waitUntil(connections, (count) => count < 10);
    expect(world.writes.take()).toEqual([]);
  });

  it('is cut off in the end', () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server();
    expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([10_000, 30_000, 65_000]);
  });
});

describe('requests one behind the other', () => {
  it('are all answered, sixteen in one piece', async () => {
    const socket = await opened(world.app.port);
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(16));
    const answered = () => text.match(/HTTP\/1\.1 200 OK/g)?.length ?? 0;
    expect(await waitUntil(answered, (count) => count === 16)).toBe(16);
    socket.destroy();
  });

  it('are answered up to the one that is garbage', async () => {
    const socket = await opened(world.app.port);
    const chunks: Buffer[] = [];
    socket.on('data', (bytes) => chunks.push(bytes));
    const ended = new Promise((resolve) => socket.on('close', resolve));
    socket.write(
      'GET /health HTTP/1.1\r\nHost: localhost\r\n\r\nGARBAGE\r\n\r\nGET /health HTTP/1.1\r\n\r\n',
    );
    await ended;
    const text = Buffer.concat(chunks).toString('latin1');
    const last = parseAnswer(Buffer.from(text.slice(text.lastIndexOf('HTTP/1.1 '))), false);
    expect(last).toMatchObject({
      status: 400,
      body: '{"message":"Invalid request structure.","code":"invalid_request"}',
    });
  });

  it('are not mistaken for a body that was refused', async () => {
    const smuggled = `DELETE ${unit()}/tenancy HTTP/1.1\r\n${authorized()}\r\n`;
    const carrier = `POST /api/v2/units HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`;
    const { status } = await client.exchange(carrier);
    const after = await client.exchange(`GET ${unit()} HTTP/1.1\r\n${authorized()}\r\n`);
    expect([status, JSON.parse(after.body).data.facts.occupied]).toEqual([405, true]);
    expect(world.writes.take()).toEqual([]);
  });

  it('may come in the smallest of chunks', async () => {
    const chunks = [...BODY].map((character) => `1\r\n${character}\r\n`).join('');
    const answer = await client.exchange(
      patch(`Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\nX-Trailer: 1\r\n\r\n`),
    );
    expect(answer.status).toBe(200);
  });

  it('may wait to be told to go on', async () => {
    const answer = await client.exchange(patch(`Expect: 100-continue\r\nContent-Length: 18\r\n\r\n${BODY}`));
    expect(answer.status).toBe(200);
  });
});
