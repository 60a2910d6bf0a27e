import { hash } from 'node:crypto';

/** The SHA-256 (hex) of a token, address or phone number. Only the hash is stored. */
export function hashOf(credential: string): string {
  return hash('sha256', credential);
}
