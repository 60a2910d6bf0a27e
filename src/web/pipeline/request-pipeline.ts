import { createSecretKey, type KeyObject } from 'node:crypto';
import { type CanActivate, type ExecutionContext, Inject, Injectable, Optional } from '@nestjs/common';
import type { Request, Response } from 'express';
import { REQUEST_HASH_KEY } from '#kernel/injection-tokens.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { FIXES } from '#kernel/errors/error-codes.js';
import type { Principal } from '#kernel/principals.js';
import { TURNS } from '#kernel/turns.js';
import { CallerBounds } from '../caller-bounds.js';
import { contextOf, type OpenRequestContext } from '../request-context.js';
import { type RouteOptions, routeOptions } from '../route-options.js';
import { assertSameOrigin } from '../same-origin.js';
import { refuseFields } from '../validation/check.js';
import { announceSuccessor } from '../versions.js';
import { replayOf } from './keep-answer.js';
import { type Claim, Idempotency, type KnownKey } from './idempotency.js';
import type { Counter } from '#kernel/rate-limiter.js';
import { KeptBytes } from './kept-bytes.js';
import { OPERATOR_REQUESTS, RateLimits } from './rate-limits.js';
import { assertObject, type BodyKind, hasLargeBody, readBody } from './read-body.js';
import { assertSoundKey, recordIdOf, requestHash } from './request-key.js';
import { RequestLateError } from './request-deadlines.js';
import type { Reservation } from './reservation.js';
import type { Arriving } from './arriving.js';
import { CallerAdmission } from './caller-admission.js';

/**
 * The steps of a request before its handler: authenticate, look up the key, count, read the body, claim the key, until the
 * deadline. `AnswerInterceptor` has the steps after it. One guard does all steps, because each guard costs every request time.
 */
@Injectable()
export class RequestPipeline implements CanActivate {
  constructor(
    private readonly admission: CallerAdmission,
    private readonly keys: Idempotency,
    private readonly limits: RateLimits,
    private readonly bounds: CallerBounds,
    private readonly kept: KeptBytes,
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
    return this.#inTime({ request, response: http.getResponse<Response>(), route, context });
  }

  async #inTime(arriving: Arriving): Promise<boolean> {
    const { context } = arriving;
    const admitted = this.#admit(arriving);
    try {
      return await context.deadline.race(admitted);
    } catch (error) {
      if (error instanceof RequestLateError) void endLate(admitted, context);
      throw error;
    }
  }

  async #admit(arriving: Arriving): Promise<boolean> {
    const { request, route, context } = arriving;
    await this.#authenticate(arriving);
    const key = isKeyed(arriving) ? await this.#lookUp(arriving) : undefined;
    if (key?.isTaken === true) await this.#readRepeat(arriving);
    else {
      await this.#count(arriving);
      await this.#countSize(arriving, await this.#readBody(arriving));
    }
    announceSuccessor(request, context.headers);
    if (key !== undefined) await this.#claim(arriving, key);
    if (context.replay !== undefined) return true;
    if (route.isPage) await this.admission.admitForm(arriving);
    // From here on, a refusal is stored as the answer for retries.
    refuseUnreadFields(request, route);
    // A large body has cost milliseconds. Others go on before the handler begins.
    if (hasLargeBody(request)) await TURNS.pauseIfLong();
    return true;
  }

  async #authenticate(arriving: Arriving): Promise<void> {
    const { request, route, context } = arriving;
    context.compresses = route.compresses && !mayBeByCookie(request, route);
    context.secret = route.secret;
    context.created = route.created;
    if (route.admitted.length > 0) {
      context.assertRights = () => this.admission.admit(arriving);
      await this.admission.admit(arriving);
      const pause = TURNS.letOthersFirst();
      if (pause !== undefined) await pause;
    }
    if (!route.implemented) throw errorOf('not_implemented', { hint: FIXES.not_implemented });
    if (route.isPage && !route.isRead && !route.isProvenByAddress) assertSameOrigin(request);
  }

  /** A dry run takes no key, because the write itself may follow under it. But it says what the write would say of it. */
  async #lookUp({ request, context }: Arriving): Promise<KnownKey | undefined> {
    if (request.query['dry_run'] === 'true') {
      assertSoundKey(request);
      return undefined;
    }
    const key = await this.keys.lookUp(recordIdOf(request, keyOwner(context.principal)));
    if (isNew(key)) this.kept.assertRoom(key.record_id);
    return key;
  }

  /** @throws ApiError 429 */
  #count(arriving: Arriving): Promise<void> | undefined {
    const counter = counterOf(arriving);
    return counter && this.limits.enforce(...counter, arriving.context.headers);
  }

  /** @throws ApiError 429 */
  #countSize(arriving: Arriving, bytes: number): Promise<void> | undefined {
    const counter = counterOf(arriving);
    return counter && this.limits.enforceSize(...counter, bytes, arriving.context.headers);
  }

  /** A replay takes no point, but a body that cannot be read is no replay (decisions §3). */
  async #readRepeat(arriving: Arriving): Promise<void> {
    try {
      await this.#readBody(arriving);
    } catch (refusal) {
      await this.#count(arriving);
      throw refusal;
    }
  }

  /** @returns its bytes */
  async #readBody(arriving: Arriving): Promise<number> {
    const { request, response, route, context } = arriving;
    const isSmall = route.admitted.length === 0 || !route.readsBody;
    const read = () => readBody(request, response, isSmall, kindOfBody(route));
    // Without a credential, large bodies are not accepted.
    const { principal } = context;
    const inTurn = principal !== undefined && hasLargeBody(request);
    const reading = inTurn ? this.bounds.whileReading(principal, read, context.deadline) : read();
    let bytes: number | undefined;
    if (reading !== undefined) {
      // A body that arrived together with its headers is read without a wait.
      let isWaitedFor = inTurn;
      const turned = setImmediate(() => (isWaitedFor = true));
      bytes = await context.deadline.receive(reading);
      clearImmediate(turned);
      if (isWaitedFor) await context.assertRights?.();
    }
    assertObject(request);
    return bytes ?? 0;
  }

  /** Gives the request its reservation, or the answer that was kept. */
  async #claim(arriving: Arriving, key: KnownKey): Promise<void> {
    const { request, context } = arriving;
    const hash = requestHash(request, this.hashKey);
    const claim = await this.keys.claim(key, hash, context);
    if (context.deadline.hasWaited) await assertRights(context, claim);
    if (claim.kind === 'reused') {
      // The request has cost work but was not counted yet.
      if (key.isTaken) await this.#count(arriving);
      throw claim.refusal;
    }
    if (claim.kind === 'answered') {
      await this.kept.replayed(key.record_id, Buffer.byteLength(claim.answer.body));
      await this.#announceQuota(arriving);
      context.replay = replayOf(claim.answer);
      return;
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

  /** Sets the headers of the quota. A replay is not counted. */
  async #announceQuota(arriving: Arriving): Promise<void> {
    const counter = counterOf(arriving);
    if (counter === undefined) return;
    this.limits.announce(counter[0], await this.limits.peek(...counter), arriving.context.headers);
  }
}

function kindOfBody({ isPage, takesAnyForm }: RouteOptions): BodyKind {
  if (!isPage) return 'json';
  return takesAnyForm ? 'any_form' : 'form';
}

function refuseUnreadFields({ body, query }: Request, { readsBody, readsQuery }: RouteOptions): void {
  if (!readsBody) refuseFields(body as object | undefined);
  if (!readsQuery) refuseFields(query);
}

function isKeyed({ request, route }: Arriving): boolean {
  return route.idempotent && request.headers['idempotency-key'] !== undefined;
}

/** Whether no request has used the key, also not one whose answer is unknown. */
function isNew({ isTaken, record }: KnownKey): boolean {
  return !isTaken && record === undefined;
}

/**
 * Whether the request may be authenticated by a cookie, which browsers also send for requests of other sites. The length of
 * a compressed answer could then reveal its content (BREACH).
 */
function mayBeByCookie({ headers }: Request, { admitted }: RouteOptions): boolean {
  return admitted.length > 0 && headers.authorization === undefined;
}

/** The counter whose point a request takes: the company's of a token, the tenant's or the operator's. Undefined: it takes none. */
function counterOf({ route: { limit }, context: { principal } }: Arriving): Counter | undefined {
  if (principal?.kind === 'operator') return [OPERATOR_REQUESTS, principal.id];
  if (limit === undefined || principal === undefined) return undefined;
  return [limit, principal.kind === 'tenant' ? principal.id : principal.company_id];
}

/** The owner of an `Idempotency-Key`: the company of the server that sends it, the operator, or the tenant. */
function keyOwner(principal: Principal | undefined): string {
  if (principal === undefined) return '';
  return principal.kind === 'api_token' ? principal.company_id : `${principal.kind} ${principal.id}`;
}

/** A caller who lost its rights during the wait must not get the answer. @throws ApiError, StoreUnavailableError */
async function assertRights(context: OpenRequestContext, claim: Claim): Promise<void> {
  try {
    await context.assertRights?.();
  } catch (refusal) {
    if (claim.kind === 'reserved') await giveUpClaim(claim.reservation);
    throw refusal;
  }
}

/** A request that was answered before it was admitted does not execute any more. */
async function endLate(admitted: Promise<unknown>, context: OpenRequestContext): Promise<void> {
  await admitted.catch(() => undefined);
  if (context.reservation !== undefined) await giveUpClaim(context.reservation);
}

/** Ends a claim without execution. With a key that was taken over, an earlier attempt may have been executed. */
function giveUpClaim(reservation: Reservation): Promise<void> {
  return reservation.recovering ? reservation.abandon() : reservation.release();
}
