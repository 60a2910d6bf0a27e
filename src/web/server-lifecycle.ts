import { Injectable } from '@nestjs/common';
import { Server as NetServer } from 'node:net';
import { LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { INestApplication } from '@nestjs/common';

/** While `reason` is set, requests get 503: the process is starting or ending. */
@Injectable()
export class Draining {
  reason: 'starting' | 'shutting_down' | undefined;

  /** Answers 503 while `work` completes the start. */
  async whileStarting<T>(work: () => Promise<T>): Promise<T> {
    this.reason ??= 'starting';
    const result = await work();
    if (this.reason === 'starting') this.reason = undefined;
    return result;
  }
}

/** Milliseconds of a drain. Then open requests are cut off, so that the process ends within 10 s. */
const LONGEST_DRAIN_MS = 8_000;
const IDLE_SWEEP_MS = 50;
/** Idle connections stay open, because a request may be on its way. */
const IDLE_GRACE_MS = 1_000;
/** Ends the process if a shutdown hook hangs; all answered writes are durable by then. */
const EXIT_AFTER_MS = 9_500;

/**
 * Sets timeouts against slow and silent clients, and answers in our form requests that Node refuses before the application
 * sees them.
 */
export function configureServer(server: Server, newRequestId: () => string): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  // By default Node checks timeouts only every 30 s. Nest calls the constructor, so its option is set here.
  (server as Server & { connectionsCheckingInterval: number }).connectionsCheckingInterval = 1_000;
  // Longer than the usual 60 s of a load balancer, so that the balancer closes idle connections first.
  server.keepAliveTimeout = 65_000;
  server.maxRequestsPerSocket = 0;
  // Node would silently drop headers beyond its limit. `openRequests` refuses too many. The limit of 16 KB stays.
  server.maxHeadersCount = 0;
  // Node would answer a request without a host without a body; `openRequests` answers in our form.
  (server as Server & { requireHostHeader: boolean }).requireHostHeader = false;
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    const body = JSON.stringify({ message: 'Expectation failed.', code: 'expectation_failed' });
    response.writeHead(417, refusalHeaders(body, newRequestId())).end(body);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
    socket.end(unreadableRequest(error.code, newRequestId()));
  });
}

/** The whole answer to a request that is not HTTP, too slow, or has too many headers. */
function unreadableRequest(fault: string | undefined, requestId: string): string {
  const [status, message, code] =
    fault === 'ERR_HTTP_REQUEST_TIMEOUT'
      ? ['408 Request Timeout', 'Request timeout.', 'request_timeout']
      : fault === 'HPE_HEADER_OVERFLOW'
        ? ['431 Request Header Fields Too Large', 'Request header fields too large.', 'headers_too_large']
        : ['400 Bad Request', 'Invalid request structure.', 'invalid_request'];
  const body = JSON.stringify({ message, code });
  const headers = Object.entries(refusalHeaders(body, requestId)).map(([name, value]) => `${name}: ${value}`);
  return `HTTP/1.1 ${status}\r\n${headers.join('\r\n')}\r\n\r\n${body}`;
}

function refusalHeaders(body: string, requestId: string): Record<string, string> {
  return {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(body.length),
    Connection: 'close',
  };
}

/**
 * Ends an application: accepts no new connections, answers 503 on open ones, lets running requests finish, then runs the
 * shutdown hooks.
 */
export async function drain(application: INestApplication): Promise<void> {
  const server = application.getHttpServer() as Server;
  application.get(Draining).reason = 'shutting_down';
  // `http.Server.close` would cut connections whose request was sent but not read yet.
  const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
  let sweep: NodeJS.Timeout | undefined;
  const grace = setTimeout(() => {
    sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP_MS);
  }, IDLE_GRACE_MS);
  const cut = setTimeout(() => server.closeAllConnections(), LONGEST_DRAIN_MS);
  await closed;
  clearTimeout(grace);
  clearInterval(sweep);
  clearTimeout(cut);
  await application.close();
}

/**
 * Drains on SIGTERM and SIGINT, and exits with status 0. A second signal changes nothing.
 * @returns whether a signal has come: later failures are then a result of the shutdown
 */
export function drainOnSignals(
  application: INestApplication,
  exit: (status: number) => void = (status) => process.exit(status),
): () => boolean {
  const logger = application.get<Logger>(LOGGER);
  let draining: Promise<void> | undefined;
  const end = (signal: string) => {
    if (draining !== undefined) return;
    setTimeout(() => exit(0), EXIT_AFTER_MS).unref();
    logger.info({ security: 'stopping', signal }, 'The service is stopping.');
    draining = drain(application).then(
      () => {
        logger.info({ security: 'stopped' }, 'The service has stopped.');
        exit(0);
      },
      (error: unknown) => {
        logger.error({ security: 'stopped', error }, 'The service did not stop in good order.');
        exit(1);
      },
    );
  };
  // Not `once`: Node would kill the process at the second signal.
  for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, end);
  return () => draining !== undefined;
}
