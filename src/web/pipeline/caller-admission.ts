import { Inject, Injectable, Optional } from '@nestjs/common';
import { errorOf } from '#kernel/errors/api-error.js';
import { TOKEN_VERIFIERS, type TokenVerifiers } from '../authentication.js';
import {
  assertCredentials,
  assertOwn,
  assertRole,
  assertScope,
  assertServed,
  OWNERS,
  type Owners,
} from '../operator-access.js';
import { enterAdmitted } from '../turn-callers.js';
import type { Arriving } from './arriving.js';
import { authenticate } from './authenticate.js';

const READS_ONLY = 'This API token may only read. Use one of scope `write`.';

/** Authenticates callers and checks their rights. */
@Injectable()
export class CallerAdmission {
  constructor(
    @Inject(TOKEN_VERIFIERS) private readonly verifiers: TokenVerifiers,
    @Optional() @Inject(OWNERS) private readonly owners: Owners = {},
  ) {}

  /**
   * Sets the principal in the context. Called again after each wait, because rights may have changed.
   * @throws ApiError 401; 403 without the required right; 404 outside of the operator's companies and sites
   * @throws StoreUnavailableError
   */
  async admit({ request, context, route }: Arriving): Promise<void> {
    const { admitted, role = 'admin', siteAccess, isRead } = route;
    const principal = await authenticate(request, admitted, this.verifiers);
    context.principal = principal;
    enterAdmitted(request, principal.id);
    context.actor = { kind: principal.kind, id: principal.id };
    if (principal.kind === 'api_token' && principal.scope === 'read' && !isRead)
      throw errorOf('forbidden', { hint: READS_ONLY });
    if (principal.kind !== 'operator') return;
    assertCredentials(principal, route);
    assertRole(principal, role);
    assertServed(principal, siteAccess);
    await assertScope(principal, request, this.owners);
  }

  /** Checks the ids in an operator's form, like those in the path. @throws ApiError 404. @throws StoreUnavailableError */
  async admitForm({ request: { body }, context: { principal } }: Arriving): Promise<void> {
    if (principal?.kind !== 'operator' || body === undefined) return;
    await assertOwn(principal, body as Record<string, unknown>, this.owners);
  }
}
