import { createHash } from 'node:crypto';

export class InvalidCursorError extends Error {
  readonly code = 'invalid_cursor';

  constructor() {
    super('The cursor was not made by this store.');
  }
}

const checkBytes = 8;

/**
 * @param position where the next page begins
 * @param list identifies the list: the cursor is valid only for it. Both are plain JSON.
 */
export function encodeCursor(position: unknown, list: unknown): string {
  const payload = Buffer.from(JSON.stringify(position));
  return Buffer.concat([check(payload, list), payload]).toString('base64url');
}

/**
 * @returns the position. The caller must check its form: a client can forge a cursor, because its checksum has no secret.
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
