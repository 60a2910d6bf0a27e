import type { Request, Response } from 'express';
import type { Environment } from '../config/environment.js';
import type { Logger } from '../config/logger.js';
import type { OpenRequestContext } from './request-context.js';
import { routeOf } from './security-log.js';

export type AccessLog = (request: Request, response: Response, context: OpenRequestContext) => void;

/** Writes a line for each request that has ended; undefined where nobody would see them. */
export function accessLog(logger: Logger, { access_log, log_level }: Environment): AccessLog | undefined {
  if (!access_log || !['info', 'debug', 'trace'].includes(log_level)) return undefined;
  return (request, response, context) => {
    const begun = performance.now();
    response.once('close', () => {
      const { principal, request_id } = context;
      const details = {
        method: request.method,
        route: routeOf(request),
        // A client that went away was answered nothing.
        status: response.headersSent ? response.statusCode : null,
        milliseconds: Math.round((performance.now() - begun) * 10) / 10,
        caller: principal === undefined ? null : `${principal.kind}:${principal.id}`,
        request_id,
      };
      logger.info(details, 'request');
    });
  };
}
