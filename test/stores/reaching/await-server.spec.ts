import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { awaitServer, type AwaitedServer } from '#stores/reaching/await-server.js';
import type { TlsOffer } from '#stores/reaching/tls-probe.js';
import { AUTHORITY_FILE, testCertificate, testClientCertificate } from '../../support/tls.js';

const ca = readFileSync(AUTHORITY_FILE);
const { certificate: cert, key } = testCertificate();
const client = testClientCertificate();
const AT_ONCE = 1;

const listeners: Server[] = [];

afterEach(() => {
  for (const server of listeners.splice(0)) server.close();
});

function tlsServer(options: TlsOptions): Server {
  return createTlsServer({ cert, key, ...options }, ignoreErrors).on('tlsClientError', () => undefined);
}

function plainServer(answer: (socket: Socket) => void): Server {
  return createServer((socket) => {
    ignoreErrors(socket);
    answer(socket);
  });
}

function ignoreErrors(socket: Socket): void {
  socket.on('error', () => undefined);
}

async function awaited(server: Server, tls: TlsOffer | undefined = { ca }): Promise<AwaitedServer> {
  listeners.push(server.listen(0, '127.0.0.1'));
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    variable: 'STORE_URL',
    tls,
    options: { tls: 'Set tls=true', plain: 'Set tls=false', certificate: 'Name one' },
    addresses: () => [{ host: '127.0.0.1', port }],
  };
}

/** Each timer fires at once, and moves the clock. */
function hurriedClock() {
  let now = 0;
  return {
    now: () => now,
    after(milliseconds: number, task: () => void) {
      now += milliseconds;
      setImmediate(task);
      return () => undefined;
    },
  };
}

/** The error of a start whose client only says that it cannot connect, with the port left out, and the number of tries. */
async function failToStart(server: AwaitedServer) {
  let tries = 0;
  const start = awaitServer(
    server,
    () => {
      tries += 1;
      return Promise.reject(new Error('the client failed'));
    },
    hurriedClock(),
  );
  const fault = await start.then(
    () => 'started',
    (error: Error) => error.message.replace(/127\.0\.0\.1:\d+/g, 'HOST'),
  );
  return { fault, tries };
}

/** A start whose client connects at that try. */
function startAtTry(success: number, server: AwaitedServer): Promise<string> {
  let tries = 0;
  const attempt = () => {
    tries += 1;
    return tries === success ? Promise.resolve('started') : Promise.reject(new Error('the client failed'));
  };
  return awaitServer(server, attempt, hurriedClock());
}

describe('the wait for a server', () => {
  it('ends at once if the certificate is not for servers, and names the purpose', async () => {
    const server = tlsServer({ cert: client.certificate, key: client.key });
    expect(await failToStart(await awaited(server))).toEqual({
      fault:
        'STORE_URL: the certificate of HOST cannot be verified (unsuitable certificate purpose). Give the server a certificate whose purposes include serverAuth.',
      tries: AT_ONCE,
    });
  });

  it('ends at once if the server demands a client certificate under TLS 1.3, and says how to name one', async () => {
    const server = tlsServer({ requestCert: true, ca, minVersion: 'TLSv1.3' });
    expect(await failToStart(await awaited(server))).toEqual({
      fault: 'STORE_URL: HOST demands a client certificate. Name one.',
      tries: AT_ONCE,
    });
  });

  it('goes on if the server accepts the client certificate', async () => {
    const server = tlsServer({ requestCert: true, ca, minVersion: 'TLSv1.3' });
    const offer = { ca, cert: client.certificate, key: client.key };
    expect(await startAtTry(3, await awaited(server, offer))).toBe('started');
  });

  it.each([
    [
      'knows old TLS only',
      { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' },
      'tlsv1 alert protocol version',
    ],
    ['knows another protocol', { ALPNProtocols: ['http/1.1'] }, 'tlsv1 alert no application protocol'],
  ] as const)('ends at once if the server %s, and tells its alert', async (_what, options, alert) => {
    const server = tlsServer(options);
    expect(await failToStart(await awaited(server, { ca, ALPNProtocols: ['h2'] }))).toEqual({
      fault: `STORE_URL: HOST uses TLS, but the handshake failed (${alert}). Compare its TLS settings with the address.`,
      tries: AT_ONCE,
    });
  });

  it('ends at once if the server answers without TLS', async () => {
    const server = plainServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    expect(await failToStart(await awaited(server))).toEqual({
      fault: 'STORE_URL: HOST does not use TLS. Set tls=false.',
      tries: AT_ONCE,
    });
  });

  it('ends at once if a server with any fault of TLS is addressed without TLS', async () => {
    const server = { ...(await awaited(tlsServer({ requestCert: true, ca }))), tls: undefined };
    expect(await failToStart(server)).toEqual({
      fault: 'STORE_URL: HOST uses TLS. Set tls=true.',
      tries: AT_ONCE,
    });
  });

  it.each([
    ['resets', (socket: Socket) => socket.resetAndDestroy()],
    ['closes', (socket: Socket) => socket.end()],
  ])('goes on while a server that may be starting %s each connection', async (_what, answer) => {
    const server = await awaited(plainServer(answer));
    expect(await startAtTry(3, server)).toBe('started');
  });

  it('says at its end of a server that closes each connection that it may not use TLS', async () => {
    const { fault } = await failToStart(await awaited(plainServer((socket) => socket.resetAndDestroy())));
    expect(fault).toMatch(
      /^STORE_URL: no answer from HOST within 30 s \(.*ECONNRESET.*\)\. Start the server, or correct the address\. If it does not use TLS: Set tls=false\.$/,
    );
  });
});
