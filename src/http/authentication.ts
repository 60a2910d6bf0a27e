import { SetMetadata } from '@nestjs/common';
import { unauthorized } from './api-error.js';
import { isForeign } from './same-origin.js';
import type { Request } from 'express';

/** What an API token is good for: everything that its company may do, or reads alone. */
export const TOKEN_SCOPES = ['write', 'read'] as const;
export type TokenScope = (typeof TOKEN_SCOPES)[number];

/** An integrator's server, known by a company's API token (specification §5.1). */
export interface ApiTokenPrincipal {
  readonly kind: 'api_token';
  readonly id: string;
  readonly company_id: string;
  readonly scope: TokenScope;
}

/** What an operator may do, each role more than the one before it (decisions §6). */
export const OPERATOR_ROLES = ['auditor', 'manager', 'admin'] as const;
export type OperatorRole = (typeof OPERATOR_ROLES)[number];

/** A person who runs facilities, known by a session of the operator API. */
export interface OperatorPrincipal {
  readonly kind: 'operator';
  readonly id: string;
  readonly role: OperatorRole;
  /** The companies that there are for this operator; null: all. */
  readonly companies: readonly string[] | null;
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

/** What authentication needs of the feature that keeps a kind of credential. */
export interface TokenVerifier {
  /**
   * The holder of a credential, or undefined where it is unknown, expired or revoked. @throws StoreUnavailableError
   */
  verify(kind: PrincipalKind, token: string): Promise<Principal | undefined>;
}

/** One verifier for each kind of principal that any route of the application admits. */
export type TokenVerifiers = Readonly<Partial<Record<PrincipalKind, TokenVerifier>>>;

/** Injection token of `TokenVerifiers`; bound by `app.module.ts`. */
export const TOKEN_VERIFIERS = Symbol('TokenVerifiers');

/** The cookie in which the dashboard keeps the operator's session (decisions §6). */
export const OPERATOR_COOKIE = 'operator_session';

/** Metadata key: the kinds of principal a route admits; an empty list for a public one. */
export const ADMITTED_KINDS = Symbol('AdmittedKinds');

type NoOperator = Exclude<PrincipalKind, 'operator'>;

/** Admits holders of a credential of one of these kinds; on a controller, on all its routes without one of their own. */
export const Authenticated = (...kinds: [NoOperator, ...NoOperator[]]) => SetMetadata(ADMITTED_KINDS, kinds);

/** Admits everyone. Said aloud, because a route that says neither stops the start. */
export const Public = () => SetMetadata(ADMITTED_KINDS, []);

/** Longer than any credential that this service makes; what is longer is not worth hashing. */
const LONGEST_TOKEN = 512;
const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The principal behind a request's credential.
 * @throws ApiError 401 where there is none of an admitted kind. @throws StoreUnavailableError
 */
export async function authenticate(
  request: Request,
  admitted: readonly PrincipalKind[],
  verifiers: TokenVerifiers,
): Promise<Principal> {
  if (request.headers.authorization === undefined) return authenticateCookie(request, admitted, verifiers);
  const token = bearerOf(request);
  if (token === undefined) throw unauthorized();
  for (const kind of admitted) {
    const principal = await verifiers[kind]?.verify(kind, token);
    if (principal !== undefined) return principal;
  }
  throw unauthorized();
}

/** The token of the `Authorization` header, where it has the form of one. */
export function bearerOf({ headers }: Request): string | undefined {
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
  const principal = await verifiers.operator?.verify('operator', token);
  if (principal === undefined) throw unauthorized();
  return principal;
}

/** A cookie's value, where it has the form of a credential. */
export function cookieOf(request: Request, name: string): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined) return undefined;
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=');
    if (separator < 0 || pair.slice(0, separator).trim() !== name) continue;
    const value = pair.slice(separator + 1).trim();
    return value.length <= LONGEST_TOKEN && /^[A-Za-z0-9\-._~]+$/.test(value) ? value : undefined;
  }
  return undefined;
}
