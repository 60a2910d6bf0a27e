import { earlier, endOf, EVER, later, type Window } from './core/window.js';
import { pointIn } from './point-cursor.js';

/** The parts of a request that must be the same for each page: a cursor is valid only with them. */
interface CursorRange {
  /** Milliseconds, both included. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  /** Absent: oldest first. */
  readonly order?: 'asc' | 'desc' | undefined;
}

export interface HistoryRange extends CursorRange {
  /** At least 1. */
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** The list that a cursor belongs to. @param id of the thing whose history it is */
export function cursorList(id: string, { order = 'asc', from, to }: CursorRange): readonly unknown[] {
  return ['history', id, order, from, to];
}

/** The window of a page. @throws InvalidCursorError */
export function windowOf(list: readonly unknown[], { cursor, from, to, order }: HistoryRange): Window {
  const last = cursor === undefined ? undefined : pointIn(cursor, list);
  const after = from === undefined ? EVER.after : endOf(from - 1);
  const before = to === undefined ? EVER.before : endOf(to);
  if (last === undefined) return { after, before };
  return order === 'desc' ? { after, before: earlier(before, last) } : { after: later(after, last), before };
}
