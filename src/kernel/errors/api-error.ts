import { type CodeOf, type ErrorCode, ERRORS, FIXES } from './error-codes.js';
import { errorsOf, type FaultCode, type FieldErrors, type FieldFault } from './field-fault.js';

interface ApiErrorOptions {
  /** Stable: clients match the code, never the message. */
  readonly code: ErrorCode;
  /** The next step for the caller, if the fixed message does not contain it. */
  readonly hint?: string;
  readonly details?: readonly FieldFault[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** An error that the client may see. Thrown anywhere below a route, answered by `ErrorFilter`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly hint?: string;
  /** Set for a validation failure: one fault for each field. */
  readonly details?: readonly FieldFault[];
  /** The messages of `details` by field. */
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    message: string,
    options: ApiErrorOptions,
  ) {
    super(message);
    this.name = 'ApiError';
    this.code = options.code;
    this.hint = options.hint;
    this.details = options.details;
    this.errors = options.details && errorsOf(options.details);
    this.headers = options.headers;
  }
}

/** The body of an error's answer (decisions §2). */
export interface ErrorBody {
  readonly message: string;
  readonly code: string;
  readonly hint?: string;
  readonly errors?: FieldErrors;
  readonly details?: readonly FieldFault[];
}

export function errorBody({ message, code, hint, errors, details }: ErrorBody): ErrorBody {
  const body = hint === undefined ? { message, code } : { message, code, hint };
  return errors === undefined ? body : { ...body, errors, details };
}

/** Headers of every error with a status. */
const HEADERS: Readonly<Record<number, Readonly<Record<string, string>>>> = {
  401: { 'WWW-Authenticate': 'Bearer' },
  // The rest of the body is not read, so the connection cannot be reused.
  413: { Connection: 'close' },
};

/** The answer to a write to something whose events somebody has damaged in the log. */
export function historyDamaged(): ApiError {
  return errorOf('history_damaged', { hint: FIXES.history_damaged });
}

/** The error with a code. It has the status and the message of `ERRORS`; a 404 has the advice of `FIXES` as its hint. */
export function errorOf(code: ErrorCode, options: Omit<ApiErrorOptions, 'code'> = {}): ApiError {
  const { status, message } = ERRORS[code];
  const hint = options.hint ?? (status === 404 ? FIXES[code] : undefined);
  return new ApiError(status, message, { code, headers: HEADERS[status], ...options, hint });
}

/** 401 for a credential that is missing, unknown, expired or of the wrong kind. */
export function unauthorized(hint?: string): ApiError {
  return errorOf('unauthorized', { hint });
}

export function validationFailed(details: readonly FieldFault[]): ApiError {
  return errorOf('validation_failed', { details });
}

export function invalidField(field: string, code: FaultCode, message: string): ApiError {
  return validationFailed([{ field, code, message }]);
}

/** 429. The text names the window, `Retry-After` the exact seconds left (decisions §2). @param headers further headers */
export function tooManyAttempts(
  limit: { readonly windowSeconds: number; readonly retryAfterSeconds: number },
  headers: Readonly<Record<string, string>> = {},
): ApiError {
  return new ApiError(429, `Too many attempts. Please try again in ${limit.windowSeconds} seconds.`, {
    code: 'rate_limited',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(limit.retryAfterSeconds))), ...headers },
  });
}

const SERVICE_UNAVAILABLE = 'Service unavailable.';

/** 503. The client may repeat the request after `retryAfterSeconds`. */
export function serviceUnavailable(
  retryAfterSeconds = 1,
  code: CodeOf<503> = 'store_unavailable',
  message = SERVICE_UNAVAILABLE,
): ApiError {
  return new ApiError(503, message, { code, headers: { 'Retry-After': String(retryAfterSeconds) } });
}

/** Ends a request without another answer: its client went away, or a stored answer was sent. */
export class RequestEndedError extends Error {
  constructor() {
    super('The request has ended.');
    this.name = 'RequestEndedError';
  }
}
