import type { Request } from 'express';
import { OPERATOR_COOKIE } from '#web/authentication.js';
import { setCookie } from '#web/cookies.js';
import { contextOf } from '#web/request-context.js';
import type { OpenedSession } from '#domain/operators/index.js';

interface Browser {
  readonly request: Request;
  readonly production: boolean;
}

/** Gives the browser its session. */
export function keepSession({ token, expires_at }: OpenedSession, { request, production }: Browser): void {
  const { received_at, headers } = contextOf(request)!;
  // A duration, because the browser's clock may differ.
  const seconds = Math.floor((expires_at - received_at) / 1_000);
  setCookie(request, headers, { name: OPERATOR_COOKIE, value: token, seconds, production });
}

export function dropSession({ request, production }: Browser): void {
  setCookie(request, contextOf(request)!.headers, {
    name: OPERATOR_COOKIE,
    value: '',
    seconds: 0,
    production,
  });
}
