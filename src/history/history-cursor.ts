import { InvalidCursorError } from '../documents/document-store.js';
import type { Place } from './core/window.js';

const FORM = /^(-?\d{1,16})\.(-1|\d{1,20})$/;

/**
 * Names the last entry of a page by its place in time and in the log, which no later entry moves: a cursor stays good
 * while the history grows.
 */
export function toCursor({ instant, position }: Place): string {
  return Buffer.from(`${instant}.${position}`).toString('base64url');
}

/** @throws InvalidCursorError */
export function fromCursor(cursor: string): Place {
  const parts = FORM.exec(Buffer.from(cursor, 'base64url').toString('latin1'));
  const [, instant, position] = parts ?? [];
  if (instant === undefined || position === undefined) throw new InvalidCursorError();
  const place = { instant: Number(instant), position: BigInt(position) };
  if (toCursor(place) !== cursor) throw new InvalidCursorError();
  return place;
}
