import { HttpException, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { InvalidCursorError } from '#kernel/cursor.js';
import {
  ApiError,
  errorOf,
  historyDamaged,
  invalidField,
  serviceUnavailable,
} from '#kernel/errors/api-error.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { LOGGER } from '#kernel/injection-tokens.js';
import type { Logger } from '#kernel/logger.js';
import { GivenUpError } from '#kernel/yielder.js';
import { EventTooLargeError } from '#eventsourcing/log/event-store.errors.js';
import { HistoryDamagedError } from '#eventsourcing/writing/history-damaged.error.js';
import { WriteContendedError } from '#eventsourcing/writing/write-contended.error.js';
import { RequestLateError } from './pipeline/request-deadlines.js';
import { contextOf, routeOf } from './request-context.js';
import { methodsAt, type RoutedApplication } from './route-table.js';
import { SecurityLog } from './security-log.js';

const WRONG_PATH =
  'There is no such path. See all at /docs, or in /api/v2/openapi.json. Encode a / in a crm_unit_id as %2F.';

/** Says what a caller gets for an error, and logs what an operator should know of it. */
@Injectable()
export class Refusals {
  constructor(
    private readonly adapters: HttpAdapterHost,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly security: SecurityLog,
  ) {}

  /** The error in the form of specification §7. */
  refusalOf(thrown: unknown, request: Request): ApiError {
    const error = this.#read(thrown, request);
    // A route that is not implemented is not a fault of the service.
    if (error.status < 500 || error.code === 'not_implemented') this.security.refused(error, request);
    else this.#log(thrown, error, request);
    return error;
  }

  /** The answer to an error within the answer to another one. */
  faultOf(thrown: unknown, request: Request): ApiError {
    const error = errorOf('server_error');
    this.#log(thrown, error, request);
    return error;
  }

  #read(thrown: unknown, request: Request): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (
      thrown instanceof StoreUnavailableError ||
      thrown instanceof WriteContendedError ||
      thrown instanceof GivenUpError ||
      thrown instanceof RequestLateError
    )
      return serviceUnavailable();
    if (thrown instanceof HistoryDamagedError) return historyDamaged();
    if (thrown instanceof EventTooLargeError) return errorOf('payload_too_large');
    if (thrown instanceof InvalidCursorError)
      return invalidField('cursor', 'format', 'The cursor field is invalid.');
    return this.#frameworkRefusal(thrown, request) ?? errorOf('server_error');
  }

  /** Errors of Nest and Express: unknown routes, and URLs that cannot be decoded. */
  #frameworkRefusal(thrown: unknown, request: Request): ApiError | undefined {
    switch (statusOf(thrown)) {
      case 400:
        return errorOf('invalid_request');
      case 404:
        return this.#unknownRoute(request);
      default:
        return undefined;
    }
  }

  #unknownRoute(request: Request): ApiError {
    const application = this.adapters.httpAdapter.getInstance<RoutedApplication>();
    const methods = methodsAt(application, request.path);
    if (methods.length === 0) return errorOf('not_found', { hint: WRONG_PATH });
    const Allow = methods.join(', ');
    return errorOf('method_not_allowed', { hint: `This path takes ${Allow}.`, headers: { Allow } });
  }

  #log(thrown: unknown, { status }: ApiError, request: Request): void {
    const { request_id } = contextOf(request) ?? {};
    const asked = { request_id, method: request.method, route: routeOf(request) };
    if (thrown instanceof RequestLateError) this.logger.warn(asked, 'A request was not served in time.');
    else if (status === 500) this.logger.error({ ...asked, error: thrown }, 'A request failed.');
    else this.logger.warn({ ...asked, error: thrown }, 'A request could not be served.');
  }
}

/** The status of an error of Nest or Express. A status on other errors is not reliable. */
function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof URIError) return 400;
  return undefined;
}
