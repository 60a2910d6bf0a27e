import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../config/injection-tokens.js';
import { type Admission, Admissions } from './admission.js';
import { notImplemented } from './api-error.js';
import { allowCompression } from './compressed-answers.js';
import { CallerBounds } from './caller-bounds.js';
import { Idempotency } from './idempotency/idempotency.js';
import { recordAnswer } from './idempotency/recorded-response.js';
import { identify, recordIdOf } from './idempotency/request-identity.js';
import { RateLimits, type TakenPoint } from './rate-limits.js';
import { demandObject, readBody } from './request-body.js';
import { demandSameOrigin } from './same-origin.js';
import { contextOf } from './request-context.js';
import { routeOptions } from './route-options.js';
import { refuseFields } from './validation/valid.js';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import type { Logger } from '../config/logger.js';
import type { Principal } from './authentication.js';
import type { StoredAnswer } from './idempotency/idempotency-record.js';
import type { Reservation } from './idempotency/reservation.js';
import type { OpenRequestContext } from './request-context.js';
import type { RouteOptions } from './route-options.js';

/** Thrown to end a request whose answer exists already; `ErrorFilter` sends it. */
export class StoredAnswerReplay extends Error {
  constructor(readonly answer: StoredAnswer) {
    super('The request has been answered before.');
    this.name = 'StoredAnswerReplay';
  }
}

/** A request on its way to its handler. */
interface Arriving {
  readonly request: Request;
  readonly response: Response;
  readonly route: RouteOptions;
  readonly context: OpenRequestContext;
  readonly admission: Admission;
}

/**
 * Whether the route needs a credential and none is named in a header: a cookie then, which a browser sends whoever made it
 * ask, so that the length of a compressed answer would tell of its content (BREACH).
 */
function mayBeByCookie({ headers }: Request, { admitted }: RouteOptions): boolean {
  return admitted.length > 0 && headers.authorization === undefined;
}

/**
 * Everything that stands between a matched route and its handler, in one guard and in this order: credential, role
 * and scope of an operator, rate limit, body, idempotency. Nothing of a body is read for who may not send it, or has sent
 * too many. One guard, because each further guard or interceptor costs every request.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  constructor(
    private readonly admissions: Admissions,
    private readonly rates: RateLimits,
    private readonly idempotency: Idempotency,
    private readonly bounds: CallerBounds,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  canActivate(execution: ExecutionContext): boolean | Promise<boolean> {
    const http = execution.switchToHttp();
    const request = http.getRequest<Request>();
    const options = routeOptions(
      execution.getClass(),
      execution.getHandler() as (...given: never[]) => unknown,
    );
    const response = http.getResponse<Response>();
    if (options.compresses && !mayBeByCookie(request, options)) allowCompression(response);
    return this.admit(request, response, options);
  }

  private async admit(request: Request, response: Response, route: RouteOptions): Promise<boolean> {
    const context = contextOf(request);
    if (context === undefined) throw new Error('configureApplication was not called.');
    const admitting = this.admissions.admit(request, context, route);
    const presumed = this.admissions.readAhead(request, route);
    const taking = presumed && this.takePoint(route, response, presumed);
    const admission = await untilAdmitted(admitting, taking, response);
    if (!route.implemented) throw notImplemented();
    if (route.isPage && !route.isRead) demandSameOrigin(request);
    const point = await (taking ?? this.takePoint(route, response, context.principal));
    await this.open({ request, response, route, context, admission }, point);
    if (route.isPage) await admission.ofForm();
    // From here on a refusal is an answer that retries are given as well.
    if (!route.readsBody) refuseFields(request.body as object | undefined);
    if (!route.readsQuery) refuseFields(request.query);
    return true;
  }

  private async open(arriving: Arriving, point: TakenPoint | undefined): Promise<void> {
    const { request, route, context } = arriving;
    const record_id = route.idempotent ? recordIdOf(request, keeperOf(context.principal)) : undefined;
    // What has been answered before is answered again, whatever is left.
    if (point?.isRefused && !(await this.isKnown(record_id))) throw point.refusal();
    await this.receive(arriving);
    demandObject(request);
    if (record_id !== undefined) await this.claim(arriving, record_id, point);
    else if (point?.isRefused) throw point.refusal();
  }

  /** Of a counted route; it tells what is left on every answer. */
  private async takePoint(
    { limit }: RouteOptions,
    response: Response,
    principal: Principal | undefined,
  ): Promise<TakenPoint | undefined> {
    const company = companyOf(principal);
    return limit === undefined || company === '' ? undefined : this.rates.take(limit, company, response);
  }

  private async isKnown(record_id: string | undefined): Promise<boolean> {
    return record_id !== undefined && this.idempotency.isKnown(record_id);
  }

  private async receive({ request, response, route, context, admission }: Arriving): Promise<void> {
    const isSmall = route.admitted.length === 0 || !route.readsBody;
    const read = () => readBody(request, response, isSmall, route.isPage);
    const reading = this.bounds.whileReading(context.principal, request, read);
    if (reading !== undefined) await admission.during(context.deadline.receive(reading));
  }

  private async claim(
    { request, response, context, admission }: Arriving,
    record_id: string,
    point: TakenPoint | undefined,
  ): Promise<void> {
    const identity = identify(request, record_id);
    const claiming = this.idempotency.claim(identity, context.command_id, context.deadline);
    const claim = await admission.during(claiming, async (claimed) => {
      if (claimed.kind === 'reserved') await giveBack(claimed.reservation);
    });
    if (claim.kind === 'answered') {
      await point?.giveBack();
      response.setHeader('Idempotency-Replayed', 'true');
      throw new StoredAnswerReplay(claim.answer);
    }
    if (point?.isRefused) {
      await giveBack(claim.reservation);
      throw point.refusal();
    }
    this.adopt(context, claim.reservation);
    this.record(request, response, claim.reservation);
  }

  private adopt(context: OpenRequestContext, reservation: Reservation): void {
    context.command_id = reservation.commandId;
    context.recovering = reservation.recovering;
    context.reservation = reservation;
  }

  private record(request: Request, response: Response, reservation: Reservation): void {
    recordAnswer(response, reservation, (error) =>
      this.logger.warn(
        { request_id: contextOf(request)?.request_id, error },
        'An answer could not be kept for retries.',
      ),
    );
  }
}

function companyOf(principal: Principal | undefined): string {
  return principal?.kind === 'api_token' ? principal.company_id : '';
}

/** Whose an `Idempotency-Key` is: the company's whose server sends it, or the operator's own. */
function keeperOf(principal: Principal | undefined): string {
  return principal?.kind === 'operator' ? `operator ${principal.id}` : companyOf(principal);
}

/** A point that was taken meanwhile, for who is refused now, is given back. */
async function untilAdmitted(
  admitting: Promise<Admission>,
  taking: Promise<TakenPoint | undefined> | undefined,
  response: Response,
): Promise<Admission> {
  taking?.catch(() => undefined);
  try {
    return await admitting;
  } catch (refusal) {
    // A quota that cannot be reached now is no answer to who is refused.
    await taking?.then((point) => point?.giveBack()).catch(() => undefined);
    for (const header of ['RateLimit', 'RateLimit-Policy']) response.removeHeader(header);
    throw refusal;
  }
}

/** Nothing was executed under a key that is new; one that was taken over may have been, by an attempt before. */
function giveBack(reservation: Reservation): Promise<void> {
  return reservation.recovering ? reservation.abandon() : reservation.release();
}
