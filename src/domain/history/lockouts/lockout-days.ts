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
import type { LocationDocument } from '#domain/locations/index.js';
import type { CalendarDate } from '#kernel/calendar-date.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import { QuestionRun } from '../backtest/backtest-run.js';
import { policyPeriods } from '../core/periods.js';
import { countDates, type CountedDate, lockoutsOf } from '../core/lockouts.js';
import { UnitRecordReader } from '../unit-record.reader.js';

/** The number of local days before today that are counted. */
export const LOCKOUT_DAYS = 14;
/** Milliseconds between two counts of today. */
const RECOUNT_EVERY_MS = 15 * 60_000;
/** Milliseconds after the end of a day. Then all its events are stored, and its count is final. */
const FINAL_AFTER_MS = 10 * 60_000;
const UNITS_AT_ONCE = 100;

/** The number of units that lost access, by local day. `_id` is that of the location. */
export interface LockoutDaysDocument extends StoredDocument {
  readonly version: number;
  /** Milliseconds. */
  readonly counted_at: number;
  readonly timezone: string;
  /** Dates without a lockout are left out. */
  readonly dates: readonly CountedDate[];
  /** The units that were locked out at `counted_at`. Absent in documents of 1.0.0-rc.1. */
  readonly locked_out?: readonly LockedOutUnit[];
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
 * Counts the units that lost access on each of the last local days of a location. Most units lose it by the calendar, without
 * an event. So each count evaluates the history again, and any process may repeat it. Throws StoreUnavailableError.
 */
@Injectable()
export class LockoutDays {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly clocks: CompanyClocks,
    private readonly units: UnitDirectory,
    private readonly reader: UnitRecordReader,
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

  /** True if a new local day has begun, or if the last count is too old or of an older build. */
  isDue({ policy: { timezone } }: LocationDocument, known: LockoutDaysDocument | undefined, now: number) {
    if (known?.timezone !== timezone || known.locked_out === undefined) return true;
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
    const from = later(first, this.#openSince(known, timezone));
    const final = (known?.dates ?? []).filter(({ date }) => date >= first && date < from);
    const { dates, locked_out } = await this.#count(location, from, now, new Yielder(deadline));
    const before = new Map(known?.locked_out?.map(({ unit_id, since }) => [unit_id, since]));
    const start = this.calendar.startOf(first, timezone);
    const sinceOf = (unit_id: string) => {
      const since = before.get(unit_id) ?? null;
      return since !== null && since >= start ? since : null;
    };
    const document: LockoutDaysDocument = {
      _id: location._id,
      version: (known?.version ?? 0) + 1,
      counted_at: now,
      timezone,
      dates: [...final, ...dates],
      locked_out: locked_out.map(({ unit_id, since }) => ({ unit_id, since: since ?? sinceOf(unit_id) })),
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
  #openSince(known: LockoutDaysDocument | undefined, timezone: string): CalendarDate | undefined {
    if (known?.timezone !== timezone || known.locked_out === undefined) return undefined;
    return this.calendar.dateAt(known.counted_at - FINAL_AFTER_MS, timezone);
  }

  async #count(
    { _id, policy: { timezone } }: LocationDocument,
    first: CalendarDate,
    until: number,
    yielder: Yielder,
  ): Promise<{ dates: CountedDate[]; locked_out: LockedOutUnit[] }> {
    const span = { from: this.calendar.startOf(first, timezone) - 1, until };
    const policies = policyPeriods(await this.reader.details(_id));
    const dates: (readonly CalendarDate[])[] = [];
    const locked_out: LockedOutUnit[] = [];
    for await (const units of this.units.allOfLocation(_id, UNITS_AT_ONCE)) {
      const run = new QuestionRun(this.reader, this.calendar, yielder, {
        span,
        worlds: [policies],
        mostEvents: Infinity,
        ask: (periods, [actual]) => lockoutsOf(periods, actual!, span, timezone, this.calendar),
      });
      for (const { unit, shown } of await run.try(units)) {
        if (shown === undefined) continue;
        dates.push(shown.dates);
        if (shown.since !== undefined) locked_out.push({ unit_id: unit.unit_id, since: shown.since });
      }
    }
    return { dates: countDates(dates), locked_out };
  }
}

function later(date: CalendarDate, other: CalendarDate | undefined): CalendarDate {
  return other !== undefined && other > date ? other : date;
}
