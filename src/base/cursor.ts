import { createHash } from 'node:crypto';

/** A page's cursor that this store did not make. */
export class InvalidCursorError extends Error {
  readonly code = 'invalid_cursor';

  constructor() {
    super('The cursor was not made by this store.');
    this.name = 'InvalidCursorError';
  }
}

const checkBytes = 8;

/** @param list everything that makes a list what it is but its page: a cursor continues no other. Both hold plain JSON. */
export function encodeCursor(place: unknown, list: unknown): string {
  const payload = Buffer.from(JSON.stringify(place));
  return Buffer.concat([check(payload, list), payload]).toString('base64url');
}

/**
 * @returns a place as far as its check goes, which has no secret: whoever knows what the list is can make one up, so the
 *   caller refuses what is no place of the list.
 * @throws InvalidCursorError for a cursor of another list
 */
export function decodeCursor(cursor: string, list: unknown): unknown {
  const bytes = Buffer.from(cursor, 'base64url');
  const payload = bytes.subarray(checkBytes);
  const isOurs =
    bytes.toString('base64url') === cursor && bytes.subarray(0, checkBytes).equals(check(payload, list));
  if (!isOurs) throw new InvalidCursorError();
  try {
    return JSON.parse(payload.toString());
  } catch {
    throw new InvalidCursorError();
  }
}

function check(payload: Buffer, list: unknown): Buffer {
  return createHash('sha256').update(JSON.stringify(list)).update(payload).digest().subarray(0, checkBytes);
}
