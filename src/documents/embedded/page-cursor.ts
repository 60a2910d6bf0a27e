import { createHash } from 'node:crypto';
import { InvalidCursorError } from '../document-store.js';
import type { ByteString } from '../../storage/key-encoding.js';

/** The place where a page ended. It names no collection number, so that it outlives a rebuild. */
export interface CursorPlace {
  readonly collection: string;
  readonly index: string;
  /** The last entry's key without the index's prefix. */
  readonly key: ByteString;
}

const checkBytes = 6;

export function encodeCursor(place: CursorPlace): string {
  return Buffer.concat([check(place), Buffer.from(place.key, 'latin1')]).toString('base64url');
}

/** @throws InvalidCursorError unless {@link encodeCursor} made it for this collection and index. */
export function decodeCursor(cursor: string, collection: string, index: string): ByteString {
  const bytes = Buffer.from(cursor, 'base64url');
  const key = bytes.toString('latin1', checkBytes);
  const isOurs =
    bytes.length > checkBytes &&
    bytes.subarray(0, checkBytes).equals(check({ collection, index, key })) &&
    bytes.toString('base64url') === cursor;
  if (!isOurs) throw new InvalidCursorError();
  return key;
}

function check({ collection, index, key }: CursorPlace): Buffer {
  const hash = createHash('sha256').update(JSON.stringify([collection, index]));
  return hash.update(key, 'latin1').digest().subarray(0, checkBytes);
}
