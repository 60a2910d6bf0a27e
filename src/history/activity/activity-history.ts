import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '../../base/cursor.js';
import { LocationDirectory, type LockDocument } from '../../locations/index.js';
import {
  ActivityRecords,
  type ActivityReported,
  entryPointStream,
  LATEST_REPORT,
  lockStream,
} from '../../locks/index.js';
import { newestReports, type Stretch } from '../core/newest-reports.js';
import type { Logged } from '../core/unit-record.js';
import { type ActivityEntry, presentReport } from './activity.presenter.js';
import { FURTHEST_AHEAD, ReportReader } from './report.reader.js';

export interface ActivityPage {
  /** Newest first, in the order in which they were recorded. */
  readonly entries: ActivityEntry[];
  /** null where nothing follows. */
  readonly next_cursor: string | null;
}

export interface ActivityRange {
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** Milliseconds: nothing that happened earlier, or later. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A stream that may hold wanted reports. */
interface Source {
  readonly stream: string;
  /** Milliseconds: nothing that was recorded earlier, or later, can be wanted. */
  readonly since: number;
  readonly until: number;
  readonly wants: (report: ActivityReported) => boolean;
}

/** How many reports of one stream a page looks at: it may be short where few of many are wanted. */
const MOST_LOOKED_AT = 2_000;

const EVER = { since: -Infinity, until: Infinity, wants: () => true } as const;

/**
 * Reads reports of units, locks and entry points from the log, a page at a time. Pages stay valid while reports
 * arrive. Every method throws StoreUnavailableError, and InvalidCursorError for a cursor of another list.
 */
@Injectable()
export class ActivityHistory {
  constructor(
    private readonly reader: ReportReader,
    private readonly locations: LocationDirectory,
    private readonly records: ActivityRecords,
  ) {}

  /** The reports of locks, each while it was on the unit. */
  async ofUnit(unit_id: string, range: ActivityRange): Promise<ActivityPage> {
    return this.#page(['unit', unit_id], await this.#sourcesOf(unit_id), range);
  }

  /** The newest of them at an instant (milliseconds), at most `limit`. */
  async ofUnitUntil(unit_id: string, at: number, limit: number): Promise<ActivityEntry[]> {
    const sources = await this.#sourcesOf(unit_id);
    const known = sources.map((source) => ({ ...source, until: Math.min(source.until, at) }));
    const { entries } = await this.#page(['unit', unit_id, at], known, { limit });
    return entries;
  }

  async #sourcesOf(unit_id: string): Promise<Source[]> {
    const locks = await this.locations.locksOnceOn(unit_id);
    return locks.map((lock) => sourceOf(lock, unit_id));
  }

  ofLock(lock_id: string, range: ActivityRange): Promise<ActivityPage> {
    return this.#page(['lock', lock_id], [{ stream: lockStream(lock_id), ...EVER }], range);
  }

  ofEntryPoint(entry_point_id: string, range: ActivityRange): Promise<ActivityPage> {
    const source = { stream: entryPointStream(entry_point_id), ...EVER };
    return this.#page(['entry_point', entry_point_id], [source], range);
  }

  async #page(
    thing: readonly (string | number)[],
    sources: readonly Source[],
    { cursor, limit, from, to }: ActivityRange,
  ): Promise<ActivityPage> {
    const list = ['activity', ...thing, ...(from === undefined && to === undefined ? [] : [[from, to]])];
    const places = cursor === undefined ? undefined : placesIn(decodeCursor(cursor, list), sources);
    const stretches = await Promise.all(
      sources
        .map((source) => within(source, from, to))
        .map(async (source) => {
          const { stream, until } = source;
          const newest =
            places === undefined ? await this.reader.newestBy(stream, until) : (places[stream] ?? -1);
          return this.#read(source, newest, limit);
        }),
    );
    const { reports, next } = newestReports(stretches, limit);
    return {
      entries: await this.#present(reports),
      next_cursor: Object.keys(next).length === 0 ? null : encodeCursor(next, list),
    };
  }

  /** Looks for one report more than the page holds. */
  async #read(source: Source, newest: number, limit: number): Promise<Stretch<Logged<ActivityReported>>> {
    const { stream, since, wants } = source;
    const reports: Logged<ActivityReported>[] = [];
    let lookedAt = 0;
    for await (const report of this.reader.backwards(stream, newest, limit + 1)) {
      if (report.instant < since) break;
      if (wants(report)) reports.push(report);
      lookedAt += 1;
      if (reports.length > limit || lookedAt === MOST_LOOKED_AT) return { stream, reports, end: report };
    }
    return { stream, reports, end: undefined };
  }

  async #present(reports: readonly Logged<ActivityReported>[]): Promise<ActivityEntry[]> {
    const [texts, names] = await Promise.all([
      this.records.textsOf(reports.map(({ data }) => data.log_id)),
      this.#names(reports),
    ]);
    return reports.map((report, place) => presentReport(report, names, texts[place] ?? null));
  }

  /** The names of locks and entry points now, by id. */
  async #names(reports: readonly ActivityReported[]): Promise<ReadonlyMap<string, string>> {
    const locks = idsOf(reports, (one) =>
      one.type === 'LockActivityReported' ? one.data.lock_id : undefined,
    );
    const entryPoints = idsOf(reports, (one) =>
      one.type === 'EntryPointActivityReported' ? one.data.entry_point_id : undefined,
    );
    return this.locations.equipmentNames([...locks, ...entryPoints]);
  }
}

function idsOf(
  reports: readonly ActivityReported[],
  idOf: (report: ActivityReported) => string | undefined,
): string[] {
  return [...new Set(reports.map(idOf))].filter((id) => id !== undefined);
}

/** A lock's reports belong to the unit that it was on when they happened: they say so, and its placements say since when. */
function sourceOf({ lock_id, placements }: LockDocument, unit_id: string): Source {
  const own = placements.filter((placement) => placement.unit_id === unit_id);
  const since = Math.min(...own.map(({ from }) => from)) - FURTHEST_AHEAD;
  const until =
    Math.max(...own.map((placement) => placement.until ?? Infinity)) + LATEST_REPORT + FURTHEST_AHEAD;
  return {
    stream: lockStream(lock_id),
    since,
    until,
    wants: (report) => report.type === 'LockActivityReported' && report.data.unit_id === unit_id,
  };
}

/** A report may come 30 days after what it tells of, and be dated a little ahead. */
function within(source: Source, from = -Infinity, to = Infinity): Source {
  return {
    stream: source.stream,
    since: Math.max(source.since, from - FURTHEST_AHEAD),
    until: Math.min(source.until, to + LATEST_REPORT + FURTHEST_AHEAD),
    wants: (report) => {
      const at = Math.min(report.data.occurred_at, report.data.recorded_at);
      return from <= at && at <= to && source.wants(report);
    },
  };
}

/** @throws InvalidCursorError for what names other streams: a cursor that was made up reads nothing else */
function placesIn(places: unknown, sources: readonly Source[]): Readonly<Record<string, number>> {
  const known = new Set(sources.map(({ stream }) => stream));
  const isPlaces =
    typeof places === 'object' &&
    places !== null &&
    Object.entries(places).every(([stream, revision]) => known.has(stream) && isRevision(revision));
  if (!isPlaces) throw new InvalidCursorError();
  return places as Record<string, number>;
}

function isRevision(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
