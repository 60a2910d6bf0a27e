import type { TenantPrincipal } from '../../http/index.js';
import type { EntryPointDocument, LockDocument } from '../../locations/index.js';

/**
 * Whether a tenant may report about a lock or an entry point: they have, or ever had, a tenancy of or a share in its
 * unit, or in a unit of one of its zones. Evidence that arrives late is still evidence.
 */
export interface LockEntitlement {
  /** @throws StoreUnavailableError */
  mayReportLock(principal: TenantPrincipal, lock: LockDocument): Promise<boolean>;
  /** @throws StoreUnavailableError */
  mayReportEntryPoint(principal: TenantPrincipal, entry_point: EntryPointDocument): Promise<boolean>;
}

/** Injection token; bound by app.module.ts. */
export const LOCK_ENTITLEMENT = Symbol('LockEntitlement');
