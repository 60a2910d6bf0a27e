import { Catch, HttpException, Inject, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { InvalidCursorError } from '../base/cursor.js';
import { GivenUpError } from '../config/yielder.js';
import { LOGGER } from '../config/injection-tokens.js';
import { EventTooLargeError } from '../log/event-store.errors.js';
import { StoreUnavailableError } from '../storage/store.errors.js';
import { WriteContendedError } from '../writing/write-contended.error.js';
import {
  ApiError,
  errorBody,
  errorOf,
  invalidField,
  RequestEndedError,
  serviceUnavailable,
} from './api-error.js';
import { contextOf, routeOf } from './request-context.js';
import { SecurityLog } from './security-log.js';
import { removeQuotaHeaders } from './pipeline/rate-limits.js';
import { removeVersionHeaders } from './versions.js';
import { methodsAt } from './route-table.js';
import type { ArgumentsHost, ExceptionFilter } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from '../config/logger.js';
import type { RoutedApplication } from './route-table.js';

const WRONG_PATH =
  'There is no such path. See all at /docs, or in /api/v2/openapi.json. Encode a / in a crm_unit_id as %2F.';

/** Answers every error of a request in the form of specification §7. */
@Injectable()
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(
    private readonly adapters: HttpAdapterHost,
    @Inject(LOGGER) private readonly logger: Logger,
    private readonly security: SecurityLog,
  ) {}

  catch(thrown: unknown, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const response = http.getResponse<Response>();
    if (thrown instanceof RequestEndedError) return;
    const request = http.getRequest<Request>();
    this.end(thrown, request, response)
      .catch((fault: unknown) => {
        // Nest handles no errors of a filter, so answer here.
        this.log(fault, errorOf('server_error'), request);
        if (response.headersSent) response.destroy();
        else response.status(500).json(errorBody(errorOf('server_error')));
      })
      // If that fails too, close the connection.
      .catch(() => response.destroy());
  }

  private async end(thrown: unknown, request: Request, response: Response): Promise<void> {
    const error = this.refusalOf(thrown, request);
    // A route that is not implemented is not a fault of the service.
    if (error.status >= 500 && error.code !== 'not_implemented') this.log(thrown, error, request);
    else this.security.refused(error, request);
    if (error.code === 'not_found') removeVersionHeaders(response);
    // The token ended while the request waited, so do not reveal the company's quota.
    if (error.code === 'unauthorized' && contextOf(request)?.principal !== undefined)
      removeQuotaHeaders(response);
    await this.send(error, response, request);
  }

  private async send(error: ApiError, response: Response, request: Request): Promise<void> {
    if (response.headersSent) {
      // A part of an answer was sent already. Closing the connection shows the client that it is incomplete.
      response.destroy();
      return;
    }
    // The route may have set another value before it failed.
    response.setHeader('Cache-Control', 'no-store');
    for (const [name, value] of Object.entries(error.headers ?? {})) response.setHeader(name, value);
    await this.answer(error, response.status(error.status), request);
  }

  /** Sends the body of an error. The status is set already. */
  protected answer(error: ApiError, response: Response, _request: Request): void | Promise<void> {
    response.json(errorBody(error));
  }

  private refusalOf(thrown: unknown, request: Request): ApiError {
    if (thrown instanceof ApiError) return thrown;
    if (
      thrown instanceof StoreUnavailableError ||
      thrown instanceof WriteContendedError ||
      thrown instanceof GivenUpError
    )
      return serviceUnavailable();
    if (thrown instanceof EventTooLargeError) return errorOf('payload_too_large');
    if (thrown instanceof InvalidCursorError)
      return invalidField('cursor', 'format', 'The cursor field is invalid.');
    return this.frameworkRefusal(thrown, request) ?? errorOf('server_error');
  }

  /** Errors of Nest and Express: unknown routes, and URLs that cannot be decoded. */
  private frameworkRefusal(thrown: unknown, request: Request): ApiError | undefined {
    switch (statusOf(thrown)) {
      case 400:
        return errorOf('invalid_request');
      case 404:
        return this.unknownRoute(request);
      default:
        return undefined;
    }
  }

  private unknownRoute(request: Request): ApiError {
    const application = this.adapters.httpAdapter.getInstance<RoutedApplication>();
    const methods = methodsAt(application, request.path);
    if (methods.length === 0) return errorOf('not_found', { hint: WRONG_PATH });
    const Allow = methods.join(', ');
    return errorOf('method_not_allowed', { hint: `This path takes ${Allow}.`, headers: { Allow } });
  }

  private log(thrown: unknown, answer: ApiError, request: Request): void {
    const details = {
      request_id: contextOf(request)?.request_id,
      method: request.method,
      route: routeOf(request),
      error: thrown,
    };
    if (answer.status === 500) this.logger.error(details, 'A request failed.');
    else this.logger.warn(details, 'A request could not be served.');
  }
}

/** The status of an error of Nest or Express. A status on other errors is not reliable. */
function statusOf(thrown: unknown): number | undefined {
  if (thrown instanceof HttpException) return thrown.getStatus();
  if (thrown instanceof URIError) return 400;
  return undefined;
}
