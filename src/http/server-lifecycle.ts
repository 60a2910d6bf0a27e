import { Injectable } from '@nestjs/common';
import type { Server } from 'node:http';
import type { INestApplication } from '@nestjs/common';

/** Whether the process is about to end. New requests are turned away from then on. */
@Injectable()
export class Draining {
  active = false;
}

/** The end of a drain: what has not finished by then is cut off, so that the process ends within its 10 s. */
const PATIENCE = 8_000;
const IDLE_SWEEP = 50;

/**
 * Limits that keep a slow or silent client from holding a connection.
 */
export function configureServer(server: Server): void {
  server.headersTimeout = 10_000;
  server.requestTimeout = 30_000;
  // Longer than the usual 60 s of a load balancer, so that it is the balancer that closes an idle connection.
  server.keepAliveTimeout = 65_000;
  server.maxRequestsPerSocket = 0;
}

/**
 * Ends an application in good order: no new connection, 503 on kept-alive ones, running requests finish, then the
 * application's own shutdown hooks run.
 */
export async function drain(application: INestApplication): Promise<void> {
  const server = application.getHttpServer() as Server;
  application.get(Draining).active = true;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  // A connection that fell idle after `close` was called would otherwise be kept for its keep-alive time.
  const sweep = setInterval(() => server.closeIdleConnections(), IDLE_SWEEP);
  const cut = setTimeout(() => server.closeAllConnections(), PATIENCE);
  await closed;
  clearInterval(sweep);
  clearTimeout(cut);
  await application.close();
}

/** Drains on SIGTERM and SIGINT and exits with status 0; a second signal does not start a second drain. */
export function drainOnSignals(
  application: INestApplication,
  exit: (status: number) => void = (status) => process.exit(status),
): void {
  let draining: Promise<void> | undefined;
  const end = () => {
    draining ??= drain(application).then(
      () => exit(0),
      () => exit(1),
    );
  };
  process.once('SIGTERM', end);
  process.once('SIGINT', end);
}
