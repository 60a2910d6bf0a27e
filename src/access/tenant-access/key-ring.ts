import { toTimestamp } from '../../config/clock.js';
import { type KeyGrant, type KeyIssue, type KeyIssuer, keyExpiry } from '../../locks/index.js';
import type { Calendar } from '../core/decision.js';

/** A key as the app is given it. */
export interface ShownKey {
  readonly key: string;
  readonly key_expires_at: string;
}

/** What a key opens, and what its end follows from. */
export interface KeyRequest extends Omit<KeyGrant, 'tenant_id' | 'expires_at'> {
  /** Milliseconds: until when the decision behind the key holds; null for as long as nothing is written. */
  readonly valid_until: number | null;
  readonly timezone: string;
}

/** For whom keys are made, and when. */
export interface KeyHolder {
  readonly tenant_id: string;
  /** Milliseconds. */
  readonly now: number;
}

/** Makes the keys of one answer and keeps note of what it made: no key leaves without a record of its issue. */
export class KeyRing {
  readonly #issues: KeyIssue[] = [];

  constructor(
    private readonly issuer: KeyIssuer,
    private readonly calendar: Calendar,
    private readonly holder: KeyHolder,
  ) {}

  /** Every key that was made, without the key. */
  get issues(): readonly KeyIssue[] {
    return this.#issues;
  }

  keyTo({ lock_id, unit_id, tenancy_id, valid_until, timezone }: KeyRequest): ShownKey {
    const { tenant_id, now } = this.holder;
    const expires_at = keyExpiry({ valid_until, now, timezone }, this.calendar);
    this.#issues.push({ lock_id, tenant_id, expires_at });
    const key = this.issuer.issue({ lock_id, unit_id, tenancy_id, tenant_id, expires_at });
    return { key, key_expires_at: toTimestamp(expires_at) };
  }
}
