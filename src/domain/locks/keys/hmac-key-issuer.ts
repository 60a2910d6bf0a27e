import { createHmac, hkdfSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KeyFormat } from '#domain/locations/index.js';
import type { KeyGrant, KeyIssuer } from './key-issuer.js';

/** The cache of derived keys has 32 bytes for each lock. */
const CACHED_LOCKS = 20_000;
/** Storage formats of keys (docs/locks.md): locks in the field check them. Add a number, never change one. */
const SANDBOX_FORMATS = { 1: 2, 3: 4 } as const satisfies Record<KeyFormat, number>;
/** The beginning of a key that opens at once. */
const AT_ONCE = 0;

/**
 * The default scheme: `base64url(payload).base64url(HMAC-SHA-256)`. The payload is the JSON array
 * `[format, lock, unit, tenancy, tenant, expires_at]`; in format 3 `valid_from` follows. The HMAC's key is derived from the master secret and the lock's id
 * by HKDF-SHA-256. With its derived key, a lock checks keys offline, and cannot make keys for other locks.
 */
export class HmacKeyIssuer implements KeyIssuer {
  readonly #derived = new LRUCache<string, Buffer>({ max: CACHED_LOCKS });

  constructor(private readonly master: Buffer) {}

  issue(grant: KeyGrant): string {
    const { lock_id, unit_id, tenancy_id, tenant_id, expires_at, valid_from, key_format, sandbox } = grant;
    if (valid_from !== null && key_format === 1)
      throw new Error('A key of format 1 cannot say when it begins.');
    const format = sandbox ? SANDBOX_FORMATS[key_format] : key_format;
    const fields = [format, lock_id, unit_id, tenancy_id, tenant_id, expires_at];
    const payload = Buffer.from(
      JSON.stringify(key_format === 1 ? fields : [...fields, valid_from ?? AT_ONCE]),
    );
    return `${payload.toString('base64url')}.${this.#sign(lock_id, payload).toString('base64url')}`;
  }

  provisioning(lock_id: string, key_format: KeyFormat) {
    return { format: key_format, algorithm: 'HMAC-SHA-256', key: this.#keyOf(lock_id).toString('base64url') };
  }

  #sign(lock_id: string, payload: Buffer): Buffer {
    return createHmac('sha256', this.#keyOf(lock_id)).update(payload).digest();
  }

  #keyOf(lock_id: string): Buffer {
    const known = this.#derived.get(lock_id);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.master, 'storage-access/lock-key/1', lock_id, 32));
    this.#derived.set(lock_id, key);
    return key;
  }
}
