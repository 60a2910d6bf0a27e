import { createHash } from 'node:crypto';
import { uuidToULID } from 'ulid';

/**
 * The id of what `parts` name, always the same: of a ULID's shape, but its order tells nothing. Whoever chooses a part
 * cannot choose the id.
 */
export function derivedUlid(...parts: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(parts)).digest('hex');
  return uuidToULID(hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'));
}
