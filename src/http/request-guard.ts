import { Inject, Injectable } from '@nestjs/common';
import { LOGGER } from '../config/injection-tokens.js';
import { notImplemented } from './api-error.js';
import { Callers } from './callers.js';
import { CallerBounds } from './caller-bounds.js';
import { Idempotency } from './idempotency/idempotency.js';
import { recordAnswer } from './idempotency/recorded-response.js';
import { identify } from './idempotency/request-identity.js';
import { RateLimits } from './rate-limits.js';
import { demandObject, readBody } from './request-body.js';
import { contextOf } from './request-context.js';
import { routeOptions } from './route-options.js';
import { refuseFields } from './validation/valid.js';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { isStoreUnavailableError } from '../storage/store.errors.js';
import type { Logger } from '../config/logger.js';
import type { StoredAnswer } from './idempotency/idempotency-record.js';
import type { Reservation } from './idempotency/reservation.js';
import type { OpenRequestContext } from './request-context.js';
import type { RouteOptions } from './route-options.js';

/** A caller who was admitted so long ago, in milliseconds, may have been shut out since. */
const STALE = 1_000;

/** Thrown to end a request whose answer exists already; `ErrorFilter` sends it. */
export class StoredAnswerReplay extends Error {
  constructor(readonly answer: StoredAnswer) {
    super('The request has been answered before.');
    this.name = 'StoredAnswerReplay';
  }
}

/**
 * Everything that stands between a matched route and its handler, in one guard and in this order: credential, role
 * and scope of an operator, body, idempotency, rate limit. One guard, because each further guard or interceptor costs every request.
 */
@Injectable()
export class RequestGuard implements CanActivate {
  constructor(
    private readonly callers: Callers,
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
    return this.admit(request, http.getResponse<Response>(), options);
  }

  private async admit(request: Request, response: Response, route: RouteOptions): Promise<boolean> {
    const context = contextOf(request);
    if (context === undefined) throw new Error('configureApplication was not called.');
    await this.callers.admit(request, context, route);
    if (!route.implemented) throw notImplemented();
    const reservation = await this.open(request, response, route, context);
    if (reservation !== undefined) this.record(request, response, reservation);
    // From here on a refusal is an answer that retries are given as well.
    demandObject(request);
    if (!route.readsBody) refuseFields(request.body as object | undefined);
    if (!route.readsQuery) refuseFields(request.query);
    return true;
  }

  private open(
    request: Request,
    response: Response,
    route: RouteOptions,
    { principal }: OpenRequestContext,
  ): Promise<Reservation | undefined> {
    const company = principal?.kind === 'api_token' ? principal.company_id : undefined;
    const { limit: policy } = route;
    if (policy === undefined || company === undefined)
      return this.prepare(request, response, route, company ?? '');
    return this.prepareCounted(request, response, { route, policy }, company);
  }

  /** A counted route tells what is left on every answer, also on those for which nothing is taken. */
  private async prepareCounted(
    request: Request,
    response: Response,
    { route, policy }: { readonly route: RouteOptions; readonly policy: string },
    company: string,
  ): Promise<Reservation | undefined> {
    let reservation: Reservation | undefined;
    try {
      reservation = await this.prepare(request, response, route, company);
    } catch (refusal) {
      if (isStoreUnavailableError(refusal)) throw refusal;
      this.rates.announce(policy, await this.rates.peek(policy, company), response);
      throw refusal;
    }
    await this.count(policy, company, response, reservation);
    return reservation;
  }

  private async count(
    policy: string,
    company: string,
    response: Response,
    reservation: Reservation | undefined,
  ): Promise<void> {
    try {
      await this.rates.enforce(policy, company, response);
    } catch (refusal) {
      if (reservation !== undefined) await giveBack(reservation);
      throw refusal;
    }
  }

  private async prepare(
    request: Request,
    response: Response,
    route: RouteOptions,
    company: string,
  ): Promise<Reservation | undefined> {
    const read = () => readBody(request, response, route.admitted.length === 0 || !route.readsBody);
    const reading = this.bounds.whileReading(contextOf(request)?.principal, request, read);
    const context = contextOf(request)!;
    if (reading !== undefined) {
      await this.stillAdmitted(request, context, route, context.deadline.receive(reading));
    }
    if (!route.idempotent) return undefined;
    const identity = identify(request, company);
    if (identity === undefined) return undefined;
    const claiming = this.idempotency.claim(identity, context.command_id, context.deadline);
    const claim = await this.stillAdmitted(request, context, route, claiming, async (claimed) => {
      if (claimed.kind === 'reserved') await giveBack(claimed.reservation);
    });
    if (claim.kind === 'answered') {
      response.setHeader('Idempotency-Replayed', 'true');
      throw new StoredAnswerReplay(claim.answer);
    }
    this.adopt(context, claim.reservation);
    return claim.reservation;
  }

  /**
   * Waits, and after a long wait asks again who calls: a body may come for as long as the server's bound lets it.
   * @param undo what was waited for, where the caller is refused now
   */
  private async stillAdmitted<T>(
    request: Request,
    context: OpenRequestContext,
    route: RouteOptions,
    waiting: Promise<T>,
    undo?: (result: T) => Promise<void>,
  ): Promise<T> {
    const { clock } = this.idempotency;
    const since = clock.now();
    const result = await waiting;
    if (clock.now() - since < STALE) return result;
    try {
      await this.callers.admit(request, context, route);
    } catch (refusal) {
      await undo?.(result);
      throw refusal;
    }
    return result;
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

/** Nothing was executed under a key that is new; one that was taken over may have been, by an attempt before. */
function giveBack(reservation: Reservation): Promise<void> {
  return reservation.recovering ? reservation.abandon() : reservation.release();
}
