import { createHash } from 'node:crypto';
import { uuidToULID } from 'ulid';

/**
 * An id in the form of a ULID, computed from `parts` by a hash. The same parts give the same id. It has no time, so it
 * does not sort by creation.
 */
export function derivedUlid(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return uuidToULID(hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'));
}
