import { contextOf, routeOf } from './request-context.js';
import type { Answered, TrafficObserver } from './traffic-observer.js';
import type { Request, Response } from 'express';
import type { Environment } from '#kernel/environment/environment.js';
import type { Logger } from '#kernel/logger.js';

/** Records a finished request, which began at an instant of `performance.now()`. */
type RequestRecorder = (request: Request, response: Response, begun: number) => void;

/** Successful health checks are not logged, because they come every few seconds. */
const HEALTH_ROUTE = /\/health(?:\/ready)?$/;

const isHealthy = (route: string | undefined, status: number | undefined) =>
  status === 200 && HEALTH_ROUTE.test(route ?? '');

/** Passes each request to the observer, and logs it if the environment says so. */
export function requestRecorder(
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
  const { principal, assertRights: demandRights } = contextOf(request) ?? {};
  const isAdmitted = principal !== undefined;
  const isRefused = !isAdmitted && demandRights !== undefined;
  const route = isRefused ? undefined : routeOf(request);
  return { method: request.method, route, status, isAdmitted, seconds: milliseconds / 1_000 };
}
