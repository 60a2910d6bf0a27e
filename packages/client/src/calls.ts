import createClient from 'openapi-fetch';
import { KEYED_WRITES, type paths } from './generated/openapi.js';
import type { Data, Inputs, Method, Operation, PathOf, ServiceErrorBody } from './routes.js';
import { ServiceError } from './service.error.js';
import type { ClientEnvironment } from './client-environment.js';
import type { Transport } from './transport.js';
import type { WebHeaders, WebSignal } from './web.js';

export interface Answer<T> {
  readonly status: number;
  readonly message: string;
  readonly data: T;
  readonly headers: WebHeaders;
}

export interface CallOptions {
  /** Replaces the key that each write gets otherwise. */
  readonly idempotency_key?: string;
  /** True: the caller knows that the request may be sent twice. */
  readonly repeatable?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: WebSignal;
}

type Optional<T> = Partial<T> extends T ? [given?: T] : [given: T];

export type Given<M extends Method, P extends PathOf<M>> = Optional<Inputs<Operation<M, P>> & CallOptions>;

interface AnyGiven extends CallOptions {
  readonly path?: object;
  readonly query?: object;
  readonly body?: unknown;
}

interface Outcome {
  readonly data?: unknown;
  readonly error?: unknown;
  readonly response: Response;
}

type Send = (method: string, path: string, init: object) => Promise<Outcome>;

/** A repeated request with these methods has no further effect. */
const IDEMPOTENT_METHODS: ReadonlySet<Method> = new Set(['GET', 'PUT', 'DELETE']);

/** Calls any route of the service, with types from its description. */
export class Calls {
  readonly #send: Send;

  constructor(
    private readonly transport: Transport,
    private readonly environment: Pick<ClientEnvironment, 'newKey'>,
    baseUrl: string,
    token: string | undefined,
  ) {
    const client = createClient<paths>({
      baseUrl,
      ...(token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } }),
    });
    // `call` has the types of the description already, so the library's own types are not needed.
    this.#send = client.request as unknown as Send;
  }

  /**
   * Calls a route. If the route takes an `Idempotency-Key`, all repetitions send the same key.
   * @throws ServiceError for every answer except success and 304, and if no answer came
   */
  async call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    ...given: Given<M, P>
  ): Promise<Answer<Data<Operation<M, P>>>> {
    const { path: inPath, query, body, ...options } = (given[0] ?? {}) as AnyGiven;
    const isKeyed = KEYED_WRITES.has(`${method} ${path}`);
    const repeatable = options.repeatable ?? (isKeyed || IDEMPOTENT_METHODS.has(method));
    const init = {
      params: { path: inPath, query },
      body,
      ...(options.signal === undefined ? {} : { signal: options.signal }),
      headers: {
        ...options.headers,
        ...(isKeyed ? { 'Idempotency-Key': options.idempotency_key ?? this.environment.newKey() } : {}),
      },
      fetch: (request: Request) => this.transport.send(request, repeatable),
    };
    return answerOf(await readable(this.#send(method.toLowerCase(), path, init)));
  }
}

/** An answer that is not JSON does not come from the service. */
async function readable(sent: Promise<Outcome>): Promise<Outcome> {
  try {
    return await sent;
  } catch (error) {
    if (error instanceof SyntaxError) throw notTheService(null);
    throw error;
  }
}

function answerOf<T>({ data, error, response }: Outcome): Answer<T> {
  const { status, headers } = response;
  if (response.ok || status === 304) {
    const { message = '', data: inside } = (data ?? {}) as { message?: string; data?: unknown };
    return { status, message, data: inside as T, headers };
  }
  throw refusalOf(error, response);
}

function refusalOf(error: unknown, { status, headers }: Response): ServiceError {
  const { message, code, hint, errors, details } = (error ?? {}) as Partial<ServiceErrorBody>;
  if (typeof message !== 'string' || typeof code !== 'string') return notTheService(status);
  return new ServiceError({
    status,
    code,
    message,
    hint: hint ?? null,
    request_id: headers.get('x-request-id'),
    // The service sends seconds, never a date.
    retry_after: headers.has('retry-after') ? Number(headers.get('retry-after')) : null,
    ...(errors === undefined ? {} : { errors }),
    ...(details === undefined ? {} : { details }),
  });
}

function notTheService(status: number | null): ServiceError {
  return new ServiceError({
    status,
    code: 'not_the_service',
    message: 'The answer does not come from the service. Check the address, and proxies in between.',
  });
}
