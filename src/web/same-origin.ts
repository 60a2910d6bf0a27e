import type { Request } from 'express';
import { errorOf } from '#kernel/errors/api-error.js';

type OriginRequest = Pick<Request, 'headers'>;

/**
 * Whether a browser says that another origin caused a request. A sub-domain of the same site is another origin. The header
 * is `Sec-Fetch-Site`; over plain HTTP it is `Origin`, which reads do not have.
 */
export function isForeign({ headers }: OriginRequest): boolean {
  const { 'sec-fetch-site': site, origin } = headers;
  if (site === undefined) return origin !== undefined && !isOwnOrigin(headers);
  return site !== 'same-origin' && site !== 'none';
}

/** Refuses a form that does not come from a page of this origin, also without the headers. @throws ApiError 403 */
export function assertSameOrigin({ headers }: OriginRequest): void {
  const site = headers['sec-fetch-site'];
  const isOwn = site === undefined ? isOwnOrigin(headers) : site === 'same-origin';
  if (!isOwn) throw errorOf('forbidden');
}

function isOwnOrigin({ origin, host }: Request['headers']): boolean {
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host;
}
