import type { ApiError } from './api-error.js';
import { errorBody, errorOf, serviceUnavailable } from './api-error.js';
import { noteTls } from './cookies.js';
import { CLOCK, ENVIRONMENT, IDS, LOGGER } from '../config/injection-tokens.js';
import { installAnswerStep } from './pipeline/answer.js';
import { RequestDeadlines } from './pipeline/request-deadlines.js';
import { openContext, contextOf, routeOf, type OpenRequestContext } from './request-context.js';
import { configureServer, Draining } from './server-lifecycle.js';
import { type Answered, TRAFFIC_OBSERVER, type TrafficObserver } from './traffic-observer.js';
import { versionHeaders } from './versions.js';
import type { Server, IncomingMessage, ServerResponse } from 'node:http';
import type { INestApplication } from '@nestjs/common';
import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface.js';
import type { Express, NextFunction, Request, Response } from 'express';
import type { Clock } from '../config/clock.js';
import type { Environment } from '../config/environment.js';
import type { Logger } from '../config/logger.js';
import type { Ids } from '../config/ids.js';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { AddressRanges, canonicalAddress, networkOf } from '../config/address-ranges.js';

/** Limits of open connections: of the process, and of one client address that is not a trusted proxy. */
const MOST_CONNECTIONS = 4_000;
const MOST_PER_ADDRESS = 400;
/** Limit of unanswered requests on one connection. Only pipelining clients send more than one. */
const MOST_UNANSWERED = 16;
/** Milliseconds. A connection that reads nothing for this time is closed. */
const LONGEST_UNREAD = 20_000;
/** A client on this machine is a proxy or a test, so it has no limit per address. */
const LOCAL = ['127.0.0.0/8', '::1'];

interface ConnectionLimits {
  readonly most: number;
  readonly perAddress: number;
  /** Proxies have no limit per address, because they forward many clients. */
  readonly proxies: readonly string[];
}

function connectionLimits(trusted_proxies: readonly string[]): ConnectionLimits {
  const proxies = [...LOCAL, ...trusted_proxies];
  return { most: MOST_CONNECTIONS, perAddress: MOST_PER_ADDRESS, proxies };
}

/** Closes new connections beyond the limits, so that one client cannot use up all connections. */
export function boundConnections(server: Server, { most, perAddress, proxies }: ConnectionLimits): void {
  const open = new Map<string, number>();
  const exempt = new AddressRanges(proxies);
  server.maxConnections = most;
  server.on('connection', (socket: Socket) => {
    const remote = canonicalAddress(socket.remoteAddress ?? '') ?? '';
    if (exempt.has(remote)) return;
    const address = networkOf(remote);
    const held = open.get(address) ?? 0;
    if (held >= perAddress) return void socket.destroy();
    open.set(address, held + 1);
    socket.once('close', () => {
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
  });
}

const UNANSWERED = Symbol('Unanswered');
type CountedSocket = Socket & { [UNANSWERED]?: Set<ServerResponse> };

/**
 * Counts a request as unanswered until its response closes, and closes its connection if there are too many: otherwise
 * 55 kB of pipelined requests could demand 500 MB of answers.
 * @returns whether the request may be handled
 */
export function countUnanswered({ socket }: IncomingMessage, response: ServerResponse): boolean {
  const unanswered = ((socket as CountedSocket)[UNANSWERED] ??= closedWith(socket));
  // The parser may still deliver requests after the connection was closed.
  if (unanswered.size >= MOST_UNANSWERED || socket.destroyed) {
    socket.destroy();
    return false;
  }
  unanswered.add(response);
  response.once('close', () => unanswered.delete(response));
  return true;
}

/** Responses that close with their connection. Node closes only the first; those that wait behind it have no socket yet. */
function closedWith(socket: Socket): Set<ServerResponse> {
  const responses = new Set<ServerResponse>();
  socket.once('close', () => {
    for (const response of responses) if (response.socket === null) response.emit('close');
  });
  return responses;
}

/** Closes idle connections and those that do not read their answers. A connection that waits for a handler stays open. */
export function boundUnread(server: Server): void {
  server.timeout = LONGEST_UNREAD;
  server.on('timeout', (socket: CountedSocket) => {
    const waitsForHandler = (socket[UNANSWERED]?.size ?? 0) > 0 && socket.writableLength === 0;
    if (!waitsForHandler) socket.destroy();
  });
}

/** Records a finished request, which began at an instant of `performance.now()`. */
type RequestRecorder = (request: Request, response: Response, begun: number) => void;

/** Successful health checks are not logged, because they come every few seconds. */
const HEALTH_ROUTE = /\/health(?:\/ready)?$/;

const isHealthy = (route: string | undefined, status: number | undefined) =>
  status === 200 && HEALTH_ROUTE.test(route ?? '');

/** Passes each request to the observer, and logs it if the environment says so. */
function requestRecorder(
  logger: Logger,
  { access_log, log_level }: Environment,
  observer: TrafficObserver | undefined,
): RequestRecorder {
  const isLogged = access_log && ['info', 'debug', 'trace'].includes(log_level);
  return (request, response, begun) => {
    const milliseconds = performance.now() - begun;
    const route = routeOf(request);
    const { method } = request;
    // If the client went away, no status was sent.
    const status = response.headersSent ? response.statusCode : undefined;
    observer?.answered(answeredOf(request, status, milliseconds));
    const context = contextOf(request);
    if (!isLogged || isHealthy(route, status)) return;
    if (context === undefined || context.isUnlogged) return;
    const { principal, request_id } = context;
    const details = {
      method,
      route,
      status: status ?? null,
      milliseconds: Math.round(milliseconds * 10) / 10,
      caller: principal === undefined ? null : `${principal.kind}:${principal.id}`,
      request_id,
    };
    logger.info(details, 'request');
  };
}

/** The request as it is counted. A caller without a credential must not make series for each route. */
function answeredOf(request: Request, status: number | undefined, milliseconds: number): Answered {
  const { principal, demandRights } = contextOf(request) ?? {};
  const isAdmitted = principal !== undefined;
  const isRefused = !isAdmitted && demandRights !== undefined;
  const route = isRefused ? undefined : routeOf(request);
  return { method: request.method, route, status, isAdmitted, seconds: milliseconds / 1_000 };
}

/** A client's request id that is safe in logs and headers. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const MOST_HEADERS = 100;
const NOBODY = { kind: 'system', id: 'anonymous' } as const;

/**
 * Configures the whole application, for the service and for tests. Create the application with `{ bodyParser: false }`,
 * because bodies are read after authentication. Call this before `init` or `listen`.
 */
export function configureApplication(application: INestApplication): void {
  const express = application.getHttpAdapter().getInstance() as Express;
  express.disable('x-powered-by');
  // Express would hash every body. Routes that need an ETag set their own.
  express.set('etag', false);
  // `simple` makes `a[b]=1` a parameter with the name `a[b]`, which validation refuses.
  express.set('query parser', 'simple');
  installAnswerStep(express, application.get<Logger>(LOGGER));
  const { trusted_proxies, cors_origins } = application.get<Environment>(ENVIRONMENT);
  // CORS comes first, so that a page can also read a refusal that comes before any route.
  if (cors_origins.length > 0) application.enableCors(corsOptions(cors_origins));
  express.use(openRequests(application));
  const ids = application.get<Ids>(IDS);
  const server = application.getHttpServer() as Server;
  configureServer(server, () => ids.ulid());
  boundConnections(server, connectionLimits(trusted_proxies));
  boundUnread(server);
}

/**
 * CORS for pages of other origins (decisions §10: `CORS_ORIGINS`). They may send a token, but never the dashboard's cookie.
 */
function corsOptions(origins: readonly string[]): CorsOptions {
  return {
    origin: [...origins],
    credentials: false,
    preflightContinue: true,
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'],
    exposedHeaders: [
      ...[
        'ETag',
        'Location',
        'Retry-After',
        'RateLimit',
        'RateLimit-Policy',
        'X-Request-Id',
        'Idempotency-Replayed',
      ],
      ...['Deprecation', 'Link', 'Sunset'],
    ],
    maxAge: 600,
  };
}

/**
 * Whether a client used TLS, on the connection or to a trusted proxy (`X-Forwarded-Proto`). `ClientAddresses` knows these
 * proxies too, but would be the 51st file of a move-in and of a `PATCH`. Their budget is 50.
 */
function tlsTo(trusted_proxies: readonly string[]) {
  const proxies = new AddressRanges(trusted_proxies);
  return ({ socket, headers }: Pick<Request, 'socket' | 'headers'>): boolean => {
    if ((socket as Partial<TLSSocket>).encrypted === true) return true;
    const protos = headers['x-forwarded-proto'];
    if (protos === undefined) return false;
    const proto = [protos].flat().join().split(',').at(-1)!.trim();
    return proto === 'https' && proxies.has(canonicalAddress(socket.remoteAddress ?? '') ?? '');
  };
}

function openRequests(application: INestApplication) {
  const clock = application.get<Clock>(CLOCK);
  const ids = application.get<Ids>(IDS);
  const draining = application.get(Draining);
  const deadlines = application.get(RequestDeadlines);
  const environment = application.get<Environment>(ENVIRONMENT);
  const isOverTls = tlsTo(environment.trusted_proxies);
  const isShared = environment.cors_origins.length > 0;
  const announceVersion = versionHeaders(environment);
  const record = requestRecorder(
    application.get<Logger>(LOGGER),
    environment,
    optional<TrafficObserver>(application, TRAFFIC_OBSERVER),
  );
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!countUnanswered(request, response)) return;
    const begun = performance.now();
    response.once('close', () => record(request, response, begun));
    const given = request.headers['x-request-id'];
    const requestId = typeof given === 'string' && SANE_REQUEST_ID.test(given) ? given : ids.ulid();
    response.setHeader('X-Request-Id', requestId);
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Cache-Control', 'no-store');
    if (isOverTls(request)) {
      noteTls(request);
      response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    }
    if (isShared && request.method === 'OPTIONS') return void response.status(204).end();
    if (!request.url.startsWith('/api/v2/')) announceVersion(request, response);
    const refusal = refusalOf(request, draining);
    if (refusal !== undefined) return refuse(refusal, response);
    const context: OpenRequestContext = {
      request_id: requestId,
      principal: undefined,
      actor: NOBODY,
      command_id: ids.ulid(),
      recovering: false,
      reservation: undefined,
      received_at: clock.now(),
      deadline: deadlines.open(request, response, requestId),
      compresses: false,
      isUnlogged: false,
    };
    openContext(request, context);
    next();
  };
}

/** An optional provider. */
function optional<T>(application: INestApplication, token: symbol): T | undefined {
  try {
    return application.get<T>(token);
  } catch {
    return undefined;
  }
}

/** The refusal of a request before any route; undefined: the request goes on. */
function refusalOf(
  { rawHeaders, headers, httpVersion }: Request,
  { reason }: Draining,
): ApiError | undefined {
  if (reason !== undefined) return serviceUnavailable(1, reason);
  if (rawHeaders.length > 2 * MOST_HEADERS) return errorOf('headers_too_large');
  return headers.host === undefined && httpVersion === '1.1' ? errorOf('invalid_request') : undefined;
}

function refuse(error: ApiError, response: Response): void {
  response.set({ ...error.headers, Connection: 'close' });
  response.status(error.status).json(errorBody(error));
}
