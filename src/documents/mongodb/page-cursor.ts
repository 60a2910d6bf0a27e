import { createHash } from 'node:crypto';
import { type IndexValue, InvalidCursorError } from '../document-store.js';

/** Where a page ended: the values of the index fields after those asked to be equal, and the document's id. */
export interface CursorPlace {
  readonly values: readonly IndexValue[];
  readonly id: string;
}

const checkBytes = 8;

/** @param find everything that makes a find what it is but its limit: a cursor continues no other. */
export function encodeCursor(place: CursorPlace, find: unknown): string {
  const payload = Buffer.from(JSON.stringify([place.values, place.id]));
  return Buffer.concat([check(payload, find), payload]).toString('base64url');
}

/** @throws InvalidCursorError unless {@link encodeCursor} made it for this find. */
export function decodeCursor(cursor: string, find: unknown): CursorPlace {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(checkBytes);
  const isOurs =
    bytes.toString('base64url') === cursor && bytes.subarray(0, checkBytes).equals(check(payload, find));
  if (!isOurs) throw new InvalidCursorError();
  const [values, id] = JSON.parse(payload.toString()) as [IndexValue[], string];
  return { values, id };
}

function check(payload: Buffer, find: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(find)).update(payload).digest().subarray(0, checkBytes);
}
