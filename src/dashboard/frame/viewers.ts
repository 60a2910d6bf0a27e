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
import { SideBarReader } from './side-bar.reader.js';

/** Finds the viewer of a page. */
@Injectable()
export class Viewers {
  constructor(
    private readonly operators: Operators,
    private readonly sessions: OperatorSessions,
    private readonly sideBars: SideBarReader,
  ) {}

  /**
   * Undefined for one who has not signed in. @throws StoreUnavailableError
   * @param company_id of the page
   */
  async findViewer(request: Request, company_id?: string): Promise<Viewer | undefined> {
    const principal = admitted(request);
    return principal && this.#named(principal, company_id);
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
    return principal && { ...seen(principal), email: null, sideBar: undefined };
  }

  async #signedIn(request: Request): Promise<OperatorPrincipal | undefined> {
    const token = isForeign(request) ? undefined : cookieOf(request, OPERATOR_COOKIE);
    const principal = token === undefined ? undefined : await this.sessions.verify(token);
    return isStopped(principal) ? undefined : principal;
  }

  async #named(principal: OperatorPrincipal, company_id?: string): Promise<Viewer> {
    const [operator, sideBar] = await Promise.all([
      this.operators.byId(principal.id),
      this.sideBars.read(principal, company_id),
    ]);
    return { ...seen(principal), email: operator?.email ?? null, sideBar };
  }
}

function seen({ role, companies, sites }: OperatorPrincipal): Pick<Viewer, 'role' | 'scope'> {
  if (sites !== null) return { role, scope: 'sites' };
  return { role, scope: companies === null ? 'all' : 'companies' };
}

function admitted(request: Request): OperatorPrincipal | undefined {
  const principal = contextOf(request)?.principal;
  return principal?.kind === 'operator' && !isStopped(principal) ? principal : undefined;
}

/** One who must change the password first sees nothing beside the form for it. */
function isStopped(principal: OperatorPrincipal | undefined): boolean {
  return principal?.must_change_password === true;
}
