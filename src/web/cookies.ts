import type { Request } from 'express';
import type { AddedHeaders } from './added-headers.js';

/** Longer than any credential of this service. Longer texts are refused without hashing. */
export const LONGEST_TOKEN = 512;

const OVER_TLS = Symbol('OverTls');

type CookieRequest = Pick<Request, 'headers'> & { [OVER_TLS]?: boolean };

/** Marks a request that came by TLS. The first middleware calls this once. */
export function noteTls(request: CookieRequest): void {
  request[OVER_TLS] = true;
}

/**
 * Over TLS the name of a cookie has the prefix `__Host-`, which browsers accept only from this host and with `Secure`.
 * Only this name is read.
 */
function nameFor(request: CookieRequest, name: string): string {
  return request[OVER_TLS] === true ? `__Host-${name}` : name;
}

/** A cookie's value; undefined if it cannot be a credential. @param longest in characters */
export function cookieOf(request: CookieRequest, name: string, longest = LONGEST_TOKEN): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined) return undefined;
  const wanted = nameFor(request, name);
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=');
    if (separator < 0 || pair.slice(0, separator).trim() !== wanted) continue;
    const value = pair.slice(separator + 1).trim();
    return value.length <= longest && /^[A-Za-z0-9\-._~]+$/.test(value) ? value : undefined;
  }
  return undefined;
}

/** Sets a cookie that scripts cannot read and other sites cannot send. 0 seconds and an empty value delete it. */
export function setCookie(
  request: CookieRequest,
  headers: AddedHeaders,
  { name, value, seconds, production }: { name: string; value: string; seconds: number; production: boolean },
): void {
  // In production TLS may end at a proxy that is not configured as trusted.
  const secure = request[OVER_TLS] === true || production ? '; Secure' : '';
  headers.append(
    'Set-Cookie',
    `${nameFor(request, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
