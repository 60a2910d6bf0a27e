import { createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { AddedHeaders } from './added-headers.js';
import type { Answer } from './pipeline/answer.js';
import type { RequestDeadline } from './pipeline/request-deadlines.js';
import type { Reservation } from './pipeline/reservation.js';
import type { OperatorPrincipal, Principal } from '#kernel/principals.js';

export interface RequestContext<P extends Principal = Principal> extends WriteContext {
  readonly request_id: string;
  /** Present on every route that is not public. */
  readonly principal: P;
  /** The principal as events name it. `system` on public routes. */
  readonly actor: Actor;
  /** A new ULID, or the one that the idempotency record reserved. */
  readonly command_id: string;
  /**
   * True: an earlier attempt with this `command_id` may have appended events without a stored answer. The log must be read
   * before the decision.
   */
  readonly recovering: boolean;
  readonly received_at: number;
  /** Headers to add to the answer, whatever it will be. */
  readonly headers: AddedHeaders;
}

/** For routes that admit only operators. */
export type OperatorContext = RequestContext<OperatorPrincipal>;

/** The context while the pipeline fills it. */
export interface OpenRequestContext {
  request_id: string;
  principal: Principal | undefined;
  actor: Actor;
  command_id: string;
  recovering: boolean;
  reservation: Reservation | undefined;
  received_at: number;
  deadline: RequestDeadline;
  readonly headers: AddedHeaders;
  /** The answer that was kept under the request's key: the handler does not run. */
  replay: Answer | undefined;
  assertRights?: () => Promise<void>;
  /** True: a long answer is compressed. */
  compresses: boolean;
  /** The field of the answer's data that is not stored under the request's key. */
  secret?: string | undefined;
  /** Template of the path of the thing that a 201 created. */
  created?: string | undefined;
  /** True: no line in the access log. */
  isUnlogged: boolean;
}

const CONTEXT = Symbol('RequestContext');

interface ContextualRequest extends Request {
  [CONTEXT]?: OpenRequestContext;
}

/** The first middleware calls this once. */
export function openContext(request: ContextualRequest, context: OpenRequestContext): void {
  request[CONTEXT] = context;
}

/** Undefined only if Express failed before the first middleware. */
export function contextOf(request: ContextualRequest): OpenRequestContext | undefined {
  return request[CONTEXT];
}

/** The route's pattern, for logs: the path itself may contain personal data. */
export function routeOf(request: Request): string | undefined {
  return (request.route as { path?: string } | undefined)?.path;
}

/** Parameter decorator: the `RequestContext` of the request. */
export const Context = createParamDecorator<undefined>((_data, execution: ExecutionContext) =>
  contextOf(execution.switchToHttp().getRequest<ContextualRequest>()),
);

export type { Actor };
