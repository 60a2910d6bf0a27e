import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { KeyGrant, KeyIssuer } from './key-issuer.js';

type KeyVerification =
  | { readonly kind: 'opens'; readonly grant: KeyGrant }
  | { readonly kind: 'refused'; readonly because: 'malformed' | 'forged' | 'sandbox' | 'expired' };

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

  /** Checks a key as a lock does offline. @param now milliseconds */
  verify(lock_id: string, key: string, now: number): KeyVerification {
    const [encoded, signature, ...rest] = key.split('.');
    if (encoded === undefined || signature === undefined || rest.length > 0) return refused('malformed');
    const payload = Buffer.from(encoded, 'base64url');
    if (payload.toString('base64url') !== encoded) return refused('malformed');
    // Compares texts, not bytes: base64url has several texts for the same bytes, but only one is valid.
    const given = Buffer.from(signature);
    const expected = Buffer.from(this.sign(lock_id, payload).toString('base64url'));
    // The payload is parsed only after the signature was checked.
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return refused('forged');
    const grant = grantOf(payload);
    if (!grant) return refused('malformed');
    if (grant.sandbox) return refused('sandbox');
    return now < grant.expires_at ? { kind: 'opens', grant } : refused('expired');
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

function refused(because: Extract<KeyVerification, { kind: 'refused' }>['because']): KeyVerification {
  return { kind: 'refused', because };
}

function grantOf(payload: Buffer): KeyGrant | undefined {
  const parts = JSON.parse(payload.toString()) as [
    number,
    string,
    string | null,
    string | null,
    string,
    number,
  ];
  const [format, lock_id, unit_id, tenancy_id, tenant_id, expires_at] = parts;
  const sandbox = format === SANDBOX_FORMAT;
  if (format !== FORMAT && !sandbox) return undefined;
  return { lock_id, unit_id, tenancy_id, tenant_id, expires_at, sandbox };
}
