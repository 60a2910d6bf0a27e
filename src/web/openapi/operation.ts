import { planOf } from '../validation/dto-plan.js';
import { schemaOf, schemaOfField } from './dto-schema.js';
import { exampleOf } from './examples.js';
import { pascal } from './components.js';
import { HttpStatus } from '@nestjs/common';
import type { RouteDescription } from './answers.js';
import { ALWAYS_SENT, errorAnswer, errorsByStatus, headersNamed, IDEMPOTENCY_KEY } from './parts.js';
import { type ErrorCode, ERRORS } from '#kernel/errors/error-codes.js';
import { PATH_PARAMETERS } from './path-parameters.js';
import { named, object, says, text } from './schemas.js';
import type { JsonSchema } from '../validation/json-schema.js';
import type { Components } from './components.js';
import type { DescribedRoute } from './described-routes.js';

type Described = Record<string, unknown>;

const JSON_TYPE = 'application/json';
const NOT_MODIFIED = 304;
const SUCCESSES: Readonly<Record<number, string>> = {
  201: 'Success: something was created.',
  202: 'Accepted: the work goes on.',
  [NOT_MODIFIED]: 'Nothing has changed since.',
};
const UNAUTHORIZED = 401;
const FORBIDDEN = 403;
const TOO_MANY = 429;

const QUOTA = ['RateLimit-Policy', 'RateLimit'];
/** Statuses of requests that were counted. A handler that counts itself does so after the body was read. */
const COUNTED: ReadonlySet<number> = new Set([400, 404, 409, 413, 415, 422, 500, 503]);
const OF_BODY: ReadonlySet<number> = new Set([400, 413, 415]);
/** Statuses that are stored under an `Idempotency-Key`. */
const STORED: ReadonlySet<number> = new Set([403, 404, 409, 422]);
/** Headers of the earlier API. */
const DEPRECATION_HEADERS = ['Deprecation', 'Link', 'Sunset'];
/** Suffixes of names of answers, by header. */
const SUFFIXES: Readonly<Record<string, string>> = {
  RateLimit: 'Counted',
  'Idempotency-Replayed': 'Kept',
  Deprecation: 'Deprecated',
};

const message = says('For people. It may change.', text);
const ACKNOWLEDGEMENT = named('Acknowledgement', object({ message }));

const CALLERS = {
  api_token: 'an API token',
  tenant: "a tenant's token",
  operator: "an operator's session",
} as const;

/** Describes one route as an OpenAPI operation. */
export class Operation {
  readonly #route: DescribedRoute;

  /** @param responses collects answers that several operations share, by name */
  constructor(
    route: DescribedRoute,
    private readonly components: Components,
    private readonly responses: Described,
  ) {
    this.#route = route;
  }

  /** @param deprecated true for the earlier API */
  describe(deprecated: boolean): Described {
    const { description, path } = this.#route;
    const body = this.#requestBody();
    const parameters = this.#parameters();
    return {
      operationId: `${description.id}${surfaceOf(path)}`,
      summary: description.summary,
      description: this.#text(),
      tags: [tagOf(this.#route, deprecated)],
      ...(deprecated && !path.includes('/health') ? { deprecated } : {}),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: body }),
      security: this.#security(),
      responses: { ...this.#successes(deprecated), ...this.#refusals(deprecated) },
    };
  }

  /** The route's own description, then its callers. */
  #text(): string {
    const { description, options } = this.#route;
    const { admitted, role, idempotent } = options;
    const callers = admitted.map((kind) => CALLERS[kind]);
    const least = role === undefined ? '' : ` Least role: \`${role}\`.`;
    return [
      description.description,
      `Credential: ${callers.length === 0 ? 'none' : callers.join(', or ')}.${least}`,
      ...(idempotent ? ['Takes an `Idempotency-Key`.'] : []),
    ].join('\n\n');
  }

  #security(): Described[] {
    const { admitted } = this.#route.options;
    return admitted.flatMap((kind): Described[] =>
      kind === 'operator' ? [{ operator: [] }, { operator_cookie: [] }] : [{ [kind]: [] }],
    );
  }

  #parameters(): Described[] {
    const { path, query, options } = this.#route;
    const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, name]) => ({
      name: name!,
      in: 'path',
      required: true,
      description: PATH_PARAMETERS[name!],
      schema: { type: 'string' },
    }));
    const inQuery = (query === undefined ? [] : planOf(query).fields).map((field) => {
      const { description, ...schema } = schemaOfField(field);
      return { name: field.name, in: 'query', required: field.required, description, schema };
    });
    return [...inPath, ...inQuery, ...(options.idempotent ? [IDEMPOTENCY_KEY] : [])];
  }

  #requestBody(): Described | undefined {
    const { body, description } = this.#route;
    const schema = description.body ?? (body ? schemaOf(body) : undefined);
    if (schema === undefined) return undefined;
    // The example is in the schema, because generators warn about an example of a whole body.
    const shown = { ...schema, examples: [exampleOf(schema, {})] };
    const content = { [JSON_TYPE]: { schema: this.components.hoist(shown) } };
    // Bodies that handlers read by themselves must be there: their schemas do not say which fields go together.
    const isNeeded = description.body !== undefined || !takesNothing(schema);
    return { ...(isNeeded ? { required: true } : {}), content };
  }

  #successes(deprecated: boolean): Described {
    const { status, description, options } = this.#route;
    if (!options.implemented) return {};
    const statuses = [...new Set([status, ...(description.also ?? [])])].sort();
    return Object.fromEntries(statuses.map((one) => [one, this.#success(one, deprecated)]));
  }

  #success(status: number, deprecated: boolean): Described {
    const { description, options } = this.#route;
    const named = [
      ...ALWAYS_SENT,
      ...(this.#quota === 'answers' ? QUOTA : []),
      ...(options.idempotent ? ['Idempotency-Replayed'] : []),
      ...(deprecated ? DEPRECATION_HEADERS : []),
      ...(options.created !== undefined && status === Number(HttpStatus.CREATED) ? ['Location'] : []),
      ...(description.headers ?? []),
    ];
    return {
      description: SUCCESSES[status] ?? 'Success.',
      headers: headersNamed(named),
      ...(status === NOT_MODIFIED ? {} : { content: this.#content() }),
    };
  }

  #content(): Described {
    const { description } = this.#route;
    if (description.content !== undefined) {
      const { type, schema } = description.content;
      return { [type]: { schema: this.components.hoist(schema) } };
    }
    const schema = this.#envelope();
    const shown = exampleOf(schema, this.components.schemas) as object;
    const message = description.message ?? 'Request successful.';
    return { [JSON_TYPE]: { schema, example: { ...shown, message } } };
  }

  #envelope(): JsonSchema {
    const { description } = this.#route;
    const name = pascal(description.id);
    if (description.data === undefined) return this.components.hoist(ACKNOWLEDGEMENT);
    const { title = name } = description.data;
    const data = says('The answer itself.', this.components.hoist(description.data, `${name}Data`));
    return this.components.hoist(named(`${title}Answer`, object({ message, data })));
  }

  get #quota(): RouteDescription['quota'] {
    const { options, description } = this.#route;
    const isCounted = options.limit !== undefined || options.admitted.includes('operator');
    return isCounted ? 'answers' : description.quota;
  }

  #headersOfRefusal(status: number, deprecated: boolean): readonly string[] {
    const isKept = this.#route.options.idempotent && STORED.has(status);
    return [
      ...(this.#hasQuota(status) ? QUOTA : []),
      ...(isKept ? ['Idempotency-Replayed'] : []),
      ...(deprecated ? DEPRECATION_HEADERS : []),
    ];
  }

  /** Whether an answer with this status has the headers of the quota. */
  #hasQuota(status: number): boolean {
    if (status === TOO_MANY) return this.#quota !== undefined;
    if (this.#quota !== 'answers') return false;
    const { errors = [], quota } = this.#route.description;
    // A sign-in counts refused attempts.
    if (status === UNAUTHORIZED) return this.#route.options.admitted.length === 0;
    // A handler refuses operators whose rights do not suffice for what they ask.
    if (status === FORBIDDEN)
      return (
        errors.some((code) => code === 'no_access_then' || code === 'sign_on_required') ||
        this.#route.options.admitted.includes('operator')
      );
    return COUNTED.has(status) && (quota === undefined || !OF_BODY.has(status));
  }

  #refusals(deprecated: boolean): Described {
    return Object.fromEntries(
      errorsByStatus(this.#codes()).map(([status, codes]) => {
        const otherBody = this.#refusedSchema(codes);
        const headers = this.#headersOfRefusal(status, deprecated);
        const names = [
          ...(otherBody?.title === undefined ? [] : [otherBody.title]),
          ...codes.map(pascal),
        ].join('Or');
        const name = [names, ...headers.map((header) => SUFFIXES[header] ?? '')].join('');
        this.responses[name] ??= errorAnswer(
          status,
          codes,
          headers,
          otherBody && this.components.hoist(otherBody),
        );
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  /** The other body of an error with one of the codes. */
  #refusedSchema(codes: readonly ErrorCode[]): JsonSchema | undefined {
    const refused = this.#route.description.refused;
    return refused?.codes.some((code) => codes.includes(code)) === true ? refused.schema : undefined;
  }

  /** An operator of some companies gets 404 for things of other companies (`demandScope`). */
  #outOfScope(): ErrorCode[] {
    const { path, query } = this.#route;
    const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => name!);
    const inQuery = query === undefined ? [] : planOf(query).fields.map(({ name }) => name);
    const codes = [...inPath, ...inQuery].map((name) => name.replace(/_id$/, '_not_found'));
    return codes.filter((code): code is ErrorCode => code in ERRORS);
  }

  #codes(): ErrorCode[] {
    const { description } = this.#route;
    return [
      ...(description.errors ?? []),
      ...this.#ofCredential(),
      ...this.#ofInput(),
      ...this.#ofDecorators(),
    ];
  }

  #ofCredential(): ErrorCode[] {
    const { admitted } = this.#route.options;
    if (admitted.length === 0) return [];
    const ofOperator = admitted.includes('operator') ? [...this.#outOfScope(), ...this.#ofSession()] : [];
    return [...ofOperator, 'unauthorized', 'forbidden', 'validation_failed', 'rate_limited'];
  }

  #ofSession(): ErrorCode[] {
    const { withoutFactor, withoutOwnPassword } = this.#route.options;
    return [
      ...(withoutOwnPassword ? [] : (['password_change_required'] as const)),
      ...(withoutFactor ? [] : (['second_factor_required'] as const)),
    ];
  }

  #ofInput(): ErrorCode[] {
    const { body, query, options } = this.#route;
    const takesInput = body !== undefined || query !== undefined;
    const looksAtBody = body !== undefined || !options.readsBody;
    return [
      ...(takesInput ? (['validation_failed'] as const) : []),
      ...(looksAtBody ? (['malformed_json', 'payload_too_large', 'unsupported_media_type'] as const) : []),
    ];
  }

  #ofDecorators(): ErrorCode[] {
    const { implemented, idempotent, limit, admitted } = this.#route.options;
    const writes = this.#route.method !== 'get' && admitted.length > 0;
    return [
      ...(implemented ? [] : (['not_implemented'] as const)),
      ...(idempotent ? (['idempotency_key_reused', 'request_in_progress'] as const) : []),
      ...(writes ? (['history_damaged'] as const) : []),
      ...(limit === undefined ? [] : (['rate_limited'] as const)),
    ];
  }
}

/** v1 and the API without a version share a document. */
function surfaceOf(path: string): string {
  if (/^\/api\/(v2|operator)(?=\/|$)/.test(path)) return '';
  if (path.startsWith('/api/v1')) return 'V1';
  return path.startsWith('/api') ? 'Unversioned' : 'Root';
}

function tagOf({ path, options: { admitted } }: DescribedRoute, deprecated: boolean): string {
  if (path.startsWith('/api/operator')) return 'Operator';
  if (/\/(health|openapi|docs|metrics|dashboard)/.test(path) || path === '/') return 'Service';
  if (!admitted.includes('api_token')) return 'Tenant';
  return deprecated ? 'PMS (earlier surface)' : 'PMS';
}

/** Whether a body may be without any field: then it may be left out, and counts as `{}`. */
function takesNothing({ required = [], minProperties = 0 }: JsonSchema): boolean {
  return required.length === 0 && minProperties === 0;
}
