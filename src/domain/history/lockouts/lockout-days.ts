import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { timestampOrNull } from '#kernel/timestamp.js';
import { Yielder, type Deadline } from '#kernel/yielder.js';
import { CALENDAR, VIEWS } from '#kernel/injection-tokens.js';
import type {
  CollectionDeclaration,
  DocumentStore,
  StoredDocument,
} from '#eventsourcing/documents/document-store.js';
import { writeOne } from '#eventsourcing/documents/write-one.js';
import { LocationDirectory, type LocationDocument } from '#domain/locations/index.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { QuestionRun } from '../backtest/backtest-run.js';
import { policyPeriods } from '../core/periods.js';
import { countDayEnds, type CountedDayEnd, type EndOfDay, type LockedOutThen } from '../core/day-ends.js';
import { countDates, type CountedDate, lockoutsOf } from '../core/lockouts.js';
import { type CountedUnits, countUnits, markOf } from '../core/unit-marks.js';
import { UnitRecordReader } from '../unit-record.reader.js';
import { type CountedTaps, TapCounter } from './tap-counter.js';

/** The number of local days before today that are counted. */
export const LOCKOUT_DAYS = 14;
/** Milliseconds between two counts of today. */
const RECOUNT_EVERY_MS = 15 * 60_000;
/** Milliseconds after the end of a day. Then all its events are stored, and its count is final. */
const FINAL_AFTER_MS = 10 * 60_000;
const UNITS_AT_ONCE = 100;

/** What is counted by local day (decisions §14). `_id` is that of the location. */
export interface LockoutDaysDocument extends StoredDocument {
  readonly version: number;
  /** Milliseconds. */
  readonly counted_at: number;
  readonly timezone: string;
  /** The units that lost access. Dates without a lockout are left out. */
  readonly dates: readonly CountedDate[];
  /** The units that were locked out at `counted_at`. Absent in documents of 1.0.0-rc.1, as the following are. */
  readonly locked_out?: readonly LockedOutUnit[];
  /** At the end of each day, and at `counted_at`. Dates on which nobody was locked out are left out. */
  readonly ends?: readonly CountedDayEnd[];
  readonly taps?: CountedTaps;
  /** At `counted_at`, without retired units. */
  readonly units?: CountedUnits;
  /** At `counted_at`. Absent in documents of earlier builds, until the next count. */
  readonly tenants?: number;
  readonly locks?: number;
  /** Of the location's stream before the count: a later change of equipment or policy makes another count due. */
  readonly location_revision?: number;
}

interface LockedOutUnit {
  readonly unit_id: string;
  /** Milliseconds; null if before the days that are counted. */
  readonly since: number | null;
}

/** Milliseconds; null if before the days that are counted, undefined if not counted yet. */
export type LockoutBegin = number | null | undefined;

/** The member of an answer. */
export function presentLockedOutSince(since: LockoutBegin): { readonly locked_out_since?: string | null } {
  return since === undefined ? {} : { locked_out_since: timestampOrNull(since) };
}

export const LOCKOUT_DAYS_VIEW: CollectionDeclaration<LockoutDaysDocument> = {
  name: 'lockout_days',
  indexes: {},
};

/**
 * Counts the units that lost access on each of the last local days of a location, who was locked out at its end, and the taps.
 * Most units lose access by the calendar, without an event. So each count evaluates the history again, and any process may
 * repeat it. Throws StoreUnavailableError.
 */
@Injectable()
export class LockoutDays {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly clocks: CompanyClocks,
    private readonly units: UnitDirectory,
    private readonly reader: UnitRecordReader,
    private readonly taps: TapCounter,
    private readonly locations: LocationDirectory,
  ) {}

  /** In the order of the ids. Undefined for a location that was not counted yet. */
  async readDays(location_ids: readonly string[]): Promise<(LockoutDaysDocument | undefined)[]> {
    const days = await this.views.collection(LOCKOUT_DAYS_VIEW);
    return location_ids.length === 0 ? [] : days.getMany(location_ids);
  }

  /**
   * The instants since which locked-out units are locked out, by `unit_id`. A unit that opened and was locked again after the
   * last count keeps its earlier instant until the next count.
   */
  async since(units: readonly UnitDocument[]): Promise<ReadonlyMap<string, LockoutBegin>> {
    const ids = [...new Set(units.map(({ location_id }) => location_id))];
    const [documents, clocks] = await Promise.all([
      this.readDays(ids),
      this.clocks.findClocks(units.map(({ company_id }) => company_id)),
    ]);
    const counts = new Map(documents.flatMap((one) => (one === undefined ? [] : [[one._id, one] as const])));
    const listed = new Map(
      documents.flatMap((one) => one?.locked_out ?? []).map(({ unit_id, since }) => [unit_id, since]),
    );
    const sinceOf = ({ unit_id, location_id, company_id, last_at }: UnitDocument): LockoutBegin => {
      const count = counts.get(location_id);
      if (count?.locked_out === undefined) return undefined;
      const since = listed.get(unit_id);
      return since === undefined ? this.#sinceCount(count, last_at, clocks.get(company_id)!.now()) : since;
    };
    return new Map(units.map((unit) => [unit.unit_id, sinceOf(unit)]));
  }

  /** A unit that was locked out after the last count: by its own last event, at midnight, or by another unit or a policy. */
  #sinceCount({ counted_at, timezone }: LockoutDaysDocument, last_at: number, now: number): number {
    if (last_at >= counted_at) return last_at;
    return Math.max(counted_at, this.calendar.startOf(this.calendar.dateAt(now, timezone), timezone));
  }

  /** True if a new local day has begun, if the location was changed, or if the last count is too old or of an older build. */
  isDue(
    { policy: { timezone } }: LocationDocument,
    known: LockoutDaysDocument | undefined,
    { now, location_revision }: { readonly now: number; readonly location_revision: number },
  ) {
    if (!goesOn(known, timezone) || known.location_revision !== location_revision) return true;
    if (now - known.counted_at >= RECOUNT_EVERY_MS) return true;
    return this.calendar.dateAt(known.counted_at, timezone) !== this.calendar.dateAt(now, timezone);
  }

  /**
   * Counts the days that are not final, up to now.
   * @throws GivenUpError
   */
  async count(
    location: LocationDocument,
    known: LockoutDaysDocument | undefined,
    now: number,
    deadline?: Deadline,
  ): Promise<void> {
    const { timezone } = location.policy;
    const first = this.calendar.addDays(this.calendar.dateAt(now, timezone), -LOCKOUT_DAYS);
    const before = goesOn(known, timezone) ? known : NOTHING;
    const from = later(first, this.#openSince(before.counted_at, timezone));
    const location_revision = await this.locations.shownUpTo(location._id);
    const isFinal = ({ date }: { readonly date: CalendarDate }) => date >= first && date < from;
    const { dates, ends, ...counted } = await this.#count(location, from, now, new Yielder(deadline));
    const taps = { first, known: before.taps, now, settledUntil: now - FINAL_AFTER_MS };
    const document: LockoutDaysDocument = {
      _id: location._id,
      version: (known?.version ?? 0) + 1,
      counted_at: now,
      timezone,
      dates: [...before.dates.filter(isFinal), ...dates],
      locked_out: withSince(counted.locked_out, known, this.calendar.startOf(first, timezone)),
      ends: [...before.ends.filter(isFinal), ...ends],
      taps: await this.taps.count(location, taps, deadline),
      units: counted.units,
      tenants: counted.tenants,
      locks: (await this.locations.locksOfLocation(location._id)).length,
      location_revision,
    };
    const expected = known?.version ?? null;
    // On a conflict another process has counted the same.
    await writeOne(this.views, LOCKOUT_DAYS_VIEW, { kind: 'compare_and_set', expected, document });
  }

  /** Deletes all counts. They are made again later. */
  async forget(): Promise<void> {
    const days = await this.views.collection(LOCKOUT_DAYS_VIEW);
    for (;;) {
      const page = await days.page(undefined, UNITS_AT_ONCE);
      if (page.length === 0) return;
      await this.views.write(
        page.map(({ _id: id }) => ({ kind: 'delete', collection: LOCKOUT_DAYS_VIEW.name, id })),
      );
    }
  }

  /** The first date that was not final at the last count. */
  #openSince(counted_at: number | null, timezone: string): CalendarDate | undefined {
    return counted_at === null ? undefined : this.calendar.dateAt(counted_at - FINAL_AFTER_MS, timezone);
  }

  async #count(
    { _id, policy: { timezone } }: LocationDocument,
    first: CalendarDate,
    until: number,
    yielder: Yielder,
  ): Promise<Counted> {
    const span = { from: this.calendar.startOf(first, timezone) - 1, until };
    const days = { span, timezone, ends: this.#endsOf(first, until, timezone) };
    const policies = policyPeriods(await this.reader.details(_id));
    const lockedOut: LockedOutThen[] = [];
    const marks: Parameters<typeof countUnits>[0][number][] = [];
    const dates: (readonly CalendarDate[])[] = [];
    const locked_out: LockedOutUnit[] = [];
    const tenants = new Set<string>();
    const begin = () =>
      new QuestionRun(this.reader, this.calendar, yielder, {
        span,
        worlds: [policies],
        mostEvents: Infinity,
        ask: (periods, [actual]) => lockoutsOf(periods, actual!, days, this.calendar),
      });
    let run = begin();
    for await (const units of this.units.allOfLocation(_id, UNITS_AT_ONCE)) {
      // The units of one tenant stand on many pages, and each may need all the others. A run reads each of them once.
      if (run.isLarge) run = begin();
      for (const { unit, shown } of await run.try(units)) {
        if (unit.tenancy !== null && !unit.retired) tenants.add(unit.tenancy.tenant_id);
        if (shown === undefined) continue;
        dates.push(shown.dates);
        lockedOut.push(...shown.lockedOut);
        if (shown.access !== undefined && !unit.retired)
          marks.push({ unit_name: unit.unit_name, mark: markOf(shown.access) });
        if (shown.since !== undefined) locked_out.push({ unit_id: unit.unit_id, since: shown.since });
      }
    }
    return {
      dates: countDates(dates),
      ends: countDayEnds(lockedOut),
      locked_out,
      units: countUnits(marks),
      tenants: tenants.size,
    };
  }

  /** The ends of the days from a date on. The last one ends at `until`. */
  #endsOf(first: CalendarDate, until: number, timezone: string): EndOfDay[] {
    const today = this.calendar.dateAt(until, timezone);
    const ends: EndOfDay[] = [];
    for (let date = first; date < today; date = this.calendar.addDays(date, 1))
      ends.push({ date, at: this.calendar.startOf(this.calendar.addDays(date, 1), timezone) - 1 });
    return [...ends, { date: today, at: until }];
  }
}

/** Units that were locked out when the count began keep the instant that was known. @param start of the counted days */
function withSince(
  locked_out: readonly LockedOutUnit[],
  known: LockoutDaysDocument | undefined,
  start: number,
): LockedOutUnit[] {
  const before = new Map(known?.locked_out?.map(({ unit_id, since }) => [unit_id, since]));
  return locked_out.map(({ unit_id, since }) => {
    const earlier = before.get(unit_id) ?? null;
    return { unit_id, since: since ?? (earlier !== null && earlier >= start ? earlier : null) };
  });
}

const NOTHING = { counted_at: null, dates: [], ends: [], taps: undefined } as const;

type WholeDocument = Required<LockoutDaysDocument>;

type Counted = Pick<WholeDocument, 'dates' | 'ends' | 'locked_out' | 'units' | 'tenants'>;

/** True if a count can be continued: it was made in the same time zone, by a build that counts all. */
function goesOn(known: LockoutDaysDocument | undefined, timezone: string): known is WholeDocument {
  return known?.timezone === timezone && known.taps !== undefined && known.units !== undefined;
}

function later(date: CalendarDate, other: CalendarDate | undefined): CalendarDate {
  return other !== undefined && other > date ? other : date;
}
