import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import type { Request, Response } from 'express';
import { REQUEST_HASH_KEY } from '../../config/injection-tokens.js';
import { notImplemented, RequestEndedError } from '../api-error.js';
import type { Principal } from '../authentication.js';
import { CallerBounds } from '../caller-bounds.js';
import { contextOf, type OpenRequestContext } from '../request-context.js';
import { type RouteOptions, routeOptions } from '../route-options.js';
import { demandSameOrigin } from '../same-origin.js';
import { refuseFields } from '../validation/valid.js';
import { announceSuccessor } from '../versions.js';
import { replay } from './answer.js';
import { type Arriving, Authentication } from './authenticate.js';
import { type Claim, Idempotency, type KnownKey } from './idempotency.js';
import { RateLimits } from './rate-limits.js';
import { demandObject, isLarge, readBody } from './read-body.js';
import { recordIdOf, requestHash } from './request-key.js';
import type { Reservation } from './reservation.js';

/**
 * What happens to a request between its route and its handler, step by step: authenticate, look up the key, count, read the
 * body, claim the key. `answer.ts` is the last step. One guard, because each further guard or interceptor costs every request.
 */
@Injectable()
export class RequestPipeline implements CanActivate {
  constructor(
    private readonly authentication: Authentication,
    private readonly keys: Idempotency,
    private readonly limits: RateLimits,
    private readonly bounds: CallerBounds,
    @Optional() @Inject(REQUEST_HASH_KEY) private readonly hashKey: Buffer = Buffer.alloc(32),
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
    if (key?.isTaken !== true) await this.#count(arriving);
    await this.#readBody(arriving);
    if (response.hasHeader('Deprecation')) announceSuccessor(request, response);
    if (key !== undefined) await this.#claim(arriving, key);
    if (route.isPage) await this.authentication.admitForm(arriving);
    // From here on a refusal is an answer that retries get as well.
    if (!route.readsBody) refuseFields(request.body as object | undefined);
    if (!route.readsQuery) refuseFields(request.query);
    return true;
  }

  async #authenticate(arriving: Arriving): Promise<void> {
    const { request, route, context } = arriving;
    context.compresses = route.compresses && !mayBeByCookie(request, route);
    context.secret = route.secret;
    if (route.admitted.length > 0) {
      context.demandRights = () => this.authentication.admit(arriving);
      await context.demandRights();
    }
    if (!route.implemented) throw notImplemented();
    if (route.isPage && !route.isRead) demandSameOrigin(request);
  }

  #lookUp({ request, context }: Arriving): Promise<KnownKey> {
    return this.keys.lookUp(recordIdOf(request, keeperOf(context.principal)));
  }

  /** @throws ApiError 429 */
  async #count({ route: { limit }, response, context: { principal } }: Arriving): Promise<void> {
    if (limit === undefined || principal?.kind !== 'api_token') return;
    await this.limits.enforce(limit, principal.company_id, response);
  }

  async #readBody(arriving: Arriving): Promise<void> {
    const { request, response, route, context } = arriving;
    const isSmall = route.admitted.length === 0 || !route.readsBody;
    const read = () => readBody(request, response, isSmall, route.isPage);
    // Without a credential no body is large.
    const { principal } = context;
    const inTurn = principal !== undefined && isLarge(request);
    const reading = inTurn ? this.bounds.whileReading(principal, read, context.deadline) : read();
    if (reading !== undefined) {
      // A body that came with its headers is read before the event loop turns.
      let isWaitedFor = inTurn;
      const turned = setImmediate(() => (isWaitedFor = true));
      await context.deadline.receive(reading);
      clearImmediate(turned);
      if (isWaitedFor) await context.demandRights?.();
    }
    demandObject(request);
  }

  /** Goes on if this request may execute; otherwise the answer is sent here. */
  async #claim(arriving: Arriving, key: KnownKey): Promise<void> {
    const { request, response, context } = arriving;
    const hash = requestHash(request, this.hashKey);
    const claim = await this.keys.claim(key, hash, context);
    if (context.deadline.wasTwin) await demandRights(context, claim);
    if (claim.kind === 'reused') {
      // It has cost work, and no quota so far.
      if (key.isTaken) await this.#countAnyhow(arriving);
      throw claim.refusal;
    }
    if (claim.kind === 'answered') {
      await this.#tellQuota(arriving);
      replay(response, claim.answer);
      throw new RequestEndedError();
    }
    try {
      // It had waited for another that gave up.
      if (key.isTaken) await this.#count(arriving);
    } catch (refusal) {
      await giveBack(claim.reservation);
      throw refusal;
    }
    context.command_id = claim.reservation.commandId;
    context.recovering = claim.reservation.recovering;
    context.reservation = claim.reservation;
  }

  async #countAnyhow({ route: { limit }, response, context: { principal } }: Arriving): Promise<void> {
    if (limit === undefined || principal?.kind !== 'api_token') return;
    await this.limits.count([[limit, principal.company_id]], response);
  }

  /** A replay costs nothing. */
  async #tellQuota({ route: { limit }, response, context: { principal } }: Arriving): Promise<void> {
    if (limit === undefined || principal?.kind !== 'api_token') return;
    const { company_id } = principal;
    this.limits.announce(limit, await this.limits.peek(limit, company_id), response);
  }
}

/**
 * Whether the request may be known by a cookie, which a browser sends whoever made it ask. The length of a compressed answer
 * would then tell of its content (BREACH).
 */
function mayBeByCookie({ headers }: Request, { admitted }: RouteOptions): boolean {
  return admitted.length > 0 && headers.authorization === undefined;
}

/** Whose an `Idempotency-Key` is: the company's whose server sends it, or the operator's own. */
function keeperOf(principal: Principal | undefined): string {
  if (principal?.kind === 'operator') return `operator ${principal.id}`;
  return principal?.kind === 'api_token' ? principal.company_id : '';
}

/** A caller who was shut out while a key was waited for gets nothing of it. @throws ApiError, StoreUnavailableError */
async function demandRights(context: OpenRequestContext, claim: Claim): Promise<void> {
  try {
    await context.demandRights?.();
  } catch (refusal) {
    if (claim.kind === 'reserved') await giveBack(claim.reservation);
    throw refusal;
  }
}

/** Nothing was executed under a new key. Under one that was taken over, an earlier attempt may have been. */
function giveBack(reservation: Reservation): Promise<void> {
  return reservation.recovering ? reservation.abandon() : reservation.release();
}
