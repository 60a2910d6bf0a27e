import { Inject, Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '../../base/cursor.js';
import { CompanyClocks } from '../../companies/index.js';
import { Yielder, runYielding, type Deadline } from '../../config/yielder.js';
import { toTimestamp } from '../../config/clock.js';
import { CALENDAR, VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import type { LocationDocument } from '../../locations/index.js';
import { UnitDirectory } from '../../units/index.js';
import type { Calendar } from '../core/decision.js';
import { bySoonest, type ForecastChange, forecastOf, type ForecastSpan } from '../core/forecast.js';
import { isOpen } from '../core/policy.js';
import { rented } from '../core/tenant-units.js';
import { tenantDocuments } from '../tenant-access/tenant-documents.js';
import { presentLocation } from '../unit-access/unit.presenter.js';

interface ForecastRange {
  /** Local days after today. */
  readonly days: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

type StreamChange = ForecastChange & { readonly stream: string };

/** Forecasts which units of a location the calendar will change (decisions §3, §6). Throws StoreUnavailableError. */
@Injectable()
export class LocationForecast {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
    private readonly units: UnitDirectory,
  ) {}

  /**
   * Counts the units that will lose access within the given days after today, in all and by date.
   * @param deadline the caller's; the work stops there
   * @throws GivenUpError
   */
  async losing(location: LocationDocument, days: number, deadline?: Deadline) {
    const span = this.#span(location, await this.clocks.now(location.company_id), days);
    const changes = await this.#changes(location, span, new Yielder(deadline));
    const lost = changes.filter(({ from, to }) => isOpen(from) && !isOpen(to));
    return {
      units: new Set(lost.map(({ unit_id }) => unit_id)).size,
      dates: this.#dates(lost, location).map(({ date, denied }) => ({ date, denied })),
    };
  }

  /**
   * One page of the changes within the given days after today, soonest first.
   * @param deadline the caller's; the work stops there
   * @throws InvalidCursorError, GivenUpError
   */
  async of(location: LocationDocument, { days, limit, cursor }: ForecastRange, deadline?: Deadline) {
    const list = ['forecast', location._id, days];
    const position = cursor === undefined ? undefined : positionIn(decodeCursor(cursor, list));
    const span = this.#span(location, await this.clocks.now(location.company_id), days);
    const changes = (await this.#changes(location, span, new Yielder(deadline))).sort(bySoonest);
    const ahead = position === undefined ? changes : changes.filter((change) => isAfter(change, position));
    const page = ahead.slice(0, limit);
    const last = page.at(-1);
    return {
      location: presentLocation(location),
      from: toTimestamp(span.now),
      until: toTimestamp(span.until),
      dates: this.#dates(changes, location),
      changes: await this.#present(page, location),
      next_cursor:
        last !== undefined && ahead.length > limit ? encodeCursor([last.at, last.unit_id], list) : null,
    };
  }

  #span({ policy: { timezone } }: LocationDocument, now: number, days: number): ForecastSpan {
    const today = this.calendar.dateAt(now, timezone);
    return { now, until: this.calendar.startOf(this.calendar.addDays(today, days + 1), timezone) - 1 };
  }

  async #changes(
    { _id, policy }: LocationDocument,
    span: ForecastSpan,
    yielder: Yielder,
  ): Promise<StreamChange[]> {
    const changes: StreamChange[] = [];
    const range = { equals: [_id], from: 0, to: span.until };
    for await (const { units } of tenantDocuments(this.views, 'by_location_and_valid_until', range)) {
      await yielder.after(1);
      const held = rented(units);
      const streams = new Map(held.map(({ unit_id, stream }) => [unit_id, stream]));
      const subjects = held.map(({ subject }) => subject);
      for (const change of await runYielding(forecastOf(subjects, policy, span, this.calendar), yielder)) {
        changes.push({ ...change, stream: streams.get(change.unit_id)! });
      }
    }
    return changes;
  }

  /** Counts the changes of each date, and how many of them deny or permit. */
  #dates(changes: readonly ForecastChange[], { policy: { timezone } }: LocationDocument) {
    const dates = new Map<string, { changes: number; denied: number; permitted: number }>();
    for (const { at, from, to } of changes) {
      const date = this.calendar.dateAt(at, timezone);
      const counted = dates.get(date) ?? { changes: 0, denied: 0, permitted: 0 };
      counted.changes += 1;
      if (isOpen(from)) counted.denied += isOpen(to) ? 0 : 1;
      else if (isOpen(to)) counted.permitted += 1;
      dates.set(date, counted);
    }
    return [...dates].map(([date, counted]) => ({ date, ...counted }));
  }

  async #present(changes: readonly StreamChange[], { policy: { timezone } }: LocationDocument) {
    const found = await this.units.byStreams(changes.map(({ stream }) => stream));
    return changes.map(({ unit_id, crm_unit_id, at, from, to }, index) => ({
      unit_id,
      crm_unit_id,
      unit_name: found[index]?.unit_name ?? crm_unit_id,
      date: this.calendar.dateAt(at, timezone),
      at: toTimestamp(at),
      from,
      to,
    }));
  }
}

/** The last change of the page before. */
type Position = Pick<ForecastChange, 'at' | 'unit_id'>;

function positionIn(position: unknown): Position {
  const [at, unit_id] = Array.isArray(position) ? (position as unknown[]) : [];
  if (typeof at !== 'number' || typeof unit_id !== 'string') throw new InvalidCursorError();
  return { at, unit_id };
}

function isAfter({ at, unit_id }: ForecastChange, last: Position): boolean {
  return at > last.at || (at === last.at && unit_id > last.unit_id);
}
