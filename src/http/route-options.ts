import { RequestMethod, SetMetadata, UseInterceptors } from '@nestjs/common';
import { CostlyReads } from './costly-reads.js';
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
  /** The rate limit policy that counts the requests of API tokens on the route per company. */
  readonly limit: string | undefined;
  /** Whether the route changes nothing: what a token that may only read is good for. */
  readonly isRead: boolean;
  /** Whether the route does anything, or only says that it does not yet. */
  readonly implemented: boolean;
  /** Whether the route honours `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Whether the handler reads a body; where it reads none, a caller may name nothing in one. */
  readonly readsBody: boolean;
  /** Whether the handler reads query parameters; where it reads none, a caller may send none. */
  readonly readsQuery: boolean;
}

const RATE_LIMIT = Symbol('RateLimit');
const IDEMPOTENT = Symbol('Idempotent');
const NOT_IMPLEMENTED = Symbol('NotImplemented');
/** Nest's own metadata key of a route's method. */
const METHOD = 'method';

/** The quota of everything that an API token reads. */
const READ_POLICY = 'pms-read';

/**
 * Counts the route's requests per company under a policy: of every `GET` it is that of reads, which makes a read of any
 * other method too. Others are for routes that only API tokens may call.
 */
export const RateLimited = (policy: string) => SetMetadata(RATE_LIMIT, policy);

/** The route honours `Idempotency-Key` (decisions §4). For routes that only API tokens may call. */
export const Idempotent = () => SetMetadata(IDEMPOTENT, true);

/** The route reads lists or histories: a few at once for each company, or operator, that asks. */
export const Costly = () => UseInterceptors(CostlyReads);

/** Whoever may call the route is answered 501, whatever is sent. */
export const NotImplemented = () => SetMetadata(NOT_IMPLEMENTED, true);

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

/** What does nothing yet among it. */
function changesNothing(handler: Handler, implemented: boolean, limit: string | undefined): boolean {
  const isGet = Reflect.getMetadata(METHOD, handler) === RequestMethod.GET;
  return !implemented || limit === READ_POLICY || isGet;
}

function readOptions(controller: Controller, handler: Handler): RouteOptions {
  const admitted = metadata<PrincipalKind[]>(ADMITTED_KINDS, controller, handler);
  const name = `${controller.name}.${handler.name}`;
  if (admitted === undefined) throw new Error(`${name} is neither @Authenticated nor @Public.`);
  const limit = metadata<string>(RATE_LIMIT, controller, handler);
  const implemented = metadata<boolean>(NOT_IMPLEMENTED, controller, handler) !== true;
  const isRead = changesNothing(handler, implemented, limit);
  const options = {
    admitted,
    role: metadata<OperatorRole>(LEAST_ROLE, controller, handler),
    limit: isRead ? READ_POLICY : limit,
    isRead,
    implemented,
    idempotent: metadata<boolean>(IDEMPOTENT, controller, handler) === true,
    readsBody: readsBody(controller, handler.name),
    readsQuery: admitted.length === 0 || readsQuery(controller, handler.name),
  };
  const perCompany = options.idempotent || (limit !== undefined && !isRead);
  if (perCompany && (admitted.length === 0 || admitted.some((kind) => kind !== 'api_token'))) {
    throw new Error(`${name} counts per company, which only @Authenticated('api_token') names.`);
  }
  return options;
}
