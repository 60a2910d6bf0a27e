import { Injectable } from '@nestjs/common';
import { CompanyClocks, CompanyDirectory } from '#domain/companies/index.js';
import type { EntryPoint } from '#domain/locations/index.js';
import type { Actor } from '#eventsourcing/log/domain-event.js';
import { ActorNames } from './actor-names.js';
import { cutPage } from './core/cut-page.js';
import { type EntryPointEntry, entryPointEntries } from './core/entry-point-entries.js';
import type { PassEntry } from './core/pass-entries.js';
import { byPoint } from './core/window.js';
import { type EntryPointHistoryEntry, presentPassEntry, presentStoredEntry } from './history.presenter.js';
import { type HistoryRange, windowOf, cursorList } from './history-range.js';
import { PassLog } from './pass-log.js';
import { pointCursor } from './point-cursor.js';
import { UnitRecordReader } from './unit-record.reader.js';

export interface EntryPointHistoryPage {
  readonly entries: EntryPointHistoryEntry[];
  /** Null if no entry follows yet. */
  readonly next_cursor: string | null;
}

/** What happened to an entry point, and to the passes that open it (decisions §13). */
@Injectable()
export class EntryPointHistory {
  constructor(
    private readonly reader: UnitRecordReader,
    private readonly passes: PassLog,
    private readonly names: ActorNames,
    private readonly companies: CompanyDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * A page, whose cursor stays valid when entries are added.
   * @throws InvalidCursorError, StoreUnavailableError
   */
  async page(
    { entry_point_id, location_id, company_id }: EntryPoint,
    range: HistoryRange,
  ): Promise<EntryPointHistoryPage> {
    const list = cursorList(entry_point_id, range);
    const window = windowOf(list, range);
    const isNewestFirst = range.order === 'desc';
    const [events, company, now] = await Promise.all([
      this.reader.wholeLocation(location_id),
      this.companies.company(company_id),
      this.clocks.now(company_id),
    ]);
    const asked = { window, limit: range.limit, isNewestFirst, now };
    const passes = await this.passes.entriesIn({ kind: 'entry_point', entry_point_id }, asked);
    const { after, before } = passes.window;
    const own = entryPointEntries(events, entry_point_id).filter(
      (entry) => byPoint(after, entry) < 0 && byPoint(entry, before) < 0,
    );
    const { page, next } = cutPage([...own, ...passes.entries], passes, {
      limit: range.limit,
      isNewestFirst,
    });
    const nameOf = await this.names.findNames(page.flatMap(actorOf), company);
    return {
      entries: page.map((entry) =>
        entry.kind === 'pass' ? presentPassEntry(entry, nameOf) : presentStoredEntry(entry, nameOf),
      ),
      next_cursor: next === undefined ? null : pointCursor(next, list),
    };
  }
}

function actorOf({ event }: EntryPointEntry | PassEntry): Actor[] {
  return event === null ? [] : [event.metadata.actor];
}
