import type { Request, Response } from 'express';
import type { Environment } from '../config/environment.js';
import type { Logger } from '../config/logger.js';
import { contextOf, routeOf } from './request-context.js';
import type { TrafficObserver } from './traffic-observer.js';

/** Writes down a request that has ended, which began at an instant of `performance.now()`. */
export type RequestRecorder = (request: Request, response: Response, begun: number) => void;

/** A container's health check every few seconds would fill the log. One that fails leaves its line. */
const HEALTH_ROUTE = /\/health(?:\/ready)?$/;

const isHealthy = (route: string | undefined, status: number | undefined) =>
  status === 200 && HEALTH_ROUTE.test(route ?? '');

/** Tells the observer of each request, and writes a line for it if the environment asks for that. */
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
    // A client that went away was answered nothing.
    const status = response.headersSent ? response.statusCode : undefined;
    observer?.answered({ method, route, status, seconds: milliseconds / 1_000 });
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
