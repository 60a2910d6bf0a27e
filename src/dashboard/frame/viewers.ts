import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { OPERATOR_COOKIE } from '#web/authentication.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { cookieOf } from '#web/cookies.js';
import { contextOf } from '#web/request-context.js';
import { isForeign } from '#web/same-origin.js';
import { Operators, OperatorSessions } from '#domain/operators/index.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { Viewer } from './shell.js';

/** Finds the viewer of a page. */
@Injectable()
export class Viewers {
  constructor(
    private readonly operators: Operators,
    private readonly sessions: OperatorSessions,
  ) {}

  /** Undefined for one who has not signed in. @throws StoreUnavailableError */
  async findViewer(request: Request): Promise<Viewer | undefined> {
    const principal = admitted(request);
    return principal && this.#named(principal);
  }

  /** The viewer of a refusal, also on pages for everybody, so that the page can link on. Needs no store to answer. */
  async findViewerOfRefused(request: Request): Promise<Viewer | undefined> {
    try {
      const principal = admitted(request) ?? (await this.#signedIn(request));
      return principal && (await this.#named(principal));
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      return this.findViewerOfFailed(request);
    }
  }

  /** The viewer of a failure or a rate limit, without asking the stores: they may have failed, or are to be spared. */
  findViewerOfFailed(request: Request): Viewer | undefined {
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
