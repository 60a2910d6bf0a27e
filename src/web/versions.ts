import type { AnswerHeaders } from '#kernel/rate-limiter.js';
import { identifierRule } from './validation/rules.js';
import type { Environment } from '#kernel/environment/environment.js';
import type { Request, Response } from 'express';

/** The prefixes of every tenant route (decisions §5). */
export const TENANT_PREFIXES = ['api/v2', 'api/v1', 'api'];

/** 2026-01-01T00:00:00Z: the earlier API is deprecated since then (RFC 9745: a structured date). */
const DEPRECATED_SINCE = '@1767225600';

/** Requests of the earlier API whose path is different in v2. All others only change their prefix. */
const MOVED: readonly (readonly [RegExp, string])[] = [
  // A PATCH of this path is a PATCH of a unit whose identifier is "sync".
  [/^(?!PATCH )\S+ \/pms\/units\/sync\/?$/i, '/units'],
  [/^\S+ \/pms\/events\/move-(?:in|out)\/?$/i, '/units'],
  [/^\S+ \/pms\/units\//i, '/units/'],
];

const EVENT = /^\/api(?:\/v1)?\/pms\/events\/move-(?:in|out)\/?$/i;

/** A path that is safe in a `Link` header. */
const PLAIN_PATH = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%/]{0,1000}$/;

/**
 * Sets the headers of deprecation for `/api/v1` and unversioned `/api` (specification §9).
 */
export function versionHeaders(
  environment: Environment,
): (request: Pick<Request, 'method' | 'url'>, response: Response) => void {
  const sunset = environment.v1_sunset && new Date(`${environment.v1_sunset}T00:00:00Z`).toUTCString();
  return ({ method, url }, response) => {
    const rest = earlierPath(url);
    if (rest === undefined) return;
    response.setHeader('Deprecation', DEPRECATED_SINCE);
    setSuccessor(response, successorOf(method, rest));
    if (sunset !== undefined) response.setHeader('Sunset', sunset);
  };
}

/** For a path that has no version. */
export function removeVersionHeaders(response: Response): void {
  for (const name of ['Deprecation', 'Link', 'Sunset']) response.removeHeader(name);
}

/**
 * Sets `Link` for an event of the earlier API. Its body names the unit, so the path in v2 is known only now. An invalid
 * identifier is left out, because it could make an invalid header.
 */
export function announceSuccessor(
  { path, body }: Pick<Request, 'path' | 'body'>,
  headers: AnswerHeaders,
): void {
  const unit = (body as { crm_unit_id?: unknown } | undefined)?.crm_unit_id;
  if (EVENT.test(path) && typeof unit === 'string' && identifierRule(unit) === undefined) {
    setSuccessor(headers, `/units/${encodeURIComponent(unit)}/tenancy`);
  }
}

function setSuccessor(headers: AnswerHeaders, path: string): void {
  headers.setHeader('Link', `</api/v2${path}>; rel="successor-version"`);
}

/** Whether a path belongs to v1, or has no version. */
export function isEarlierSurface(path: string): boolean {
  return earlierPath(path) !== undefined;
}

/** The path after the version, for a URL of the earlier API; otherwise undefined. */
function earlierPath(url: string): string | undefined {
  if (!/^\/api(?=[/?]|$)/i.test(url) || /^\/api\/(?:v2|operator)(?=[/?]|$)/i.test(url)) return undefined;
  const query = url.indexOf('?');
  return (query < 0 ? url : url.slice(0, query)).replace(/^\/api(?:\/v1(?=\/|$))?/i, '');
}

function successorOf(method: string, rest: string): string {
  if (!PLAIN_PATH.test(rest)) return '';
  const asked = `${method} ${rest}`;
  const moved = MOVED.find(([pattern]) => pattern.test(asked));
  return moved === undefined ? rest : asked.replace(moved[0], moved[1]);
}
