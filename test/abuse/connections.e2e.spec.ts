import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { once } from 'node:events';
import { boundConnections } from '../../src/http/connection-limits.js';
import { configureServer } from '../../src/http/index.js';
import { RawClient } from '../hostile/raw-client.js';
import { type Company, Service } from '../support/service.js';
import { waitUntil } from '../support/wait-until.js';

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

  it('of a proxy are as many as of everybody', async () => {
    await listening({ most: 5, perAddress: 1, proxies: ['127.0.0.0/8'] });
    for (let count = 0; count < 5; count += 1) await open();
    const refused = await open();
    await once(refused, 'close');
    expect(await held()).toBe(5);
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
