import { decodeCursor, encodeCursor, InvalidCursorError } from '../base/cursor.js';
import type { Place } from './core/window.js';

/** The question that a cursor goes on with. With another order or other bounds it names no place. */
export interface CursorRange {
  /** Milliseconds, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Oldest first where absent. */
  readonly order?: 'asc' | 'desc' | undefined;
}

const POSITION = /^(-1|\d{1,20})$/;

/**
 * Names the last entry of a page of a unit's history by its place in time and in the log, which no later entry moves: a
 * cursor stays good while the history grows.
 */
export function toCursor({ instant, position }: Place, unit_id: string, range: CursorRange): string {
  return encodeCursor([instant, position.toString()], listOf(unit_id, range));
}

/** @throws InvalidCursorError also for a cursor of another unit or another range */
export function fromCursor(cursor: string, unit_id: string, range: CursorRange): Place {
  const place = decodeCursor(cursor, listOf(unit_id, range));
  const [instant, position] = Array.isArray(place) ? (place as unknown[]) : [];
  if (!Number.isSafeInteger(instant) || typeof position !== 'string' || !POSITION.test(position))
    throw new InvalidCursorError();
  return { instant: instant as number, position: BigInt(position) };
}

function listOf(unit_id: string, { order = 'asc', from, to }: CursorRange): unknown {
  return ['history', unit_id, order, from, to];
}
