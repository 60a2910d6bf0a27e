import { SetMetadata } from '@nestjs/common';
import { cookieOf } from './cookies.js';
import type { Request } from 'express';

/** `write`: everything that the company may do. `read`: reads only. */
export const TOKEN_SCOPES = ['write', 'read'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** An integrator's server, authenticated by an API token (specification §5.1). */
export interface ApiTokenPrincipal {
  readonly kind: 'api_token';
  readonly id: string;
  readonly company_id: string;
  readonly scope: TokenScope;
}

/** Roles of operators. Each has more rights than the one before (decisions §6). */
export const OPERATOR_ROLES = ['auditor', 'manager', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** An operator, authenticated by a session. */
export interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly id: string;
  readonly role: OperatorRole;
  /** The companies that this operator may see; null: all. */
  readonly companies: readonly string[] | null;
  /** Grows with every change of the operator's password, second factor or rights. */
  readonly rights_version: number;
  /** All operators need a second factor, and this one has none. The session may only set it. */
  readonly lacks_factor?: true;
}

/** A tenant's app, authenticated by the token of a login (specification §5.2). */
export interface TenantPrincipal {
  readonly kind: 'tenant';
  readonly id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly session_id: string;
}

export type Principal = ApiTokenPrincipal | OperatorPrincipal | TenantPrincipal;
export type PrincipalKind = Principal['kind'];

/** Verifies one kind of credential. The feature that stores it implements this. */
export interface TokenVerifier {
  /**
   * The holder of a credential; undefined if it is unknown, expired or revoked. @throws StoreUnavailableError
   */
  verify(token: string, kind: PrincipalKind): Promise<Principal | undefined>;
}

/** One verifier for each kind of principal. */
export type TokenVerifiers = Readonly<Partial<Record<PrincipalKind, TokenVerifier>>>;

/** Injection token of `TokenVerifiers`; bound by `app.module.ts`. */
export const TOKEN_VERIFIERS = Symbol('TokenVerifiers');

/** The dashboard's cookie with the operator's session (decisions §6). */
export const OPERATOR_COOKIE = 'operator_session';

/** The session's token of an authenticated request: from the header, otherwise from the cookie. */
export function sessionTokenOf(request: Request): string {
  const bearer = request.headers.authorization?.slice('bearer '.length);
  return bearer ?? cookieOf(request, OPERATOR_COOKIE) ?? '';
}

/** Metadata key: the kinds of principal that a route admits. Empty for a public route. */
export const ADMITTED_KINDS = Symbol('AdmittedKinds');

type NoOperator = Exclude<PrincipalKind, 'operator'>;

/** Admits these kinds of principal. On a controller: on all its routes that have no decorator of their own. */
export const Authenticated = (...kinds: [NoOperator, ...NoOperator[]]) => SetMetadata(ADMITTED_KINDS, kinds);

/** Admits everyone. A route with neither decorator stops the start of the service. */
export const Public = () => SetMetadata(ADMITTED_KINDS, []);
