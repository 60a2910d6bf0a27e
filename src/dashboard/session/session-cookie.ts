import type { Request, Response } from 'express';
import { OPERATOR_COOKIE } from '../../http/authentication.js';
import { setCookie } from '../../http/cookies.js';
import { contextOf } from '../../http/request-context.js';
import type { OpenedSession } from '../../operator/index.js';

interface Browser {
  readonly request: Request;
  readonly response: Response;
  readonly production: boolean;
}

/** Gives the browser its session. */
export function keepSession(
  { token, expires_at }: OpenedSession,
  { request, response, production }: Browser,
): void {
  // A duration, because the browser's clock may differ.
  const seconds = Math.floor((expires_at - contextOf(request)!.received_at) / 1_000);
  setCookie(request, response, { name: OPERATOR_COOKIE, value: token, seconds, production });
}

export function dropSession({ request, response, production }: Browser): void {
  setCookie(request, response, { name: OPERATOR_COOKIE, value: '', seconds: 0, production });
}
