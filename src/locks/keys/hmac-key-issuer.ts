import { createHmac, hkdfSync } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KeyGrant, KeyIssuer } from './key-issuer.js';

/** The cache of derived keys has 32 bytes for each lock. */
const CACHED_LOCKS = 20_000;
/** Storage format of keys (docs/locks.md): locks in the field check it. Add a number, never change one. */
const FORMAT = 1;
/** Format of a sandbox's keys. Every lock refuses it, because locks accept only format 1. */
const SANDBOX_FORMAT = 2;

/**
 * The default scheme: `base64url(payload).base64url(HMAC-SHA-256)`. The payload is the JSON array
 * `[format, lock, unit, tenancy, tenant, expires_at]`. The HMAC's key is derived from the master secret and the lock's id
 * by HKDF-SHA-256. With its derived key, a lock checks keys offline, and cannot make keys for other locks.
 */
export class HmacKeyIssuer implements KeyIssuer {
  private readonly derived = new LRUCache<string, Buffer>({ max: CACHED_LOCKS });

  constructor(private readonly master: Buffer) {}

  issue(grant: KeyGrant): string {
    const { lock_id, unit_id, tenancy_id, tenant_id, expires_at, sandbox } = grant;
    const format = sandbox ? SANDBOX_FORMAT : FORMAT;
    const payload = Buffer.from(
      JSON.stringify([format, lock_id, unit_id, tenancy_id, tenant_id, expires_at]),
    );
    return `${payload.toString('base64url')}.${this.sign(lock_id, payload).toString('base64url')}`;
  }

  provisioning(lock_id: string) {
    return { format: FORMAT, algorithm: 'HMAC-SHA-256', key: this.keyOf(lock_id).toString('base64url') };
  }

  private sign(lock_id: string, payload: Buffer): Buffer {
    return createHmac('sha256', this.keyOf(lock_id)).update(payload).digest();
  }

  private keyOf(lock_id: string): Buffer {
    const known = this.derived.get(lock_id);
    if (known) return known;
    const key = Buffer.from(hkdfSync('sha256', this.master, 'storage-access/lock-key/1', lock_id, 32));
    this.derived.set(lock_id, key);
    return key;
  }
}
