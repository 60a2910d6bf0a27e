import { type CodeOf, type ErrorCode, ERRORS, FIXES } from './error-codes.js';
import { errorsOf, type FaultCode, type FieldErrors, type FieldFault } from './field-fault.js';

interface ApiErrorOptions {
  /** Clients match it, never the message. It is stable. */
  readonly code: ErrorCode;
  /** What to do about it, where the message is fixed and does not say it. */
  readonly hint?: string;
  readonly details?: readonly FieldFault[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that the client is told about: thrown anywhere below a route, answered by `ErrorFilter`. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly hint?: string;
  /** Set for a validation failure: each field that is at fault. */
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
  const told = hint === undefined ? { message, code } : { message, code, hint };
  return errors === undefined ? told : { ...told, errors, details };
}

function errorOf(code: ErrorCode, options: Omit<ApiErrorOptions, 'code'> = {}): ApiError {
  const { status, message } = ERRORS[code];
  return new ApiError(status, message, { code, ...options });
}

/** 400 for a body that is no JSON. */
export function malformedJson(): ApiError {
  return errorOf('malformed_json');
}

/** 400 for a request of the wrong form: a path that cannot be decoded, a body that is no object or nested too deep. */
export function invalidStructure(hint?: string): ApiError {
  return errorOf('invalid_request', { hint });
}

/** 401 for a missing, unknown or expired credential, and for one of the wrong kind. */
export function unauthorized(hint?: string): ApiError {
  return errorOf('unauthorized', { hint, headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** 401: the password was right, the code of the second factor is missing. */
export function codeRequired(): ApiError {
  return errorOf('code_required', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** 401 for a wrong code of the second factor, and for one that was used before. */
export function codeInvalid(): ApiError {
  return errorOf('code_invalid', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** 403: the session lacks the second factor that is demanded. */
export function secondFactorRequired(): ApiError {
  return errorOf('second_factor_required');
}

/** 403: the credential is good, the resource is somebody else's. */
export function forbidden(code: CodeOf<403> = 'forbidden'): ApiError {
  return errorOf(code);
}

type NotFoundCode = CodeOf<404>;
export type NotFoundMessage = (typeof ERRORS)[NotFoundCode]['message'];

/** 404. The code is the message in lower case, with underscores: `unit_not_found` for `Unit not found.` */
export function notFound(message: NotFoundMessage = 'Not found.', hint?: string): ApiError {
  return errorOf(message.toLowerCase().replaceAll(' ', '_').replace('.', '') as NotFoundCode, { hint });
}

/** 405 for a known path; `allowed` names the methods it has. */
export function methodNotAllowed(allowed: readonly string[]): ApiError {
  const Allow = allowed.join(', ');
  return errorOf('method_not_allowed', { hint: `This path takes ${Allow}.`, headers: { Allow } });
}

/** 409, which clients must not treat as transient (specification §7). */
export function conflict(message: string, code: CodeOf<409>): ApiError {
  return new ApiError(409, message, { code });
}

/** 413. */
export function payloadTooLarge(): ApiError {
  // The rest of the body is not read, so the connection cannot be used again.
  return errorOf('payload_too_large', { headers: { Connection: 'close' } });
}

/** 415. */
export function unsupportedMediaType(): ApiError {
  return errorOf('unsupported_media_type', { hint: FIXES.unsupported_media_type });
}

/** 422 for all of these fields. */
export function validationFailed(details: readonly FieldFault[]): ApiError {
  return errorOf('validation_failed', { details });
}

/** 422 for one field. */
export function invalidField(field: string, code: FaultCode, message: string): ApiError {
  return validationFailed([{ field, code, message }]);
}

/** 422 without `errors`, for refusals that are of no field (an unknown phone, a wrong code). */
export function unprocessable(message: string, code: CodeOf<422>): ApiError {
  return new ApiError(422, message, { code });
}

/** 429. The text names the window, `Retry-After` the exact seconds left (decisions §2). @param told further headers */
export function tooManyAttempts(
  limit: { readonly windowSeconds: number; readonly retryAfterSeconds: number },
  told: Readonly<Record<string, string>> = {},
): ApiError {
  return new ApiError(429, `Too many attempts. Please try again in ${limit.windowSeconds} seconds.`, {
    code: 'rate_limited',
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(limit.retryAfterSeconds))), ...told },
  });
}

/** 431. */
export function headersTooLarge(): ApiError {
  return errorOf('headers_too_large');
}

/** 500, with nothing internal in it. */
export function serverError(): ApiError {
  return errorOf('server_error');
}

/** 501, for what the interface names and the service does not do yet. */
export function notImplemented(): ApiError {
  return errorOf('not_implemented');
}

const SERVICE_UNAVAILABLE = 'Service unavailable.';

/** 503: the same request may be sent again after `retryAfterSeconds`. */
export function serviceUnavailable(
  retryAfterSeconds = 1,
  code: CodeOf<503> = 'store_unavailable',
  message = SERVICE_UNAVAILABLE,
): ApiError {
  return new ApiError(503, message, { code, headers: { 'Retry-After': String(retryAfterSeconds) } });
}

/** Thrown to end a request that nobody is to answer any more: its client went away, or a kept answer was sent. */
export class RequestEndedError extends Error {
  constructor() {
    super('The request has ended.');
    this.name = 'RequestEndedError';
  }
}
