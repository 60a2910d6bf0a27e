import { Inject, Injectable, Optional } from '@nestjs/common';
import type { Request } from 'express';
import { forbidden } from './api-error.js';
import { authenticate, TOKEN_VERIFIERS } from './authentication.js';
import { demandRole, demandScope, OWNERS } from './operator-access.js';
import type { TokenVerifiers } from './authentication.js';
import type { Owners } from './operator-access.js';
import type { OpenRequestContext } from './request-context.js';
import type { RouteOptions } from './route-options.js';

/** Knows who calls, and what of the service there is for them. */
@Injectable()
export class Callers {
  constructor(
    @Inject(TOKEN_VERIFIERS) private readonly verifiers: TokenVerifiers,
    @Optional() @Inject(OWNERS) private readonly owners: Owners = {},
  ) {}

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
    const principal = await authenticate(request, admitted, this.verifiers);
    context.principal = principal;
    context.actor = { kind: principal.kind, id: principal.id };
    if (principal.kind === 'api_token' && principal.scope === 'read' && !isRead) throw forbidden();
    if (principal.kind !== 'operator') return;
    demandRole(principal, role);
    await demandScope(principal, request, this.owners);
  }
}
