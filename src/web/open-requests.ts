import { type ApiError, errorOf, serviceUnavailable } from '#kernel/errors/api-error.js';
import { noteTls } from './cookies.js';
import { CLOCK, ENVIRONMENT, IDS, LOGGER } from '#kernel/injection-tokens.js';
import { AddedHeaders } from './added-headers.js';
import { errorAnswer } from './pipeline/answer.js';
import { sendAnswer } from './pipeline/send-answer.js';
import { RequestDeadlines } from './pipeline/request-deadlines.js';
import { openContext, type OpenRequestContext } from './request-context.js';
import { Draining } from './server-lifecycle.js';
import { TrafficObserver } from './traffic-observer.js';
import { enterUnknown } from './turn-callers.js';
import { versionHeaders } from './versions.js';
import type { Abstract, INestApplication } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import type { Clock } from '#kernel/clock.js';
import type { Environment } from '#kernel/environment/environment.js';
import type { Logger } from '#kernel/logger.js';
import type { Ids } from '#kernel/ids.js';
import { ClientAddresses } from './client-address.js';
import { countUnanswered } from './connection-bounds.js';
import { requestRecorder } from './access-log.js';

/** A client's request id that is safe in logs and headers. */
const SANE_REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;
const MOST_HEADERS = 100;
const NOBODY = { kind: 'system', id: 'anonymous' } as const;

/** Makes the middleware that every request enters first: headers of each answer, early refusals, the request's context. */
export function openRequests(application: INestApplication) {
  const clock = application.get<Clock>(CLOCK);
  const ids = application.get<Ids>(IDS);
  const draining = application.get(Draining);
  const deadlines = application.get(RequestDeadlines);
  const environment = application.get<Environment>(ENVIRONMENT);
  const addresses = application.get(ClientAddresses);
  const isShared = environment.cors_origins.length > 0;
  const announceVersion = versionHeaders(environment);
  const record = requestRecorder(
    application.get<Logger>(LOGGER),
    environment,
    optional(application, TrafficObserver),
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
    if (addresses.isOverTls(request)) {
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
      deadline: deadlines.open(response),
      headers: new AddedHeaders(),
      replay: undefined,
      compresses: false,
      isUnlogged: false,
    };
    openContext(request, context);
    enterUnknown(request, addresses);
    next();
  };
}

/** An optional provider. */
function optional<T>(application: INestApplication, token: Abstract<T>): T | undefined {
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
  response.setHeader('Connection', 'close');
  sendAnswer(response, errorAnswer(error));
}
