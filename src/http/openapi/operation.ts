import { planOf } from '../validation/dto-plan.js';
import { schemaOf, schemaOfField } from './dto-schema.js';
import { exampleOf } from './examples.js';
import { errorAnswer, errorsByStatus, IDEMPOTENCY_KEY } from './parts.js';
import { type ErrorCode, ERRORS } from '../error-codes.js';
import type { JsonSchema } from '../validation/json-schema.js';
import type { Components } from './components.js';
import type { DescribedRoute } from './described-routes.js';

type Described = Record<string, unknown>;

const JSON_TYPE = 'application/json';
const NOT_MODIFIED = 304;

const PATH_KEYS: Readonly<Record<string, string>> = {
  crm_unit_id:
    "The integrator's name of the unit, percent-encoded, or `ulid:` and the service's own `unit_id`.",
};

/** One route as an operation of the document. */
export class Operation {
  readonly #route: DescribedRoute;

  /** @param responses where answers that several operations give are kept, by their names */
  constructor(
    route: DescribedRoute,
    private readonly components: Components,
    private readonly responses: Described,
  ) {
    this.#route = route;
  }

  /** @param deprecated the route is of an earlier surface */
  describe(deprecated: boolean): Described {
    const { description, path, handler } = this.#route;
    const body = this.#requestBody();
    const parameters = this.#parameters();
    return {
      operationId: operationId(this.#route),
      summary: description?.summary ?? handler,
      ...(description?.description === undefined ? {} : { description: description.description }),
      tags: [tagOf(this.#route, deprecated)],
      ...(deprecated && !path.includes('/health') ? { deprecated } : {}),
      ...(parameters.length === 0 ? {} : { parameters }),
      ...(body === undefined ? {} : { requestBody: body }),
      security: this.#security(),
      responses: { ...this.#successes(deprecated), ...this.#refusals() },
    };
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
      ...(PATH_KEYS[name!] === undefined ? {} : { description: PATH_KEYS[name!] }),
      schema: { type: 'string' },
    }));
    const inQuery = (query === undefined ? [] : planOf(query).fields).map((field) => ({
      name: field.name,
      in: 'query',
      required: field.required,
      schema: schemaOfField(field),
    }));
    return [...inPath, ...inQuery, ...(options.idempotent ? [IDEMPOTENCY_KEY] : [])];
  }

  #requestBody(): Described | undefined {
    const { body, description } = this.#route;
    const schema = description?.body ?? (body ? schemaOf(body) : undefined);
    if (schema === undefined) return undefined;
    const told = this.components.hoist(schema);
    const example = exampleOf(told, this.components.schemas);
    return { required: true, content: { [JSON_TYPE]: { schema: told, example } } };
  }

  #successes(deprecated: boolean): Described {
    const { status, description, options } = this.#route;
    if (!options.implemented) return {};
    const statuses = [...new Set([status, ...(description?.also ?? [])])].sort();
    return Object.fromEntries(statuses.map((one) => [one, this.#success(one, deprecated)]));
  }

  #success(status: number, deprecated: boolean): Described {
    const { description, options } = this.#route;
    const shared = [
      'X-Request-Id',
      ...(options.limit !== undefined && options.admitted.includes('api_token')
        ? ['RateLimit-Policy', 'RateLimit']
        : []),
      ...(options.idempotent ? ['Idempotency-Replayed'] : []),
      ...(deprecated ? ['Deprecation', 'Link', 'Sunset'] : []),
      ...(description?.headers ?? []),
    ];
    return {
      description: status === NOT_MODIFIED ? 'Nothing has changed since.' : 'Success.',
      headers: Object.fromEntries(shared.map((name) => [name, { $ref: `#/components/headers/${name}` }])),
      ...(status === NOT_MODIFIED ? {} : { content: this.#content() }),
    };
  }

  #content(): Described {
    const { description } = this.#route;
    if (description?.content !== undefined) {
      const { type, schema } = description.content;
      return { [type]: { schema: this.components.hoist(schema) } };
    }
    const data = description?.data === undefined ? undefined : this.components.hoist(description.data);
    const schema: JsonSchema = {
      type: 'object',
      required: ['message', ...(data === undefined ? [] : ['data'])],
      properties: { message: { type: 'string' }, ...(data === undefined ? {} : { data }) },
    };
    const shown = exampleOf(schema, this.components.schemas) as object;
    const message = description?.message ?? 'Request successful.';
    return { [JSON_TYPE]: { schema, example: { ...shown, message } } };
  }

  #refusals(): Described {
    return Object.fromEntries(
      errorsByStatus(this.#codes()).map(([status, codes]) => {
        const name = codes.map(pascal).join('Or');
        this.responses[name] ??= errorAnswer(status, codes);
        return [status, { $ref: `#/components/responses/${name}` }];
      }),
    );
  }

  /** To an operator of some companies, what a request names of others is not there (`demandScope`). */
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
      ...(description?.errors ?? []),
      ...this.#ofCredential(),
      ...this.#ofInput(),
      ...this.#ofDecorators(),
    ];
  }

  #ofCredential(): ErrorCode[] {
    const { admitted } = this.#route.options;
    if (admitted.length === 0) return [];
    const outOfScope = admitted.includes('operator') ? this.#outOfScope() : [];
    return [...outOfScope, 'unauthorized', 'forbidden', 'validation_failed', 'rate_limited'];
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
    const { implemented, idempotent, limit } = this.#route.options;
    return [
      ...(implemented ? [] : (['not_implemented'] as const)),
      ...(idempotent ? (['idempotency_key_reused', 'request_in_progress'] as const) : []),
      ...(limit === undefined ? [] : (['rate_limited'] as const)),
    ];
  }
}

function operationId({ handler, path }: DescribedRoute): string {
  const [controller = '', name = ''] = handler.replace('Controller', '').split('.');
  const version =
    /^\/api\/(v\d|operator)/.exec(path)?.[1] ?? (path.startsWith('/api') ? 'unversioned' : 'root');
  const wild = path.includes('*') ? '_below' : '';
  return `${controller.charAt(0).toLowerCase()}${controller.slice(1)}_${name}_${version}${wild}`;
}

function tagOf({ path, options: { admitted } }: DescribedRoute, deprecated: boolean): string {
  if (path.startsWith('/api/operator')) return 'Operator';
  if (/\/(health|openapi|docs|metrics|dashboard)/.test(path) || path === '/') return 'Service';
  if (!admitted.includes('api_token')) return 'Tenant';
  return deprecated ? 'PMS (earlier surface)' : 'PMS';
}

function pascal(code: string): string {
  return code.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}
