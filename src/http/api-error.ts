/** Messages of a validation failure, by the dotted path of the field (specification §7). */
export type FieldErrors = Record<string, string[]>;

interface ApiErrorOptions {
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A refusal that the client is told about: thrown anywhere below a route, answered by `ErrorFilter`. */
export class ApiError extends Error {
  readonly errors?: FieldErrors;
  readonly headers?: Readonly<Record<string, string>>;

  constructor(
    readonly status: number,
    message: string,
    options: ApiErrorOptions = {},
  ) {
    super(message);
    this.name = 'ApiError';
    this.errors = options.errors;
    this.headers = options.headers;
  }
}

/** 400. */
export function badRequest(message: string): ApiError {
  return new ApiError(400, message);
}

/** 401 for a missing, unknown or expired credential, and for one of the wrong kind. */
export function unauthorized(): ApiError {
  return new ApiError(401, 'Unauthorized.', { headers: { 'WWW-Authenticate': 'Bearer' } });
}

/** 403: the credential is good, the resource is somebody else's. */
export function forbidden(message = 'Forbidden.'): ApiError {
  return new ApiError(403, message);
}

/** 404. */
export function notFound(message = 'Not found.'): ApiError {
  return new ApiError(404, message);
}

/** 405 for a known path; `allowed` names the methods it has. */
export function methodNotAllowed(allowed: readonly string[]): ApiError {
  return new ApiError(405, 'Method not allowed.', { headers: { Allow: allowed.join(', ') } });
}

/** 409, which clients must not treat as transient (specification §7). */
export function conflict(message: string): ApiError {
  return new ApiError(409, message);
}

/** 413. */
export function payloadTooLarge(): ApiError {
  // The rest of the body is not read, so the connection cannot be used again.
  return new ApiError(413, 'Payload too large.', { headers: { Connection: 'close' } });
}

/** 415. */
export function unsupportedMediaType(): ApiError {
  return new ApiError(415, 'Unsupported media type. Send JSON with Content-Type: application/json.');
}

/** 422 with the messages of each field. */
export function validationFailed(errors: FieldErrors): ApiError {
  return new ApiError(422, 'Validation failed.', { errors });
}

/** 422 without `errors`, for refusals whose message the specification words (unknown phone, bad OTP). */
export function unprocessable(message: string): ApiError {
  return new ApiError(422, message);
}

/** 429. The text names the window, `Retry-After` the exact seconds left (decisions §2). */
export function tooManyAttempts(limit: {
  readonly windowSeconds: number;
  readonly retryAfterSeconds: number;
  readonly headers?: Readonly<Record<string, string>>;
}): ApiError {
  return new ApiError(429, `Too many attempts. Please try again in ${limit.windowSeconds} seconds.`, {
    headers: { ...limit.headers, 'Retry-After': String(Math.max(1, Math.ceil(limit.retryAfterSeconds))) },
  });
}

/** 503: the same request may be sent again after `retryAfterSeconds`. */
export function serviceUnavailable(retryAfterSeconds = 1, message = 'Service unavailable.'): ApiError {
  return new ApiError(503, message, { headers: { 'Retry-After': String(retryAfterSeconds) } });
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof ApiError;
}
