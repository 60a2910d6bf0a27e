import type { Request, Response } from 'express';

/** Longer than any credential that this service makes; what is longer is not worth hashing. */
export const LONGEST_TOKEN = 512;

const OVER_TLS = Symbol('OverTls');

type Told = Pick<Request, 'headers'> & { [OVER_TLS]?: boolean };

/** Notes that a request came by TLS, as its connection or a trusted proxy says. Done once, by the first middleware. */
export function noteTls(request: Told): void {
  request[OVER_TLS] = true;
}

/**
 * The name of a cookie for a request: over TLS with the prefix `__Host-`, which browsers take from this host alone and
 * with `Secure`; a plain one elsewhere. Only the name that belongs to the request is read.
 */
function nameFor(request: Told, name: string): string {
  return request[OVER_TLS] === true ? `__Host-${name}` : name;
}

/** A cookie's value, where it has the form of a credential. */
export function cookieOf(request: Told, name: string): string | undefined {
  const header = request.headers.cookie;
  if (header === undefined) return undefined;
  const wanted = nameFor(request, name);
  for (const pair of header.split(';')) {
    const separator = pair.indexOf('=');
    if (separator < 0 || pair.slice(0, separator).trim() !== wanted) continue;
    const value = pair.slice(separator + 1).trim();
    return value.length <= LONGEST_TOKEN && /^[A-Za-z0-9\-._~]+$/.test(value) ? value : undefined;
  }
  return undefined;
}

/** Gives a browser a cookie that no script sees and no other site sends; with 0 seconds and an empty value it is dropped. */
export function setCookie(
  request: Told,
  response: Response,
  { name, value, seconds, production }: { name: string; value: string; seconds: number; production: boolean },
): void {
  // In production TLS may end at a proxy that nobody named.
  const secure = request[OVER_TLS] === true || production ? '; Secure' : '';
  response.append(
    'Set-Cookie',
    `${nameFor(request, name)}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}
