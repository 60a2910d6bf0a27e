import { hash } from 'node:crypto';

/**
 * The SHA-256 (hex) under which a token is kept, and a person's address or number is counted: what was hashed cannot be
 * read where it stands.
 */
export function hashOf(credential: string): string {
  return hash('sha256', credential);
}
