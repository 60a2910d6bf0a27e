import type { Request, Response } from 'express';
import type { TLSSocket } from 'node:tls';
import { contextOf, OPERATOR_COOKIE } from '../../http/index.js';
import type { OpenedSession } from '../../operator/index.js';

/** Whether the browser is spoken to over TLS, as far as can be told: whoever claims so wrongly only loses the cookie. */
function isOverTls({ headers, socket }: Request): boolean {
  return (socket as TLSSocket).encrypted === true || headers['x-forwarded-proto'] === 'https';
}

/** Gives the browser its session: nothing but requests of the service's own pages carries it, and no script sees it. */
export function keepSession(
  { token, expires_at }: OpenedSession,
  { request, response, production }: { request: Request; response: Response; production: boolean },
): void {
  const secure = production || isOverTls(request) ? '; Secure' : '';
  // Counted from now on: a browser's clock may be another than the service's.
  const seconds = Math.floor((expires_at - contextOf(request)!.received_at) / 1_000);
  response.append(
    'Set-Cookie',
    `${OPERATOR_COOKIE}=${token}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure}`,
  );
}

export function dropSession(response: Response): void {
  response.append('Set-Cookie', `${OPERATOR_COOKIE}=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict`);
}
