import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { forbidden } from './api-error.js';
import { authenticate, TOKEN_VERIFIERS } from './authentication.js';
import { PresumedCallers } from './presumed-callers.js';
import { demandOwn, demandRole, demandScope, OWNERS } from './operator-access.js';
import type { Principal, PrincipalKind, TokenVerifiers } from './authentication.js';
import type { Owners } from './operator-access.js';
import type { OpenRequestContext } from './request-context.js';
import type { RouteOptions } from './route-options.js';

/** Knows who calls, and what of the service there is for them. */
@Injectable()
export class Callers {
  constructor(
    @Inject(TOKEN_VERIFIERS) private readonly verifiers: TokenVerifiers,
    private readonly presumed: PresumedCallers,
    @Optional() @Inject(OWNERS) private readonly owners: Owners = {},
  ) {}

  /**
   * Begins what the route's handler will read, where it is known whom the request's credential has named before. Who that
   * was: {@link admit} says whether the credential still holds.
   */
  readAhead(request: Request, route: RouteOptions): Principal | undefined {
    return this.presumed.readAhead(request, route);
  }

  /**
   * Names in the context who calls a route.
   * @throws ApiError 401, 403 for one who may do less than the route asks for, 404 for what is out of scope.
   * @throws StoreUnavailableError
   */
  async admit(
    request: Request,
    context: OpenRequestContext,
    { admitted, role = 'admin', isRead }: RouteOptions,
  ): Promise<void> {
    if (admitted.length === 0) return;
    const principal = await this.authenticate(request, admitted);
    context.principal = principal;
    context.actor = { kind: principal.kind, id: principal.id };
    if (principal.kind === 'api_token' && principal.scope === 'read' && !isRead) throw forbidden();
    if (principal.kind !== 'operator') return;
    demandRole(principal, role);
    await demandScope(principal, request, this.owners);
  }

  private async authenticate(request: Request, admitted: readonly PrincipalKind[]): Promise<Principal> {
    try {
      const principal = await authenticate(request, admitted, this.verifiers);
      this.presumed.remember(request, principal);
      return principal;
    } catch (refusal) {
      this.presumed.forget(request);
      throw refusal;
    }
  }

  /** Holds what an operator's form names to the scope, as the path is. @throws ApiError 404. @throws StoreUnavailableError */
  async admitForm({ body }: Request, { principal }: OpenRequestContext): Promise<void> {
    if (principal?.kind !== 'operator' || body === undefined) return;
    await demandOwn(principal, body as Record<string, unknown>, this.owners);
  }
}
