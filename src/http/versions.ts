import { identifierRule } from './validation/rules.js';
import type { Environment } from '../config/environment.js';
import type { Request, Response } from 'express';

/** The paths under which every tenant route answers (decisions §5). */
export const TENANT_PREFIXES = ['api/v2', 'api/v1', 'api'];

/** 2026-01-01T00:00:00Z, from which on the earlier surface counts as deprecated (RFC 9745: a structured date). */
const DEPRECATED_SINCE = '@1767225600';

/** Requests of the earlier surface whose successor has another path; the rest only changes its prefix. */
const MOVED: readonly (readonly [RegExp, string])[] = [
  // A PATCH of that path is one of the unit that its PMS calls "sync".
  [/^(?!PATCH )\S+ \/pms\/units\/sync\/?$/i, '/units'],
  [/^\S+ \/pms\/events\/move-(?:in|out)\/?$/i, '/units'],
  [/^\S+ \/pms\/units\//i, '/units/'],
];

const EVENT = /\/pms\/events\/move-(?:in|out)\/?$/i;

/** The characters that may stand in a `Link` header. */
const PLAIN_PATH = /^[A-Za-z0-9\-._~!$&'()*+,;=:@%/]{0,1000}$/;

/**
 * Tells clients of `/api/v1` and unversioned `/api` that their surface has a successor (specification §9).
 */
export function versionHeaders(
  environment: Environment,
): (request: Pick<Request, 'method' | 'url'>, response: Response) => void {
  const sunset = environment.v1_sunset && new Date(`${environment.v1_sunset}T00:00:00Z`).toUTCString();
  return ({ method, url }, response) => {
    const rest = earlierPath(url);
    if (rest === undefined) return;
    response.setHeader('Deprecation', DEPRECATED_SINCE);
    succeededBy(response, successorOf(method, rest));
    if (sunset !== undefined) response.setHeader('Sunset', sunset);
  };
}

/** The path was of no version after all. */
export function withoutVersion(response: Response): void {
  for (const name of ['Deprecation', 'Link', 'Sunset']) response.removeHeader(name);
}

/**
 * The body of an event of the earlier surface names the unit. So the path of v2 is known only once it was read. A
 * value that cannot name a unit is left out: it might not be encodable, or make an invalid header.
 */
export function announceSuccessor({ path, body }: Pick<Request, 'path' | 'body'>, response: Response): void {
  const unit = (body as { crm_unit_id?: unknown } | undefined)?.crm_unit_id;
  if (EVENT.test(path) && typeof unit === 'string' && identifierRule(unit) === undefined) {
    succeededBy(response, `/units/${encodeURIComponent(unit)}/tenancy`);
  }
}

/** Names the path of v2 that does what an earlier one did. */
function succeededBy(response: Response, path: string): void {
  response.setHeader('Link', `</api/v2${path}>; rel="successor-version"`);
}

/** Whether a path is of v1, or of no version: the surface that has a successor. */
export function isEarlierSurface(path: string): boolean {
  return earlierPath(path) !== undefined;
}

/** The path below the version of a URL on the earlier surface; undefined on any other. */
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
