import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { KeyIssuer } from '#domain/locks/index.js';

export const LOCKS_PAGE = readFileSync(join(__dirname, '..', '..', 'docs', 'locks.md'), 'utf8');

type Opens = (key: string, lockId: string, secret: Buffer, now: number) => boolean;

/** The verifier that docs/locks.md gives to makers of locks. */
// eslint-disable-next-line @typescript-eslint/no-implied-eval
export const opens = new Function(
  'require',
  `${/```js\n([\s\S]*?)```/.exec(LOCKS_PAGE)![1]!}; return opens;`,
)(require) as Opens;

/** Whether a lock opens to a key at an instant (milliseconds). */
export function opensLock(issuer: KeyIssuer, lock_id: string, key: string, now: number): boolean {
  return opens(key, lock_id, Buffer.from(String(issuer.provisioning(lock_id, 1)['key']), 'base64url'), now);
}

/** Format, lock, unit, tenancy, tenant and expiry. */
export function contentOf(key: string): unknown {
  return JSON.parse(Buffer.from(key.split('.')[0]!, 'base64url').toString());
}
