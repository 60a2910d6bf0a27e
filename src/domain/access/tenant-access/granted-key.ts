import { toTimestamp } from '#kernel/timestamp.js';
import type { KeyFormat, LocationDocument } from '#domain/locations/index.js';
import { type KeyGrant, keyExpiry } from '#domain/locks/index.js';
import type { Calendar } from '../core/decision.js';

/** The values that all keys of one answer share. */
export interface GrantContext {
  readonly tenant_id: string;
  /** Milliseconds. */
  readonly now: number;
  readonly sandbox: boolean;
  readonly calendar: Calendar;
}

export interface ShownKey<Key> {
  readonly key: Key;
  readonly key_expires_at: string;
}

type Opened = Pick<KeyGrant, 'lock_id' | 'unit_id' | 'tenancy_id'> & { readonly key_format: KeyFormat };

/** @param right_ends the instant (milliseconds) at which the right to the key ends; null: not until something is written */
export function keyTo(
  opened: Opened,
  right_ends: number | null,
  { policy: { timezone } }: LocationDocument,
  { tenant_id, now, sandbox, calendar }: GrantContext,
): ShownKey<KeyGrant> {
  const expires_at = keyExpiry({ valid_until: right_ends, now, timezone }, calendar);
  const key = { ...opened, tenant_id, expires_at, valid_from: null, sandbox };
  return { key, key_expires_at: toTimestamp(expires_at) };
}

export interface ShownNextKey<Key> extends ShownKey<Key> {
  readonly valid_from: string;
}

/** A key that opens from an instant on (milliseconds). */
export function nextKeyTo(
  opened: Opened,
  { valid_from, expires_at }: { readonly valid_from: number; readonly expires_at: number },
  { tenant_id, sandbox }: GrantContext,
): ShownNextKey<KeyGrant> {
  const key = { ...opened, tenant_id, expires_at, valid_from, sandbox };
  return { key, valid_from: toTimestamp(valid_from), key_expires_at: toTimestamp(expires_at) };
}
