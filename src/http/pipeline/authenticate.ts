import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Request, Response } from 'express';
import { forbidden, unauthorized } from '../api-error.js';
import {
  OPERATOR_COOKIE,
  type Principal,
  type PrincipalKind,
  TOKEN_VERIFIERS,
  type TokenVerifiers,
} from '../authentication.js';
import { cookieOf, LONGEST_TOKEN } from '../cookies.js';
import { demandFactor, demandOwn, demandRole, demandScope, OWNERS, type Owners } from '../operator-access.js';
import type { OpenRequestContext } from '../request-context.js';
import type { RouteOptions } from '../route-options.js';
import { isForeign } from '../same-origin.js';

/** A request on its way to its handler. */
export interface Arriving {
  readonly request: Request;
  readonly response: Response;
  readonly route: RouteOptions;
  readonly context: OpenRequestContext;
}

/** Finds out who calls, and what there is for them. */
@Injectable()
export class Authentication {
  constructor(
    @Inject(TOKEN_VERIFIERS) private readonly verifiers: TokenVerifiers,
    @Optional() @Inject(OWNERS) private readonly owners: Owners = {},
  ) {}

  /**
   * Names the caller of a route that is not public in the context. Called again after each wait for others.
   * @throws ApiError 401, 403 for a caller who may do less than the route asks for, 404 for what is out of scope
   * @throws StoreUnavailableError
   */
  async admit({ request, context, route }: Arriving): Promise<void> {
    const { admitted, role = 'admin', isRead, withoutFactor } = route;
    const principal = await authenticate(request, admitted, this.verifiers);
    context.principal = principal;
    context.actor = { kind: principal.kind, id: principal.id };
    if (principal.kind === 'api_token' && principal.scope === 'read' && !isRead) throw forbidden();
    if (principal.kind !== 'operator') return;
    demandFactor(principal, withoutFactor);
    demandRole(principal, role);
    await demandScope(principal, request, this.owners);
  }

  /** Holds what an operator's form names to the scope, as the path is. @throws ApiError 404. @throws StoreUnavailableError */
  async admitForm({ request: { body }, context: { principal } }: Arriving): Promise<void> {
    if (principal?.kind !== 'operator' || body === undefined) return;
    await demandOwn(principal, body as Record<string, unknown>, this.owners);
  }
}

const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The principal behind a request's credential.
 * @throws ApiError 401 where there is none of an admitted kind. @throws StoreUnavailableError
 */
async function authenticate(
  request: Request,
  admitted: readonly PrincipalKind[],
  verifiers: TokenVerifiers,
): Promise<Principal> {
  if (request.headers.authorization === undefined) return authenticateCookie(request, admitted, verifiers);
  const token = bearerOf(request);
  if (token === undefined) throw unauthorized();
  for (const kind of admitted) {
    const principal = await verifiers[kind]?.verify(token, kind);
    if (principal !== undefined) return principal;
  }
  throw unauthorized();
}

/** The token of the `Authorization` header, where it has the form of one. */
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
  // SameSite=Strict keeps the cookie from other sites; sub-domains of the same site are kept out here.
  if (token === undefined || isForeign(request)) throw unauthorized();
  const principal = await verifiers.operator?.verify(token, 'operator');
  if (principal === undefined) throw unauthorized();
  return principal;
}
