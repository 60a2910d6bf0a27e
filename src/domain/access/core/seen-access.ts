import { type Access, isLockedOut, isOpen } from './policy.js';

/** What the tenant of a unit sees of its access, whatever the reason. `not_begun`: the lease begins later. */
export type SeenAccess = 'open' | 'closed' | 'not_begun';

export function seenAccessOf(access: Access): SeenAccess {
  if (isOpen(access)) return 'open';
  // A lease that has not begun is denied, and nobody is locked out by it.
  return access.state === 'tenant_denied' && !isLockedOut(access) ? 'not_begun' : 'closed';
}
