import { SetMetadata } from '@nestjs/common';
import type { PrincipalKind } from '#kernel/principals.js';
import type { TokenVerifier } from '#kernel/token-verifier.js';
import { cookieOf } from './cookies.js';
import type { Request } from 'express';

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
