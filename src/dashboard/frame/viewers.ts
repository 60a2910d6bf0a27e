import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { OPERATOR_COOKIE, type OperatorPrincipal } from '../../http/authentication.js';
import { cookieOf } from '../../http/cookies.js';
import { contextOf } from '../../http/request-context.js';
import { isForeign } from '../../http/same-origin.js';
import { Operators, OperatorSessions } from '../../operator/index.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import type { Viewer } from './shell.js';

/** Finds the viewer of a page. */
@Injectable()
export class Viewers {
  constructor(
    private readonly operators: Operators,
    private readonly sessions: OperatorSessions,
  ) {}

  /** Undefined for one who has not signed in. @throws StoreUnavailableError */
  async of(request: Request): Promise<Viewer | undefined> {
    const principal = admitted(request);
    return principal && this.#named(principal);
  }

  /** The viewer of a refusal, also on pages for everybody, so that the page can link on. Needs no store to answer. */
  async ofRefused(request: Request): Promise<Viewer | undefined> {
    try {
      const principal = admitted(request) ?? (await this.#signedIn(request));
      return principal && (await this.#named(principal));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return this.ofFailed(request);
    }
  }

  /** The viewer of a failure or a rate limit, without asking the stores: they may have failed, or are to be spared. */
  ofFailed(request: Request): Viewer | undefined {
    const principal = admitted(request);
    return principal && { role: principal.role, email: null };
  }

  async #signedIn(request: Request): Promise<OperatorPrincipal | undefined> {
    const token = isForeign(request) ? undefined : cookieOf(request, OPERATOR_COOKIE);
    return token === undefined ? undefined : this.sessions.verify(token);
  }

  async #named({ id, role }: OperatorPrincipal): Promise<Viewer> {
    const operator = await this.operators.byId(id);
    return { role, email: operator?.email ?? null };
  }
}

function admitted(request: Request): OperatorPrincipal | undefined {
  const principal = contextOf(request)?.principal;
  return principal?.kind === 'operator' ? principal : undefined;
}
