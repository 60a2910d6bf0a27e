import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import type { HistoryPoint } from './core/window.js';

const POSITION = /^(-\d{1,9}|\d{1,20})$/;

/** A cursor for the point of a page's last entry. New entries do not change it, so the cursor stays valid. */
export function pointCursor({ instant, position }: HistoryPoint, list: readonly unknown[]): string {
  return encodeCursor([instant, String(position)], list);
}

/** @throws InvalidCursorError for a cursor of another list, too */
export function pointIn(cursor: string, list: readonly unknown[]): HistoryPoint {
  const point = decodeCursor(cursor, list);
  const [instant, position] = Array.isArray(point) ? (point as unknown[]) : [];
  if (!Number.isSafeInteger(instant) || typeof position !== 'string' || !POSITION.test(position))
    throw new InvalidCursorError();
  return { instant: instant as number, position: BigInt(position) };
}
