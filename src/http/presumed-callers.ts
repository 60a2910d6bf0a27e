import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { ReadsAhead } from '../documents/reads-ahead.js';
import { bearerOf, type Principal } from './authentication.js';
import { hashOf } from './credential-hash.js';
import type { RouteOptions } from './route-options.js';

/** What a route's handler reads in any case, by the name that the route gives to `@ReadAhead`. Writes nothing. */
export type ReadAheads = Readonly<
  Record<string, (request: Request, principal: Principal) => Promise<unknown>>
>;

/** Injection token of `ReadAheads`; nothing is presumed or read ahead where it is not bound. */
export const READ_AHEADS = Symbol('ReadAheads');

/** Beyond so many all are forgotten: each is known again by its next request. */
const MOST_REMEMBERED = 10_000;

/**
 * Whom credentials named last. A credential means the same for as long as it holds, so what its holder will read can be
 * asked for beside the question whether it still does. That question is asked all the same, of every request, and nothing is
 * answered or written before it is.
 */
@Injectable()
export class PresumedCallers {
  readonly #known = new Map<string, Principal>();

  constructor(@Optional() @Inject(READ_AHEADS) private readonly reads?: ReadAheads) {}

  get isOff(): boolean {
    return this.reads === undefined;
  }

  /** The holder of the request's credential as far as this process knows, for whom the route's reads have been begun. */
  readAhead(request: Request, route: RouteOptions): Principal | undefined {
    const begin = route.ahead === undefined ? undefined : this.reads?.[route.ahead];
    const principal = begin && this.#presumed(request);
    if (begin === undefined || principal === undefined || !mayCall(principal, route)) return undefined;
    ReadsAhead.begin(() => begin(request, principal));
    return principal;
  }

  remember(request: Request, principal: Principal): void {
    const token = this.reads && bearerOf(request);
    if (token === undefined) return;
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    this.#known.set(hashOf(token), principal);
  }

  forget(request: Request): void {
    const token = this.reads && bearerOf(request);
    if (token !== undefined) this.#known.delete(hashOf(token));
  }

  #presumed(request: Request): Principal | undefined {
    const token = bearerOf(request);
    return token === undefined ? undefined : this.#known.get(hashOf(token));
  }
}

function mayCall(principal: Principal, { admitted, isRead }: RouteOptions): boolean {
  const onlyReads = principal.kind === 'api_token' && principal.scope === 'read';
  return admitted.includes(principal.kind) && (isRead || !onlyReads);
}
