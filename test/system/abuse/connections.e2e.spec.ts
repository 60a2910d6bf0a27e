import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { boundConnections, boundUnread, countUnanswered } from '#web/connection-bounds.js';
import { RequestDeadlines } from '#web/pipeline/request-deadlines.js';
import { configureServer } from '#web/server-lifecycle.js';
import { OpenApi } from '#web/openapi/openapi.js';
import { RawClient } from '../hostile/raw-client.js';
import { type Company, Service } from '../../support/service.js';
import { waitUntil } from '../../support/wait-until.js';

describe('connections', () => {
  let server: Server;
  const sockets: Socket[] = [];
  async function listening(limits: Parameters<typeof boundConnections>[1]): Promise<void> {
    server = createServer((_request, response) => response.end());
    boundConnections(server, limits);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }
  /** A connection that sends nothing; whether it is kept. */
  async function open(): Promise<Socket> {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    return socket;
  }
  const held = () =>
    new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
    server.close();
  });

  it('of one address are so many, and one that ends leaves its place', async () => {
    await listening({ most: 100, perAddress: 3, proxies: [] });
    const [first] = [await open(), await open(), await open()];
    const refused = await open();
    await once(refused, 'close');
    expect(await held()).toBe(3);
    first.destroy();
    await waitUntil(held, (count) => count === 2);
    await open();
    await waitUntil(held, (count) => count === 3);
  });

  it('whose requests come slowly are looked at every second, not every half minute', async () => {
    server = createServer((_request, response) => response.end());
    configureServer(server, () => 'r-1');
    // An option of Node's that is a property: it is looked at when the server begins to listen.
    const intervals = server as Server & { connectionsCheckingInterval: number };
    expect([server.requestTimeout, intervals.connectionsCheckingInterval]).toEqual([30_000, 1_000]);
    [server.requestTimeout, server.headersTimeout, intervals.connectionsCheckingInterval] = [50, 50, 10];
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const slow = await open();
    slow.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Le');
    const [answer] = (await once(slow, 'data')) as [Buffer];
    expect(answer.toString()).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  }, 20_000);

  describe('that do not read', () => {
    const REQUEST = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
    async function serving(handle: RequestListener): Promise<void> {
      server = createServer((request, response) => {
        if (countUnanswered(request, response)) handle(request, response);
      });
      boundUnread(server);
      server.timeout = 50;
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
    }

    it('are ended, however few requests they sent', async () => {
      // More than the buffers of both sides hold.
      const answer = Buffer.alloc(64 * 1024 * 1024);
      await serving((_request, response) => response.end(answer));
      const silent = await open();
      silent.pause();
      silent.write(REQUEST);
      expect(await waitUntil(held, (count) => count === 0)).toBe(0);
    });

    it('are kept while they wait for their answer', async () => {
      let handled!: () => void;
      await serving((_request, response) => {
        handled = () => response.end('late');
      });
      const waiting = await open();
      waiting.write(REQUEST);
      await once(server, 'timeout');
      handled();
      const [answer] = (await once(waiting, 'data')) as [Buffer];
      expect(answer.toString()).toMatch(/late$/);
    });
  });

  it('of a proxy are as many as of everybody', async () => {
    await listening({ most: 5, perAddress: 1, proxies: ['127.0.0.0/8'] });
    for (let count = 0; count < 5; count += 1) await open();
    const refused = await open();
    await once(refused, 'close');
    expect(await held()).toBe(5);
  });
});

describe('requests that do not wait for their answers', () => {
  let service: Service;
  beforeAll(async () => {
    service = await Service.start();
  });
  afterAll(() => service.close());

  const request = 'GET /api/v2/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n';
  async function send(count: number): Promise<Socket> {
    const socket = connect(service.port, '127.0.0.1');
    socket.on('error', () => undefined);
    await once(socket, 'connect');
    socket.pause();
    socket.write(request.repeat(count));
    return socket;
  }

  it('are answered up to 16, in order', async () => {
    const socket = await send(16);
    let received = '';
    socket.setEncoding('utf8').on('data', (text: string) => (received += text));
    socket.resume();
    const answered = () => received.split('HTTP/1.1 200 OK').length - 1;
    expect(await waitUntil(answered, (count) => count === 16)).toBe(16);
    socket.destroy();
  });

  it('are over with their connection, also those behind the first', async () => {
    const { underWay } = service.part(RequestDeadlines);
    await waitUntil(() => underWay.size === 0);
    await once((await send(17)).resume(), 'close');
    // Left open, each would be logged as late after 10 s.
    expect(
      await waitUntil(
        () => underWay.size,
        (size) => size === 0,
      ),
    ).toBe(0);
  });

  it('cannot fill the memory: 1,200 in 55 kB on each of four connections that read nothing', async () => {
    const handled = jest.spyOn(service.part(OpenApi), 'served');
    const before = process.memoryUsage.rss();
    const attackers = await Promise.all([1, 2, 3, 4].map(() => send(1_200)));
    await Promise.all(
      attackers.map(async (socket) => {
        const closed = once(socket, 'close');
        // Bytes before the end are read, so that the end is seen.
        socket.resume();
        await closed;
      }),
    );
    expect(handled.mock.calls.length).toBeLessThanOrEqual(4 * 16);
    expect(process.memoryUsage.rss() - before).toBeLessThan(200_000_000);
    expect((await service.call('get', '/health')).status).toBe(200);
    handled.mockRestore();
  });
});

describe('a request', () => {
  let service: Service;
  let company: Company;
  let client: RawClient;
  beforeAll(async () => {
    service = await Service.start();
    company = await service.company();
    client = new RawClient(service.port);
  });
  afterAll(async () => {
    client.close();
    await service.close();
  });

  it('without a credential is answered before a byte of its body has come', async () => {
    const request = 'PATCH /api/v2/units HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';
    for (const length of ['Content-Length: 2000000', 'Transfer-Encoding: chunked']) {
      const sender = new RawClient(service.port);
      expect((await sender.exchange(`${request}${length}\r\n\r\n`)).status).toBe(401);
      sender.close();
    }
  });

  it('with more than a hundred headers is refused, and none of them is left out in silence', async () => {
    const ask = (count: number) => {
      const headers = Array.from({ length: count }, (_, n) => `x-${n}: 1\r\n`).join('');
      return client.exchange(
        `GET /api/v2/units HTTP/1.1\r\nHost: localhost\r\n${headers}Authorization: Bearer ${company.token}\r\n\r\n`,
      );
    };
    expect((await ask(98)).status).toBe(200);
    const refused = await ask(99);
    expect([refused.status, JSON.parse(refused.body)]).toEqual([
      431,
      { message: 'Request header fields too large.', code: 'headers_too_large' },
    ]);
    expect((await ask(2_500)).status).toBe(431);
  });
});
