import { InvalidCursorError } from '../documents/document-store.js';
import type { Place } from './core/window.js';

/** What a cursor goes on in: with another order or other bounds it names no place. */
export interface CursorRange {
  /** Milliseconds, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Oldest first where absent. */
  readonly order?: 'asc' | 'desc' | undefined;
}

const FORM = /^(-?\d{1,16})\.(-1|\d{1,20})\./;

/**
 * Names the last entry of a page by its place in time and in the log, which no later entry moves: a cursor stays good
 * while the history grows.
 */
export function toCursor({ instant, position }: Place, { order = 'asc', from, to }: CursorRange): string {
  return Buffer.from(`${instant}.${position}.${order}.${from ?? ''}.${to ?? ''}`).toString('base64url');
}

/** @throws InvalidCursorError also for a cursor of another range */
export function fromCursor(cursor: string, range: CursorRange): Place {
  const parts = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, instant, position] = parts ?? [];
  if (instant === undefined || position === undefined) throw new InvalidCursorError();
  const place = { instant: Number(instant), position: BigInt(position) };
  if (toCursor(place, range) !== cursor) throw new InvalidCursorError();
  return place;
}
