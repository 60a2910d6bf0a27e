import { type ErrorBody, errorBody, errorOf, invalidField } from '#kernel/errors/api-error.js';
import { type ErrorCode, ERRORS, FIXES } from '#kernel/errors/error-codes.js';
import { errorCode, fieldErrors, fieldFaults, type Schema } from './schemas.js';
import type { JsonSchema } from '../validation/json-schema.js';

type Described = Readonly<Record<string, unknown>>;

const header = (description: string, schema: JsonSchema = { type: 'string' }) => ({ description, schema });

/** Headers of answers. Operations reference them. */
export const HEADERS = {
  'X-Request-Id': header(
    'Of the request, to be named in a report of a fault: the one that was sent, or a new one.',
  ),
  'RateLimit-Policy': header('The quota, `"pms-write";q=600;w=60`: so many requests in so many seconds.'),
  RateLimit: header('What is left of it, `"pms-write";r=599;t=60`.'),
  'Retry-After': header('Seconds after which the same request may be sent again.', { type: 'integer' }),
  'Idempotency-Replayed': header('`true` where this is the answer to an earlier request with the key.'),
  ETag: header('Of what the answer says, as long as it says the same; to be sent in `If-None-Match`.'),
  Deprecation: header('Since when the surface is deprecated (RFC 9745).'),
  Link: header('The route of v2 that does the same, as `rel="successor-version"`.'),
  Location: header('Path of what was created.'),
  Sunset: header('When the surface ends, where that is settled (RFC 8594).'),
  'WWW-Authenticate': header('`Bearer`.'),
  'Set-Cookie': header(
    'Knows the browser again: failures elsewhere do not count against it. It need not be kept.',
  ),
  'Access-Control-Allow-Origin': header('The origin of the page that asks. Only if `CORS_ORIGINS` names it.'),
  'Access-Control-Expose-Headers': header('The headers that such a page may read.'),
} as const satisfies Readonly<Record<string, Described>>;

export const SECURITY_SCHEMES: Readonly<Record<string, Described>> = {
  api_token: {
    type: 'http',
    scheme: 'bearer',
    description: "A company's API token: integrators' servers.",
  },
  tenant: { type: 'http', scheme: 'bearer', description: 'The token of a login by phone: apps of tenants.' },
  operator: { type: 'http', scheme: 'bearer', description: 'The session of an operator.' },
  operator_cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'operator_session',
    description:
      'The same session, as the dashboard keeps it; over TLS it is named `__Host-operator_session`.',
  },
};

export const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Any text, a fresh one for each operation and the same for its retries. The same key with the same request replays the first answer for 24 hours; with another request it is refused.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

export const TAGS = [
  { name: 'PMS', description: "Writes and reads of a company's units by its property management system." },
  { name: 'PMS (earlier surface)', description: 'Other paths for the writes of v2.' },
  { name: 'Tenant', description: 'Login, access and reports of white-label apps.' },
  { name: 'Operator', description: 'What runs facilities.' },
  { name: 'Webhooks', description: 'What the service sends to the systems of integrators.' },
  { name: 'Service', description: 'Health, this description, and what shows it.' },
];

export const ERROR_SCHEMA: Schema<ErrorBody> = {
  title: 'Error',
  type: 'object',
  required: ['message', 'code'],
  properties: {
    message: { type: 'string', description: 'For people.' },
    code: errorCode,
    hint: { type: 'string', description: 'For people: what to do about it. Not always there.' },
    errors: { ...fieldErrors, description: `${fieldErrors.description} Only with \`validation_failed\`.` },
    details: { ...fieldFaults, description: `${fieldFaults.description} Only with \`validation_failed\`.` },
  },
};

/** Errors of every operation. */
const ALWAYS: readonly ErrorCode[] = [
  'invalid_request',
  'request_timeout',
  'expectation_failed',
  'headers_too_large',
  'server_error',
  'store_unavailable',
  'starting',
  'shutting_down',
];

const OF_STATUS: Readonly<Record<number, readonly string[]>> = {
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

export function errorsByStatus(codes: readonly ErrorCode[]): [number, ErrorCode[]][] {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of new Set([...codes, ...ALWAYS])) {
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return [...byStatus].sort(([one], [other]) => one - other);
}

/** Headers of every answer. */
export const ALWAYS_SENT = ['X-Request-Id', 'Access-Control-Allow-Origin', 'Access-Control-Expose-Headers'];

export function headersNamed(names: readonly string[]): Described {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** The answers of one error status. @param more further headers @param besides another possible body */
export function errorAnswer(
  status: number,
  codes: readonly ErrorCode[],
  more: readonly string[],
  besides?: JsonSchema,
): Described {
  const error: JsonSchema = { $ref: '#/components/schemas/Error' };
  return {
    description: codes
      .map((code) => ERRORS[code].message)
      .filter(isFirst)
      .join(' '),
    headers: headersNamed([...ALWAYS_SENT, ...(OF_STATUS[status] ?? []), ...more]),
    content: {
      'application/json': {
        schema: besides === undefined ? error : { anyOf: [error, besides] },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function isFirst<T>(value: T, index: number, all: readonly T[]): boolean {
  return all.indexOf(value) === index;
}

/** One example for each code. Answers reference them. */
export const ERROR_EXAMPLES: Described = Object.fromEntries(
  Object.keys(ERRORS).map((code) => [
    code,
    {
      summary: FIXES[code as ErrorCode],
      value:
        code === 'validation_failed'
          ? errorBody(invalidField('name', 'required', 'The name field is required.'))
          : errorBody(errorOf(code as ErrorCode)),
    },
  ]),
);
