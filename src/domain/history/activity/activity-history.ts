import { Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { LocationDirectory, type LockDocument } from '#domain/locations/index.js';
import {
  ActivityRecords,
  type ActivityReported,
  entryPointStream,
  happenedAt,
  LONGEST_REPORT_DELAY_MS,
  lockStream,
} from '#domain/locks/index.js';
import { newestReports, type Stretch } from '../core/newest-reports.js';
import type { Logged } from '../core/unit-record.js';
import { HoursOfReports } from './hours-of-reports.js';
import type { GateOfUnit } from './gates-of-unit.js';
import { type ActivityEntry, presentReport } from './activity.presenter.js';
import { CLOCK_TOLERANCE_MS, ReportReader } from './report.reader.js';

export interface ActivityPage {
  /** Newest first, in the order in which they were recorded. */
  readonly entries: ActivityEntry[];
  /** Null after the last page. */
  readonly next_cursor: string | null;
}

export interface ActivityRange {
  readonly cursor?: string | undefined;
  readonly limit: number;
  /** Bounds of `occurred_at`, in milliseconds. */
  readonly from?: number | undefined;
  readonly to?: number | undefined;
}

/** A stream with the bounds and the filter of a search in it. */
interface Source {
  readonly stream: string;
  /** Bounds of `recorded_at`, in milliseconds. Reports outside are not read. */
  readonly since: number;
  readonly until: number;
  readonly wants: (report: ActivityReported) => boolean;
  /** The most of its reports that a list by happening reads. Absent: as the list says. */
  readonly most?: number;
}

/** The most reports of one stream that a page reads. If few of them are wanted, the page is short. */
const MOST_REPORTS_READ = 2_000;
/** The same for a list by happening, which cannot go on later: a report may arrive 30 days after it happened. */
const MOST_BY_HAPPENING = 10_000;
/** The same for all gates of a unit together: everybody's taps are there. */
const MOST_AT_GATES = 2_000;
/** The same in a search for one tenant's reports. Everybody's are at a gate. */
const MOST_OF_TENANT = 100;
/** The most reports of just one instant that a list by happening shows. */
const MOST_OF_INSTANT = 1_000;

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
    private readonly hours: HoursOfReports,
  ) {}

  /** The reports of each lock from the time when it was on the unit, and those on the way to it at these gates. */
  async listOfUnit(
    unit_id: string,
    range: ActivityRange,
    gates: readonly GateOfUnit[] = [],
  ): Promise<ActivityPage> {
    const sources = await this.#sourcesOf(unit_id, gates);
    return this.#page(gates.length === 0 ? ['unit', unit_id] : ['unit with gates', unit_id], sources, range);
  }

  /** At most `limit` reports, the newest that had happened by an instant (milliseconds), also if they arrived later. */
  async listOfUnitUntil(
    unit_id: string,
    at: number,
    limit: number,
    gates: readonly GateOfUnit[] = [],
  ): Promise<ActivityEntry[]> {
    return this.#present(await this.#latest(await this.#sourcesOf(unit_id, gates), at, limit));
  }

  /**
   * A page of the unit's reports in the order in which they happened, the newest first. The list ends early if 10,000
   * reports of a lock arrived in the 30 days after an instant, and passes over some if 1,000 happened at one instant. Of the
   * gates together, the 2,000 reports that arrived by 30 days after an instant are searched.
   */
  async listOfUnitByHappening(
    unit_id: string,
    { cursor, limit }: Pick<ActivityRange, 'cursor' | 'limit'>,
    gates: readonly GateOfUnit[] = [],
  ): Promise<ActivityPage> {
    const list = ['happened', unit_id];
    const { at, shown } = cursor === undefined ? NEWEST : reportPointIn(decodeCursor(cursor, list));
    const found = await this.#latest(
      await this.#sourcesOf(unit_id, gates),
      at,
      shown + limit + 1,
      MOST_BY_HAPPENING,
    );
    const seen = found.slice(0, shown + limit);
    return {
      entries: await this.#present(seen.slice(shown)),
      next_cursor: seen.length < found.length ? encodeCursor(pointAfter(seen), list) : null,
    };
  }

  async #sourcesOf(unit_id: string, gates: readonly GateOfUnit[] = []): Promise<Source[]> {
    const locks = await this.locations.locksEverOnUnit(unit_id);
    const most = Math.ceil(MOST_AT_GATES / gates.length);
    return [
      ...locks.map((lock) => sourceOf(lock, unit_id)),
      ...gates.map(({ entry_point_id, ledTo }) => ({
        ...gateOf(entry_point_id),
        wants: ({ data }: ActivityReported) =>
          data.pass_id == null && ledTo(data.tenant_id, happenedAt(data)),
        most,
      })),
    ];
  }

  listOfLock(lock_id: string, range: ActivityRange): Promise<ActivityPage> {
    return this.#page(['lock', lock_id], [{ stream: lockStream(lock_id), ...EVER }], range);
  }

  listOfEntryPoint(entry_point_id: string, range: ActivityRange): Promise<ActivityPage> {
    return this.#page(['entry_point', entry_point_id], [gateOf(entry_point_id)], range);
  }

  /** At most `limit` of a tenant's reports, those that happened last. Of each lock and entry point 100 are searched. */
  async listOfTenant(
    tenant_id: string,
    { unit_ids, entry_point_ids }: Readonly<Record<'unit_ids' | 'entry_point_ids', readonly string[]>>,
    limit: number,
  ): Promise<ActivityEntry[]> {
    const ofUnits = await Promise.all(unit_ids.map((unit_id) => this.#sourcesOf(unit_id)));
    const own = [...ofUnits.flat(), ...entry_point_ids.map(gateOf)].map((source) => ({
      ...source,
      wants: (report: ActivityReported) => report.data.tenant_id === tenant_id && source.wants(report),
    }));
    return this.#present(await this.#latest(own, Infinity, limit, MOST_OF_TENANT));
  }

  /**
   * At most `limit` reports that had happened by an instant (milliseconds), the newest first.
   * @param mostRead reports of each stream
   */
  async #latest(sources: readonly Source[], at: number, limit: number, mostRead = MOST_REPORTS_READ) {
    const found = sources.map((source) => this.#latestOf(within(source, undefined, at), limit, mostRead));
    return byHappening((await Promise.all(found)).flat()).slice(0, limit);
  }

  /** A report arrives after it happened. So an older one cannot be newer than one that happened after this one arrived. */
  async #latestOf(source: Source, limit: number, mostRead: number): Promise<Logged<ActivityReported>[]> {
    const { stream, since, until, wants, most = mostRead } = source;
    const latest: Logged<ActivityReported>[] = [];
    let read = 0;
    for await (const report of this.reader.backwards(stream, await this.reader.newestBy(stream, until))) {
      const last = latest[limit - 1];
      const isEnough = last !== undefined && report.instant + CLOCK_TOLERANCE_MS < happenedAt(last.data);
      if (isEnough || report.instant < since || read === most) break;
      if (wants(report)) insertByHappening(latest, report, limit);
      read += 1;
    }
    return latest;
  }

  async #page(
    thing: readonly (string | number)[],
    sources: readonly Source[],
    { cursor, limit, from, to }: ActivityRange,
  ): Promise<ActivityPage> {
    const list = ['activity', ...thing, ...(from === undefined && to === undefined ? [] : [[from, to]])];
    const revisions = cursor === undefined ? undefined : revisionsIn(decodeCursor(cursor, list), sources);
    const stretches = await Promise.all(
      sources
        .map((source) => within(source, from, to))
        .map(async (source) => {
          const { stream, until } = source;
          const newest =
            revisions === undefined ? await this.reader.newestBy(stream, until) : (revisions[stream] ?? -1);
          return this.#read(source, newest, limit);
        }),
    );
    const { reports, next } = newestReports(stretches, limit);
    return {
      entries: await this.#present(reports),
      next_cursor: Object.keys(next).length === 0 ? null : encodeCursor(next, list),
    };
  }

  /** Reads one report more than the page holds, to know whether another page follows. */
  async #read(source: Source, newest: number, limit: number): Promise<Stretch<Logged<ActivityReported>>> {
    const { stream, since, wants } = source;
    const reports: Logged<ActivityReported>[] = [];
    let read = 0;
    for await (const report of this.reader.backwards(stream, newest, limit + 1)) {
      if (report.instant < since) break;
      if (wants(report)) reports.push(report);
      read += 1;
      if (reports.length > limit || read === MOST_REPORTS_READ) return { stream, reports, end: report };
    }
    return { stream, reports, end: undefined };
  }

  async #present(reports: readonly Logged<ActivityReported>[]): Promise<ActivityEntry[]> {
    const [texts, names, outside] = await Promise.all([
      this.records.textsOf(reports.map(({ data }) => data.log_id)),
      this.#names(reports),
      this.hours.outside(reports),
    ]);
    return reports.map((report, index) => {
      const entry = presentReport(report, names, texts[index] ?? null);
      return outside.has(report.data.log_id) ? { ...entry, outside_hours: true as const } : entry;
    });
  }

  /** The names of locks and entry points now, by id. */
  async #names(reports: readonly ActivityReported[]): Promise<ReadonlyMap<string, string>> {
    const ids = reports.map((one) =>
      one.type === 'LockActivityReported' ? one.data.lock_id : one.data.entry_point_id,
    );
    return this.locations.equipmentNames([...new Set(ids)]);
  }
}

function byHappening(reports: readonly Logged<ActivityReported>[]): Logged<ActivityReported>[] {
  return reports.toSorted((one, other) => happenedAt(other.data) - happenedAt(one.data));
}

/** Adds a report to at most `limit` of them, the newest first. */
function insertByHappening(
  latest: Logged<ActivityReported>[],
  report: Logged<ActivityReported>,
  limit: number,
): void {
  const at = happenedAt(report.data);
  latest.splice(latest.findLastIndex(({ data }) => happenedAt(data) >= at) + 1, 0, report);
  if (latest.length > limit) latest.pop();
}

/** How far a list by happening was shown: to an instant (milliseconds), with so many reports of just that instant. */
interface ReportPoint {
  readonly at: number;
  readonly shown: number;
}

const NEWEST: ReportPoint = { at: Infinity, shown: 0 };

function pointAfter(seen: readonly Logged<ActivityReported>[]): ReportPoint {
  const at = happenedAt(seen.at(-1)!.data);
  const shown = seen.filter(({ data }) => happenedAt(data) === at).length;
  return shown < MOST_OF_INSTANT ? { at, shown } : { at: at - 1, shown: 0 };
}

/** @throws InvalidCursorError */
function reportPointIn(decoded: unknown): ReportPoint {
  const { at, shown } = (decoded ?? {}) as Partial<ReportPoint>;
  if (!Number.isSafeInteger(at) || !isRevision(shown) || shown! >= MOST_OF_INSTANT)
    throw new InvalidCursorError();
  return { at: at!, shown: shown! };
}

function gateOf(entry_point_id: string): Source {
  return { stream: entryPointStream(entry_point_id), ...EVER };
}

/** A report names the unit that the lock was on. The placements of the lock bound the time of such reports. */
function sourceOf({ lock_id, placements }: LockDocument, unit_id: string): Source {
  const own = placements.filter((placement) => placement.unit_id === unit_id);
  const since = Math.min(...own.map(({ from }) => from)) - CLOCK_TOLERANCE_MS;
  const until =
    Math.max(...own.map((placement) => placement.until ?? Infinity)) +
    LONGEST_REPORT_DELAY_MS +
    CLOCK_TOLERANCE_MS;
  return {
    stream: lockStream(lock_id),
    since,
    until,
    wants: (report) => report.type === 'LockActivityReported' && report.data.unit_id === unit_id,
  };
}

/** Narrows a search to a time. A report may be recorded long after it occurred, and may be dated a little ahead. */
function within(source: Source, from = -Infinity, to = Infinity): Source {
  return {
    ...source,
    since: Math.max(source.since, from - CLOCK_TOLERANCE_MS),
    until: Math.min(source.until, to + LONGEST_REPORT_DELAY_MS + CLOCK_TOLERANCE_MS),
    wants: (report) => {
      const at = happenedAt(report.data);
      return from <= at && at <= to && source.wants(report);
    },
  };
}

/**
 * The revision in each stream from which a page goes on.
 * @throws InvalidCursorError for other streams: a forged cursor must not read them
 */
function revisionsIn(decoded: unknown, sources: readonly Source[]): Readonly<Record<string, number>> {
  const known = new Set(sources.map(({ stream }) => stream));
  const isValid =
    typeof decoded === 'object' &&
    decoded !== null &&
    Object.entries(decoded).every(([stream, revision]) => known.has(stream) && isRevision(revision));
  if (!isValid) throw new InvalidCursorError();
  return decoded as Record<string, number>;
}

function isRevision(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
