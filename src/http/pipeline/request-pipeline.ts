import { createSecretKey, type KeyObject } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import type { Request, Response } from 'express';
import { REQUEST_HASH_KEY } from '../../config/injection-tokens.js';
import { errorOf, RequestEndedError, unauthorized } from '../api-error.js';
import {
  OPERATOR_COOKIE,
  type Principal,
  type PrincipalKind,
  TOKEN_VERIFIERS,
  type TokenVerifiers,
} from '../authentication.js';
import { CallerBounds } from '../caller-bounds.js';
import { cookieOf, LONGEST_TOKEN } from '../cookies.js';
import { demandFactor, demandOwn, demandRole, demandScope, OWNERS, type Owners } from '../operator-access.js';
import { contextOf, type OpenRequestContext } from '../request-context.js';
import { type RouteOptions, routeOptions } from '../route-options.js';
import { demandSameOrigin, isForeign } from '../same-origin.js';
import { refuseFields } from '../validation/valid.js';
import { announceSuccessor } from '../versions.js';
import { replay } from './answer.js';
import { type Claim, Idempotency, type KnownKey } from './idempotency.js';
import { type Counter, RateLimits } from './rate-limits.js';
import { demandObject, hasLargeBody, readBody } from './read-body.js';
import { recordIdOf, requestHash } from './request-key.js';
import type { Reservation } from './reservation.js';

interface Arriving {
  readonly request: Request;
  readonly response: Response;
  readonly route: RouteOptions;
  readonly context: OpenRequestContext;
}

const READS_ONLY = 'This API token may only read. Use one of scope `write`.';

/** Authenticates callers and checks their rights. */
@Injectable()
export class Authentication {
  constructor(
    @Inject(TOKEN_VERIFIERS) private readonly verifiers: TokenVerifiers,
    @Optional() @Inject(OWNERS) private readonly owners: Owners = {},
  ) {}

  /**
   * Sets the principal in the context. Called again after each wait, because rights may have changed.
   * @throws ApiError 401; 403 without the required right; 404 outside of the operator's companies
   * @throws StoreUnavailableError
   */
  async admit({ request, context, route }: Arriving): Promise<void> {
    const { admitted, role = 'admin', isRead, withoutFactor } = route;
    const principal = await authenticate(request, admitted, this.verifiers);
    context.principal = principal;
    context.actor = { kind: principal.kind, id: principal.id };
    if (principal.kind === 'api_token' && principal.scope === 'read' && !isRead)
      throw errorOf('forbidden', { hint: READS_ONLY });
    if (principal.kind !== 'operator') return;
    demandFactor(principal, withoutFactor);
    demandRole(principal, role);
    await demandScope(principal, request, this.owners);
  }

  /** Checks the ids in an operator's form, like those in the path. @throws ApiError 404. @throws StoreUnavailableError */
  async admitForm({ request: { body }, context: { principal } }: Arriving): Promise<void> {
    if (principal?.kind !== 'operator' || body === undefined) return;
    await demandOwn(principal, body as Record<string, unknown>, this.owners);
  }
}

/**
 * The steps of a request before its handler: authenticate, look up the key, count, read the body, claim the key. `answer.ts`
 * is the last step. One guard does all steps, because each guard costs every request time.
 */
@Injectable()
export class RequestPipeline implements CanActivate {
  constructor(
    private readonly authentication: Authentication,
    private readonly keys: Idempotency,
    private readonly limits: RateLimits,
    private readonly bounds: CallerBounds,
    @Optional()
    @Inject(REQUEST_HASH_KEY)
    private readonly hashKey: KeyObject = createSecretKey(Buffer.alloc(32)),
  ) {}

  canActivate(execution: ExecutionContext): Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const context = contextOf(request);
    if (context === undefined) throw new Error('configureApplication was not called.');
    const handler = execution.getHandler() as (...given: never[]) => unknown;
    const route = routeOptions(execution.getClass(), handler);
    return this.#admit({ request, response: http.getResponse<Response>(), route, context });
  }

  async #admit(arriving: Arriving): Promise<boolean> {
    const { request, response, route } = arriving;
    await this.#authenticate(arriving);
    const key =
      route.idempotent && request.headers['idempotency-key'] !== undefined
        ? await this.#lookUp(arriving)
        : undefined;
    if (key?.isTaken === true) await this.#readRepeat(arriving);
    else {
      await this.#count(arriving);
      await this.#readBody(arriving);
    }
    if (response.hasHeader('Deprecation')) announceSuccessor(request, response);
    if (key !== undefined) await this.#claim(arriving, key);
    if (route.isPage) await this.authentication.admitForm(arriving);
    // From here on, a refusal is stored as the answer for retries.
    if (!route.readsBody) refuseFields(request.body as object | undefined);
    if (!route.readsQuery) refuseFields(request.query);
    return true;
  }

  async #authenticate(arriving: Arriving): Promise<void> {
    const { request, route, context } = arriving;
    context.compresses = route.compresses && !mayBeByCookie(request, route);
    context.secret = route.secret;
    context.created = route.created;
    if (route.admitted.length > 0) {
      context.demandRights = () => this.authentication.admit(arriving);
      await this.authentication.admit(arriving);
    }
    if (!route.implemented) throw errorOf('not_implemented');
    if (route.isPage && !route.isRead) demandSameOrigin(request);
  }

  #lookUp({ request, context }: Arriving): Promise<KnownKey> {
    return this.keys.lookUp(recordIdOf(request, keyOwner(context.principal)));
  }

  /** @throws ApiError 429 */
  #count(arriving: Arriving): Promise<void> | undefined {
    const counter = counterOf(arriving);
    return counter && this.limits.enforce(...counter, arriving.response);
  }

  /** A replay takes no point, but a body that cannot be read is no replay (decisions §3). */
  async #readRepeat(arriving: Arriving): Promise<void> {
    try {
      await this.#readBody(arriving);
    } catch (refusal) {
      await this.#countAnyhow(arriving);
      throw refusal;
    }
  }

  async #readBody(arriving: Arriving): Promise<void> {
    const { request, response, route, context } = arriving;
    const isSmall = route.admitted.length === 0 || !route.readsBody;
    const read = () => readBody(request, response, isSmall, route.isPage);
    // Without a credential, large bodies are not accepted.
    const { principal } = context;
    const inTurn = principal !== undefined && hasLargeBody(request);
    const reading = inTurn ? this.bounds.whileReading(principal, read, context.deadline) : read();
    if (reading !== undefined) {
      // A body that arrived together with its headers is read without a wait.
      let isWaitedFor = inTurn;
      const turned = setImmediate(() => (isWaitedFor = true));
      await context.deadline.receive(reading);
      clearImmediate(turned);
      if (isWaitedFor) await context.demandRights?.();
    }
    demandObject(request);
  }

  /** Returns if this request may execute. Otherwise sends the answer. */
  async #claim(arriving: Arriving, key: KnownKey): Promise<void> {
    const { request, response, context } = arriving;
    const hash = requestHash(request, this.hashKey);
    const claim = await this.keys.claim(key, hash, context);
    if (context.deadline.waitedForFirst) await demandRights(context, claim);
    if (claim.kind === 'reused') {
      // The request has cost work but was not counted yet.
      if (key.isTaken) await this.#countAnyhow(arriving);
      throw claim.refusal;
    }
    if (claim.kind === 'answered') {
      await this.#announceQuota(arriving);
      replay(response, claim.answer);
      throw new RequestEndedError();
    }
    try {
      // The request waited for another one, which ended without an answer.
      if (key.isTaken) await this.#count(arriving);
    } catch (refusal) {
      await giveUpClaim(claim.reservation);
      throw refusal;
    }
    context.command_id = claim.reservation.commandId;
    context.recovering = claim.reservation.recovering;
    context.reservation = claim.reservation;
  }

  async #countAnyhow(arriving: Arriving): Promise<void> {
    const counter = counterOf(arriving);
    if (counter !== undefined) await this.limits.count([counter], arriving.response);
  }

  /** Sets the headers of the quota. A replay is not counted. */
  async #announceQuota(arriving: Arriving): Promise<void> {
    const counter = counterOf(arriving);
    if (counter === undefined) return;
    this.limits.announce(counter[0], await this.limits.peek(...counter), arriving.response);
  }
}

/**
 * Whether the request may be authenticated by a cookie, which browsers also send for requests of other sites. The length of
 * a compressed answer could then reveal its content (BREACH).
 */
function mayBeByCookie({ headers }: Request, { admitted }: RouteOptions): boolean {
  return admitted.length > 0 && headers.authorization === undefined;
}

/** The counter whose point a request takes: the company's of a token, or the tenant's. Undefined: it takes none. */
function counterOf({ route: { limit }, context: { principal } }: Arriving): Counter | undefined {
  if (limit === undefined || principal === undefined || principal.kind === 'operator') return undefined;
  return [limit, principal.kind === 'tenant' ? principal.id : principal.company_id];
}

/** The owner of an `Idempotency-Key`: the company of the server that sends it, or the operator. */
function keyOwner(principal: Principal | undefined): string {
  if (principal?.kind === 'operator') return `operator ${principal.id}`;
  return principal?.kind === 'api_token' ? principal.company_id : '';
}

/** A caller who lost its rights during the wait must not get the answer. @throws ApiError, StoreUnavailableError */
async function demandRights(context: OpenRequestContext, claim: Claim): Promise<void> {
  try {
    await context.demandRights?.();
  } catch (refusal) {
    if (claim.kind === 'reserved') await giveUpClaim(claim.reservation);
    throw refusal;
  }
}

/** Ends a claim without execution. With a key that was taken over, an earlier attempt may have been executed. */
function giveUpClaim(reservation: Reservation): Promise<void> {
  return reservation.recovering ? reservation.abandon() : reservation.release();
}

const CREDENTIALS: Readonly<Record<PrincipalKind, string>> = {
  api_token: 'an API token of the company',
  operator: 'the token of an operator’s sign-in',
  tenant: 'the token of a tenant’s sign-in',
};

function wanted(admitted: readonly PrincipalKind[]): string {
  return admitted.map((kind) => CREDENTIALS[kind]).join(' or ');
}

const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The principal behind a request's credential.
 * @throws ApiError 401 without a credential of an admitted kind. @throws StoreUnavailableError
 */
async function authenticate(
  request: Request,
  admitted: readonly PrincipalKind[],
  verifiers: TokenVerifiers,
): Promise<Principal> {
  if (request.headers.authorization === undefined) return authenticateCookie(request, admitted, verifiers);
  const token = bearerOf(request);
  if (token === undefined) throw unauthorized(`The Authorization header is not "Bearer TOKEN".`);
  for (const kind of admitted) {
    const principal = await verifiers[kind]?.verify(token, kind);
    if (principal !== undefined) return principal;
  }
  throw unauthorized(`The token is unknown, has ended, or is for other routes. Send ${wanted(admitted)}.`);
}

/** The token of the `Authorization` header; undefined if it cannot be a token. */
function bearerOf({ headers }: Request): string | undefined {
  const token = headers.authorization === undefined ? undefined : BEARER.exec(headers.authorization)?.[1];
  return token === undefined || token.length > LONGEST_TOKEN ? undefined : token;
}

async function authenticateCookie(
  request: Request,
  admitted: readonly PrincipalKind[],
  verifiers: TokenVerifiers,
): Promise<Principal> {
  const token = admitted.includes('operator') ? cookieOf(request, OPERATOR_COOKIE) : undefined;
  // SameSite=Strict does not exclude sub-domains of the same site, so check the origin.
  if (token === undefined || isForeign(request))
    throw unauthorized(`Send the header "Authorization: Bearer TOKEN" with ${wanted(admitted)}.`);
  const principal = await verifiers.operator?.verify(token, 'operator');
  if (principal === undefined) throw unauthorized('The session has ended. Sign in again.');
  return principal;
}
