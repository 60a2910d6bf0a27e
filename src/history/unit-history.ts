import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '../access/index.js';
import type { Clock } from '../config/clock.js';
import { CALENDAR, CLOCK } from '../config/injection-tokens.js';
import type { UnitDocument } from '../units/index.js';
import { unitAsOf } from './core/as-of.js';
import { byPlace } from './core/steps.js';
import { timelineOf } from './core/timeline.js';
import { fromCursor, toCursor } from './history-cursor.js';
import { type HistoryEntry, presentAsOf, presentEntry } from './history.presenter.js';
import { UnitRecordReader } from './unit-record.reader.js';

export interface HistoryPage {
  readonly entries: HistoryEntry[];
  /** null where nothing follows yet. */
  readonly next_cursor: string | null;
}

/** What happened to a unit, and how it stood at any instant, told from the log alone (decisions on history). */
@Injectable()
export class UnitHistory {
  constructor(
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly reader: UnitRecordReader,
  ) {}

  /**
   * A page of the unit's history, oldest first; a cursor stays good while entries are added.
   * @param limit at least 1.
   * @throws InvalidCursorError, StoreUnavailableError
   */
  async page(unit: UnitDocument, limit: number, cursor?: string): Promise<HistoryPage> {
    const after = cursor === undefined ? undefined : fromCursor(cursor);
    const { record } = await this.reader.load(unit);
    const entries = timelineOf(record, this.clock.now(), this.calendar);
    const first = after === undefined ? 0 : entries.findIndex((entry) => byPlace(after, entry) < 0);
    const page = first === -1 ? [] : entries.slice(first, first + limit);
    const last = page.at(-1);
    const isLast = last === undefined || last === entries.at(-1);
    return { entries: page.map(presentEntry), next_cursor: isLast ? null : toCursor(last) };
  }

  /**
   * The unit exactly as a read at an instant (milliseconds) would have answered, with the policy of then; undefined
   * before it existed. Of an instant to come: what will hold if nothing is written.
   * @throws StoreUnavailableError
   */
  async asOf(unit: UnitDocument, at: number): Promise<Record<string, unknown> | undefined> {
    const loaded = await this.reader.load(unit);
    const found = unitAsOf(loaded.record, at, this.calendar);
    if (found === undefined) return undefined;
    return presentAsOf(found, at, await this.reader.lastAccessed(unit.unit_id, loaded, at));
  }
}
