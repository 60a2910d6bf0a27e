import { SetMetadata } from '@nestjs/common';
import { ADMITTED_KINDS } from './authentication.js';
import { LEAST_ROLE } from './operator-access.js';
import { readsBody, readsQuery } from './validation/valid.js';
import type { Type } from '@nestjs/common';
import type { OperatorRole, PrincipalKind } from './authentication.js';

/** What the decorators of a route ask of the pipeline. */
export interface RouteOptions {
  /** Empty for a public route. */
  readonly admitted: readonly PrincipalKind[];
  /** The least role of an operator; set where operators are admitted. */
  readonly role: OperatorRole | undefined;
  /** The rate limit policy that counts the route's requests per company. */
  readonly limit: string | undefined;
  /** Whether the route honours `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Whether the handler reads a body; where it reads none, a caller may name nothing in one. */
  readonly readsBody: boolean;
  /** Whether the handler reads query parameters; where it reads none, a caller may send none. */
  readonly readsQuery: boolean;
}

const RATE_LIMIT = Symbol('RateLimit');
const IDEMPOTENT = Symbol('Idempotent');

/** Counts the route's requests per company under a policy. For routes that only API tokens may call. */
export const RateLimited = (policy: string) => SetMetadata(RATE_LIMIT, policy);

/** The route honours `Idempotency-Key` (decisions §4). For routes that only API tokens may call. */
export const Idempotent = () => SetMetadata(IDEMPOTENT, true);

type Handler = (...given: never[]) => unknown;
type Controller = Type;

const cache = new WeakMap<Controller, Map<Handler, RouteOptions>>();

function metadata<T>(key: symbol, controller: Controller, handler: Handler): T | undefined {
  return (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as T | undefined;
}

/**
 * The options of a route, read from metadata once.
 * @throws Error for a route that says neither who may call it nor that everybody may, or asks for a count per company
 *   without one.
 */
export function routeOptions(controller: Controller, handler: Handler): RouteOptions {
  let handlers = cache.get(controller);
  if (handlers === undefined) cache.set(controller, (handlers = new Map<Handler, RouteOptions>()));
  let options = handlers.get(handler);
  if (options === undefined) handlers.set(handler, (options = readOptions(controller, handler)));
  return options;
}

function readOptions(controller: Controller, handler: Handler): RouteOptions {
  const admitted = metadata<PrincipalKind[]>(ADMITTED_KINDS, controller, handler);
  const name = `${controller.name}.${handler.name}`;
  if (admitted === undefined) throw new Error(`${name} is neither @Authenticated nor @Public.`);
  const options = {
    admitted,
    role: metadata<OperatorRole>(LEAST_ROLE, controller, handler),
    limit: metadata<string>(RATE_LIMIT, controller, handler),
    idempotent: metadata<boolean>(IDEMPOTENT, controller, handler) ?? false,
    readsBody: readsBody(controller, handler.name),
    readsQuery: admitted.length === 0 || readsQuery(controller, handler.name),
  };
  const perCompany = options.limit !== undefined || options.idempotent;
  if (perCompany && (admitted.length === 0 || admitted.some((kind) => kind !== 'api_token'))) {
    throw new Error(`${name} counts per company, which only @Authenticated('api_token') names.`);
  }
  return options;
}
