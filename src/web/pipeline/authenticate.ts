import type { Request } from 'express';
import { unauthorized } from '#kernel/errors/api-error.js';
import { OPERATOR_COOKIE, type TokenVerifiers } from '../authentication.js';
import type { Principal, PrincipalKind } from '#kernel/principals.js';
import { cookieOf, LONGEST_TOKEN } from '../cookies.js';
import { isForeign } from '../same-origin.js';

const CREDENTIALS: Readonly<Record<PrincipalKind, string>> = {
  api_token: 'an API token of the company',
  operator: 'the token of an operator’s sign-in',
  tenant: 'the token of a tenant’s sign-in',
};

function wanted(admitted: readonly PrincipalKind[]): string {
  return admitted.map((kind) => CREDENTIALS[kind]).join(' or ');
}

const BEARER = /^bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/**
 * The principal behind a request's credential.
 * @throws ApiError 401 without a credential of an admitted kind. @throws StoreUnavailableError
 */
export async function authenticate(
  request: Request,
  admitted: readonly PrincipalKind[],
  verifiers: TokenVerifiers,
): Promise<Principal> {
  if (request.headers.authorization === undefined) return authenticateCookie(request, admitted, verifiers);
  const token = bearerOf(request);
  if (token === undefined) throw unauthorized(`The Authorization header is not "Bearer TOKEN".`);
  for (const kind of admitted) {
    const principal = await verifiers[kind]?.verify(token, kind);
    if (principal !== undefined) return principal;
  }
  throw unauthorized(`The token is unknown, has ended, or is for other routes. Send ${wanted(admitted)}.`);
}

/** The token of the `Authorization` header; undefined if it cannot be a token. */
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
  // SameSite=Strict does not exclude sub-domains of the same site, so check the origin.
  if (token === undefined || isForeign(request))
    throw unauthorized(`Send the header "Authorization: Bearer TOKEN" with ${wanted(admitted)}.`);
  const principal = await verifiers.operator?.verify(token, 'operator');
  if (principal === undefined) throw unauthorized('The session has ended. Sign in again.');
  return principal;
}
