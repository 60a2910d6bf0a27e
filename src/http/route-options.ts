import { applyDecorators, RequestMethod, SetMetadata, UseInterceptors } from '@nestjs/common';
import { CostlyReads } from './costly-reads.js';
import { ADMITTED_KINDS } from './authentication.js';
import { LocationOfCreated } from './pipeline/answer.js';
import { LEAST_ROLE, WITHOUT_SECOND_FACTOR } from './operator-access.js';
import { readsBody, readsQuery } from './validation/valid.js';
import type { Type } from '@nestjs/common';
import type { OperatorRole, PrincipalKind } from './authentication.js';

/** The wishes of a route's decorators to the pipeline. */
export interface RouteOptions {
  /** Empty for a public route. */
  readonly admitted: readonly PrincipalKind[];
  /** The least role of an operator; set where operators are admitted. */
  readonly role: OperatorRole | undefined;
  /** Whether a session that lacks the second factor that is demanded may call it. */
  readonly withoutFactor: boolean;
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
  /** Whether the route answers with a page, and takes a form where it takes a body. */
  readonly isPage: boolean;
  /** Field of the answer's data that a kept answer leaves out. */
  readonly secret: string | undefined;
  /** Whether a long answer may be compressed, to who names a credential in a header where one is needed. */
  readonly compresses: boolean;
  /** Template of the path at which is read what a 201 created. */
  readonly created: string | undefined;
  /** Whether the handler reads query parameters; where it reads none, a caller may send none. */
  readonly readsQuery: boolean;
}

const RATE_LIMIT = Symbol('RateLimit');
const IDEMPOTENT = Symbol('Idempotent');
const NOT_IMPLEMENTED = Symbol('NotImplemented');
const PAGE = Symbol('Page');
const SECRETS = Symbol('Secrets');
const CREATED = Symbol('Created');
/** Nest's own metadata key of a route's method. */
const METHOD = 'method';

/** The quota of everything that an API token reads. */
const READ_POLICY = 'pms-read';

/**
 * Counts the route's requests per company under a policy: of every `GET` it is that of reads, which makes a read of any
 * other method too. Others are for routes that only API tokens may call.
 */
export const RateLimited = (policy: string) => SetMetadata(RATE_LIMIT, policy);

/**
 * The route honours `Idempotency-Key` (decisions §4). For routes that API tokens or operators alone may call. Each POST of
 * the operator API honours it without this decorator, except sign-in and second factor (decisions §6).
 */
export const Idempotent = () => SetMetadata(IDEMPOTENT, true);

/** The route reads lists or histories: a few at once for each company, or operator, that asks. */
export const Costly = () => UseInterceptors(CostlyReads);

/**
 * A 201 of the route says in `Location` where the new thing is read.
 * @param template its path, filled with the parameters of the request's path and the fields of the answer's data
 */
export const Creates = (template: string) =>
  applyDecorators(SetMetadata(CREATED, template), UseInterceptors(new LocationOfCreated(template)));

/** The routes of a controller answer with pages for a browser: bodies are forms, which only a page of the same origin may send. */
export const AnswersPages = () => SetMetadata(PAGE, true);

/**
 * The answer holds a secret. It is never compressed: the length of a compressed answer tells of its content (BREACH).
 * @param field of `data` that is null in the answer that is kept under an `Idempotency-Key`
 */
export const HoldsSecrets = (field?: string) => SetMetadata(SECRETS, field ?? true);

/** Every caller of the route is answered 501, whatever they send. */
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

/** True also for a route that does nothing yet. */
function changesNothing(handler: Handler, implemented: boolean, limit: string | undefined): boolean {
  const isGet = Reflect.getMetadata(METHOD, handler) === RequestMethod.GET;
  return !implemented || limit === READ_POLICY || isGet;
}

function isOperatorPost(admitted: readonly PrincipalKind[], handler: Handler): boolean {
  const isPost = Reflect.getMetadata(METHOD, handler) === RequestMethod.POST;
  return isPost && admitted.length === 1 && admitted[0] === 'operator';
}

/**
 * Never compress keys of tenants, sign-ins, and pages that a browser requests with a cookie. On other routes the
 * pipeline looks how the request is authenticated.
 */
function mayCompress({
  admitted,
  isPage,
  isRead,
}: Pick<RouteOptions, 'admitted' | 'isPage' | 'isRead'>): boolean {
  if (admitted.length === 0) return isRead;
  return !isPage && !admitted.includes('tenant');
}

function readOptions(controller: Controller, handler: Handler): RouteOptions {
  const admitted = metadata<PrincipalKind[]>(ADMITTED_KINDS, controller, handler);
  const name = `${controller.name}.${handler.name}`;
  if (admitted === undefined) throw new Error(`${name} is neither @Authenticated nor @Public.`);
  const limit = metadata<string>(RATE_LIMIT, controller, handler);
  const implemented = metadata<boolean>(NOT_IMPLEMENTED, controller, handler) !== true;
  const isRead = changesNothing(handler, implemented, limit);
  const withoutFactor = metadata<boolean>(WITHOUT_SECOND_FACTOR, controller, handler) === true;
  const isPage = metadata<boolean>(PAGE, controller, handler) === true;
  const secret = metadata<string | true>(SECRETS, controller, handler);
  const options = {
    admitted,
    role: metadata<OperatorRole>(LEAST_ROLE, controller, handler),
    withoutFactor,
    limit: isRead ? READ_POLICY : limit,
    isRead,
    implemented,
    idempotent:
      metadata<boolean>(IDEMPOTENT, controller, handler) === true ||
      (isOperatorPost(admitted, handler) && !isPage && !withoutFactor),
    isPage,
    secret: secret === true ? undefined : secret,
    compresses: secret === undefined && mayCompress({ admitted, isPage, isRead }),
    created: metadata<string>(CREATED, controller, handler),
    readsBody: readsBody(controller, handler.name),
    readsQuery: admitted.length === 0 || readsQuery(controller, handler.name),
  };
  demandKeeper(name, options, limit !== undefined && !isRead);
  return options;
}

/** Counts and kept answers belong to a caller. @throws Error if the route's callers do not say to whom */
function demandKeeper(
  name: string,
  { admitted, idempotent }: Pick<RouteOptions, 'admitted' | 'idempotent'>,
  perCompany: boolean,
): void {
  if (idempotent && (admitted.length !== 1 || admitted[0] === 'tenant')) {
    throw new Error(`${name} is idempotent, and cannot tell whose a key is.`);
  }
  if (perCompany && (admitted.length === 0 || admitted.some((kind) => kind !== 'api_token'))) {
    throw new Error(`${name} counts per company, which only @Authenticated('api_token') names.`);
  }
}
