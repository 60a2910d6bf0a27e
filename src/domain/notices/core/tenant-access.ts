import { type Access, isLockedOut } from '#domain/access/core/policy.js';
import type { TenantAccess } from './known-unit.js';

/** What an access means to the tenant of a unit. */
export function tenantAccessOf(access: Access): TenantAccess {
  if (access.state === 'tenant_permitted') return 'open';
  // A lease that has not begun is denied, and nobody is locked out by it.
  return access.state === 'tenant_denied' && !isLockedOut(access) ? 'not_begun' : 'closed';
}
