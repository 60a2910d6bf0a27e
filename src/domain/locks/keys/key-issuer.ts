import type { KeyFormat } from '#domain/locations/index.js';

export interface KeyGrant {
  /** The id of the lock or entry point that checks the key. */
  readonly lock_id: string;
  /** The unit that the lock is on; null for an entry point. */
  readonly unit_id: string | null;
  /** The tenancy that gives the right, or the pass; null for an entry point that a tenancy opens. */
  readonly tenancy_id: string | null;
  readonly tenant_id: string;
  /** The lock refuses the key from this instant (milliseconds). */
  readonly expires_at: number;
  /** The lock refuses the key before this instant (milliseconds). Null: it opens at once. Only format 3 has one. */
  readonly valid_from: number | null;
  /** The format of keys that the lock knows. */
  readonly key_format: KeyFormat;
  /** True for a sandbox's key, which opens no lock. */
  readonly sandbox: boolean;
}

/** Makes the keys that an app passes to a lock (docs/decisions.md). A lock maker's own scheme may replace it. */
export abstract class KeyIssuer {
  /**
   * Makes a key. The same grant gives the same key, so that repeated reads give equal answers. Never store or log it.
   */
  abstract issue(grant: KeyGrant): string;
  /**
   * The secret data with which a lock or reader checks its keys offline. Never store or log it.
   */
  abstract provisioning(lock_id: string, key_format: KeyFormat): Readonly<Record<string, string | number>>;
}
