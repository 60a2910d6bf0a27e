export interface KeyGrant {
  /** The id of the lock or entry point that checks the key. */
  readonly lock_id: string;
  /** The unit that the lock is on; null for an entry point. */
  readonly unit_id: string | null;
  /** The tenancy that gives the right; null for an entry point. */
  readonly tenancy_id: string | null;
  readonly tenant_id: string;
  /** The lock refuses the key from this instant (milliseconds). */
  readonly expires_at: number;
  /** True for a sandbox's key, which opens no lock. */
  readonly sandbox: boolean;
}

/** Makes the keys that an app passes to a lock (docs/decisions.md). A lock maker's own scheme may replace it. */
export interface KeyIssuer {
  /**
   * Makes a key. The same grant gives the same key, so that repeated reads give equal answers. Never store or log it.
   */
  issue(grant: KeyGrant): string;
  /**
   * The secret data with which a lock or reader checks its keys offline. Never store or log it.
   */
  provisioning(lock_id: string): Readonly<Record<string, string | number>>;
}

/** Injection token; bound by app.module.ts. */
export const KEY_ISSUER = Symbol('KeyIssuer');
