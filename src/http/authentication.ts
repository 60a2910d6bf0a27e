import { SetMetadata } from '@nestjs/common';
import { cookieOf } from './cookies.js';
import type { Request } from 'express';

/** The scope of an API token: all that its company may do, or reads alone. */
export const TOKEN_SCOPES = ['write', 'read'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** An integrator's server, known by a company's API token (specification §5.1). */
export interface ApiTokenPrincipal {
  readonly kind: 'api_token';
  readonly id: string;
  readonly company_id: string;
  readonly scope: TokenScope;
}

/** The roles of an operator, each with more rights than the one before (decisions §6). */
export const OPERATOR_ROLES = ['auditor', 'manager', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A person who runs facilities, known by a session of the operator API. */
export interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly id: string;
  readonly role: OperatorRole;
  /** The companies that there are for this operator; null: all. */
  readonly companies: readonly string[] | null;
  /** Rises with every change of the operator's password, second factor or rights. */
  readonly rights_version: number;
  /** The second factor that is demanded of all is not set. The session may only set it. */
  readonly lacks_factor?: true;
}

/** A tenant's app, known by the token of an OTP login (specification §5.2). */
export interface TenantPrincipal {
  readonly kind: 'tenant';
  readonly id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly session_id: string;
}

export type Principal = ApiTokenPrincipal | OperatorPrincipal | TenantPrincipal;
export type PrincipalKind = Principal['kind'];

/** Knows one kind of credential. The feature that keeps it implements this. */
export interface TokenVerifier {
  /**
   * The holder of a credential, or undefined where it is unknown, expired or revoked. @throws StoreUnavailableError
   */
  verify(token: string, kind: PrincipalKind): Promise<Principal | undefined>;
}

/** One verifier for each kind of principal that any route of the application admits. */
export type TokenVerifiers = Readonly<Partial<Record<PrincipalKind, TokenVerifier>>>;

/** Injection token of `TokenVerifiers`; bound by `app.module.ts`. */
export const TOKEN_VERIFIERS = Symbol('TokenVerifiers');

/** The cookie in which the dashboard keeps the operator's session (decisions §6). */
export const OPERATOR_COOKIE = 'operator_session';

/** The session's token of a request that was admitted: from the header where there is one, otherwise from the cookie. */
export function sessionTokenOf(request: Request): string {
  const bearer = request.headers.authorization?.slice('bearer '.length);
  return bearer ?? cookieOf(request, OPERATOR_COOKIE) ?? '';
}

/** Metadata key: the kinds of principal a route admits; an empty list for a public one. */
export const ADMITTED_KINDS = Symbol('AdmittedKinds');

type NoOperator = Exclude<PrincipalKind, 'operator'>;

/** Admits holders of a credential of one of these kinds; on a controller, on all its routes without one of their own. */
export const Authenticated = (...kinds: [NoOperator, ...NoOperator[]]) => SetMetadata(ADMITTED_KINDS, kinds);

/** Admits everyone. Said aloud, because a route that says neither stops the start. */
export const Public = () => SetMetadata(ADMITTED_KINDS, []);
