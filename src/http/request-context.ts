import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Actor } from '../log/domain-event.js';
import type { WriteContext } from '../writing/write-context.js';
import type { RequestDeadline } from './pipeline/request-deadlines.js';
import type { Reservation } from './pipeline/reservation.js';
import type { OperatorPrincipal, Principal } from './authentication.js';

/** The facts about a request that a handler gets besides its body. */
export interface RequestContext<P extends Principal = Principal> extends WriteContext {
  readonly request_id: string;
  /** Present on every route that is not public. */
  readonly principal: P;
  /** The principal, in the words of the event log. `system` on public routes. */
  readonly actor: Actor;
  /** A new ULID, or the one that the idempotency record reserved. */
  readonly command_id: string;
  /**
   * True where an earlier attempt under this `command_id` may have been done without its answer being kept: the event
   * log must be asked before anything is decided.
   */
  readonly recovering: boolean;
  /** The instant at which the request was seen. */
  readonly received_at: number;
}

/** The same of a route that operators alone are admitted to. */
export type OperatorContext = RequestContext<OperatorPrincipal>;

/** The same context while the pipeline fills it in. */
export interface OpenRequestContext {
  request_id: string;
  principal: Principal | undefined;
  actor: Actor;
  command_id: string;
  recovering: boolean;
  reservation: Reservation | undefined;
  received_at: number;
  deadline: RequestDeadline;
  demandRights?: () => Promise<void>;
  /** A long answer is compressed. */
  compresses: boolean;
  /** Field of the answer's data that is not kept under the request's key. */
  secret?: string | undefined;
  /** It leaves no line in the access log. */
  isUnlogged: boolean;
}

const CONTEXT = Symbol('RequestContext');

/** An Express request that carries its context. */
export interface ContextualRequest extends Request {
  [CONTEXT]?: OpenRequestContext;
}

/** Attaches the context; done once, by the first middleware. */
export function openContext(request: ContextualRequest, context: OpenRequestContext): void {
  request[CONTEXT] = context;
}

/** The request's context. Undefined only where Express failed before the first middleware. */
export function contextOf(request: ContextualRequest): OpenRequestContext | undefined {
  return request[CONTEXT];
}

/** The route's pattern: a path may name what is nobody's business. */
export function routeOf(request: Request): string | undefined {
  return (request.route as { path?: string } | undefined)?.path;
}

/** Parameter decorator: the `RequestContext` of the request. */
export const Context = createParamDecorator<undefined>((_data, execution: ExecutionContext) =>
  contextOf(execution.switchToHttp().getRequest<ContextualRequest>()),
);

export type { Actor };
