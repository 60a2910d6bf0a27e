/** The content of a key: what it opens, for whom, and until when. */
export interface KeyGrant {
  /** The lock, or the entry point, whose reader checks the key. */
  readonly lock_id: string;
  /** The unit that the lock is on; null for an entry point. */
  readonly unit_id: string | null;
  /** The stay that the right comes from; null for an entry point. */
  readonly tenancy_id: string | null;
  readonly tenant_id: string;
  /** Milliseconds: from this instant on the lock refuses the key. */
  readonly expires_at: number;
  /** The company's clock is set by its operator: no lock opens to the key. */
  readonly sandbox: boolean;
}

/** Makes the key strings that an app passes to a lock (decisions on keys: docs/decisions.md). A lock maker's scheme may replace it. */
export interface KeyIssuer {
  /**
   * The key for a grant: opaque to the app, and the same for the same grant, so that repeated reads give equal answers.
   * Never stored and never logged.
   */
  issue(grant: KeyGrant): string;
  /**
   * The data with which a lock or a reader checks its keys offline, in the scheme's own words. Secret: never stored
   * and never logged.
   */
  provisioning(lock_id: string): Readonly<Record<string, string | number>>;
}

/** Injection token; bound by app.module.ts. */
export const KEY_ISSUER = Symbol('KeyIssuer');
