import { RequestMethod, SetMetadata, UseInterceptors, type Type } from '@nestjs/common';
import { CostlyReads } from './costly-reads.js';
import { ADMITTED_KINDS } from './authentication.js';
import {
  LEAST_ROLE,
  SITE_ACCESS,
  type SiteAccess,
  WITHOUT_OWN_PASSWORD,
  WITHOUT_SECOND_FACTOR,
} from './operator-access.js';
import { readsBody, readsQuery } from './validation/parameters.js';
import type { OperatorRole, PrincipalKind } from '#kernel/principals.js';

/** The decorators of a route, as the pipeline reads them. */
export interface RouteOptions {
  /** Empty for a public route. */
  readonly admitted: readonly PrincipalKind[];
  /** The least role of an operator; undefined if operators are not admitted. */
  readonly role: OperatorRole | undefined;
  /** How it serves operators of sites; undefined: it refuses them. */
  readonly siteAccess: SiteAccess | undefined;
  /** Whether a session without the required second factor may call it. */
  readonly withoutFactor: boolean;
  /** Whether a session with a password that somebody else made may call it. */
  readonly withoutOwnPassword: boolean;
  /** The rate limit policy that counts requests of API tokens per company, and of tenants per tenant. Operators have one for all routes. */
  readonly limit: string | undefined;
  /** Whether the route changes nothing, so that a token with scope `read` may call it. */
  readonly isRead: boolean;
  /** False: the route answers 501. */
  readonly implemented: boolean;
  /** Whether the route honours `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Whether the handler reads a body. Otherwise fields in a body are refused. */
  readonly readsBody: boolean;
  /** Whether the route answers a page, and reads forms instead of JSON. */
  readonly isPage: boolean;
  /** Whether a form of any origin may be sent to it. */
  readonly isProvenByAddress: boolean;
  /** Whether a form in multipart/form-data is taken, and counts as an empty one. */
  readonly takesAnyForm: boolean;
  /** The field of the answer's data that a stored answer leaves out. */
  readonly secret: string | undefined;
  /** Whether a long answer may be compressed, unless the request is authenticated by a cookie. */
  readonly compresses: boolean;
  /** Template of the path of the thing that a 201 created. */
  readonly created: string | undefined;
  /** Whether the handler reads query parameters. Otherwise they are refused. */
  readonly readsQuery: boolean;
}

const RATE_LIMIT = Symbol('RateLimit');
const IDEMPOTENT = Symbol('Idempotent');
const WITHOUT_KEY = Symbol('WithoutKey');
const NOT_IMPLEMENTED = Symbol('NotImplemented');
const PAGE = Symbol('Page');
const PROVEN_BY_ADDRESS = Symbol('ProvenByAddress');
const ANY_FORM = Symbol('AnyForm');
const SECRETS = Symbol('Secrets');
const CREATED = Symbol('Created');
/** Nest's own metadata key of a route's method. */
const METHOD = 'method';

/** The policy of all reads of an API token. */
const READ_POLICY = 'pms-read';
/** The policy of all reads of a tenant. */
export const TENANT_READ_POLICY = 'tenant-reads';

/**
 * Counts the route's requests per company, or per tenant, before the body is read. `GET` routes of API tokens and of tenants
 * have their policy of reads, whatever this decorator says. With `pms-read`, a route of another method counts as a read. Other
 * policies are for routes of API tokens alone, or of tenants alone.
 */
export const RateLimited = (policy: string) => SetMetadata(RATE_LIMIT, policy);

/**
 * The route honours `Idempotency-Key` (decisions §4). For routes that one kind of callers may call. Each POST of
 * the operator API honours it without this decorator, except sign-in, second factor (decisions §6) and {@link WithoutKey}.
 */
export const Idempotent = () => SetMetadata(IDEMPOTENT, true);

/** The POST of the operator API only reads, so it takes no `Idempotency-Key`, and its answer is not kept (decisions §4). */
export const WithoutKey = () => SetMetadata(WITHOUT_KEY, true);

/** The route reads lists or histories. Only a few of them run at once for each company or operator. */
export const Costly = () => UseInterceptors(CostlyReads);

/**
 * Sets `Location` in a 201.
 * @param template the path, with placeholders for path parameters and fields of the answer's data
 */
export const Creates = (template: string) => SetMetadata(CREATED, template);

/** The controller answers pages for browsers. Bodies are forms, and only pages of the same origin may send them. */
export const AnswersPages = () => SetMetadata(PAGE, true);

/**
 * The path holds a secret without which nothing happens, so a form needs no proof of its origin: a page that sends no `Referer`
 * sends no `Origin` either.
 */
export const ProvenByAddress = () => SetMetadata(PROVEN_BY_ADDRESS, true);

/** The handler uses no field of its form, so the form may have any encoding: mail programs choose it (RFC 8058). */
export const TakesAnyForm = () => SetMetadata(ANY_FORM, true);

/**
 * The answer contains a secret. It is never compressed, because its length could reveal the secret (BREACH).
 * @param field the field of `data` that is null in the answer stored under an `Idempotency-Key`
 */
export const HoldsSecrets = (field?: string) => SetMetadata(SECRETS, field ?? true);

/** The route answers every request with 501. */
export const NotImplemented = () => SetMetadata(NOT_IMPLEMENTED, true);

type Handler = (...given: never[]) => unknown;
type Controller = Type;

const cache = new WeakMap<Controller, Map<Handler, RouteOptions>>();

function metadata<T>(key: symbol, controller: Controller, handler: Handler): T | undefined {
  return (Reflect.getMetadata(key, handler) ?? Reflect.getMetadata(key, controller)) as T | undefined;
}

/**
 * The options of a route. Reads the metadata once.
 * @throws Error for a route without access control, or with a limit for callers that it cannot count
 */
export function routeOptions(controller: Controller, handler: Handler): RouteOptions {
  let handlers = cache.get(controller);
  if (handlers === undefined) cache.set(controller, (handlers = new Map<Handler, RouteOptions>()));
  let options = handlers.get(handler);
  if (options === undefined) handlers.set(handler, (options = readOptions(controller, handler)));
  return options;
}

/** Also true for a route that is not implemented. */
function changesNothing(handler: Handler, implemented: boolean, limit: string | undefined): boolean {
  const isGet = Reflect.getMetadata(METHOD, handler) === RequestMethod.GET;
  return !implemented || limit === READ_POLICY || isGet;
}

function limitOfRead(admitted: readonly PrincipalKind[]): string | undefined {
  if (admitted.includes('api_token')) return READ_POLICY;
  return admitted.includes('tenant') ? TENANT_READ_POLICY : undefined;
}

/** A POST of the operator API that changes something. */
function isOperatorPost(admitted: readonly PrincipalKind[], handler: Handler): boolean {
  if (Reflect.getMetadata(WITHOUT_KEY, handler) === true) return false;
  const isPost = Reflect.getMetadata(METHOD, handler) === RequestMethod.POST;
  return isPost && admitted.length === 1 && admitted[0] === 'operator';
}

/**
 * Keys of tenants, sign-ins and pages are never compressed. On other routes it depends on how the request is
 * authenticated.
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
    siteAccess: metadata<SiteAccess>(SITE_ACCESS, controller, handler),
    withoutFactor,
    withoutOwnPassword: metadata<boolean>(WITHOUT_OWN_PASSWORD, controller, handler) === true,
    limit: isRead ? limitOfRead(admitted) : limit,
    isRead,
    implemented,
    idempotent:
      metadata<boolean>(IDEMPOTENT, controller, handler) === true ||
      (isOperatorPost(admitted, handler) && !isPage && !withoutFactor),
    isPage,
    isProvenByAddress: metadata<boolean>(PROVEN_BY_ADDRESS, controller, handler) === true,
    takesAnyForm: metadata<boolean>(ANY_FORM, controller, handler) === true,
    secret: secret === true ? undefined : secret,
    compresses: secret === undefined && mayCompress({ admitted, isPage, isRead }),
    created: metadata<string>(CREATED, controller, handler),
    readsBody: readsBody(controller, handler.name),
    readsQuery: admitted.length === 0 || readsQuery(controller, handler.name),
  };
  assertOwner(name, options, limit !== undefined && !isRead);
  return options;
}

/** Counts and stored answers need an owner. @throws Error if callers of the route have none */
function assertOwner(
  name: string,
  { admitted, idempotent }: Pick<RouteOptions, 'admitted' | 'idempotent'>,
  isCounted: boolean,
): void {
  if (idempotent && admitted.length !== 1) {
    throw new Error(`${name} is idempotent, but the owner of a key is unknown.`);
  }
  if (isCounted && (admitted.length !== 1 || admitted[0] === 'operator')) {
    throw new Error(`${name} has a rate limit, but the owner of a request is unknown.`);
  }
}
