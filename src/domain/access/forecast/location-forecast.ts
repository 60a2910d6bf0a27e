import { isDeepStrictEqual } from 'node:util';
import { Inject, Injectable } from '@nestjs/common';
import { decodeCursor, encodeCursor, InvalidCursorError } from '#kernel/cursor.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { Yielder, runYielding, type Deadline } from '#kernel/yielder.js';
import { fromCents } from '#kernel/money.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { CALENDAR, VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import type { LocationDocument, LocationPolicy } from '#domain/locations/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import type { Calendar } from '../core/decision.js';
import { bySoonest, type ForecastChange, forecastOf, type ForecastSpan } from '../core/forecast.js';
import { isOpen } from '../core/policy.js';
import { type Bearing, type RentedUnit, rented } from '../core/tenant-units.js';
import { SCAN_PAGE_SIZE, tenantDocuments } from '../tenant-access/tenant-documents.js';
import { presentLocation } from '../unit-access/unit.presenter.js';

const GROUNDS: Bearing = 'grounds';

/** An effect counts all units, and names at most these. */
const MOST_NAMED = 500;

interface ForecastRange {
  /** Local days after today. */
  readonly days: number;
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** A change, with its unit and the tenant who rents it. */
type HeldChange = ForecastChange & { readonly tenant_id: string; readonly held: RentedUnit };

type TenantDocuments = ReturnType<typeof tenantDocuments>;

/**
 * Forecasts which units of a location the calendar will change, and which units another policy would change now (decisions §3,
 * §6). Writes nothing. Throws StoreUnavailableError.
 */
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
    const changes = await this.#calendarChanges(location, span, deadline);
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
  async forecast(location: LocationDocument, { days, limit, cursor }: ForecastRange, deadline?: Deadline) {
    const list = ['forecast', location._id, days];
    const position = cursor === undefined ? undefined : positionIn(decodeCursor(cursor, list));
    const span = this.#span(location, await this.clocks.now(location.company_id), days);
    const changes = (await this.#calendarChanges(location, span, deadline)).sort(bySoonest);
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

  /**
   * Counts the units that another policy would lock or open now, and names those with the highest balances.
   * @param deadline the caller's; the work stops there
   * @throws GivenUpError
   */
  async findEffect(location: LocationDocument, proposed: LocationPolicy, deadline?: Deadline) {
    const flips = await this.#flips(location, proposed, deadline);
    const opened = flips.filter(({ to }) => isOpen(to)).length;
    const named = flips.sort((one, other) => balanceOf(other) - balanceOf(one)).slice(0, MOST_NAMED);
    const names = await this.#unitNames(named);
    return {
      locked: flips.length - opened,
      opened,
      tenants: new Set(flips.map(({ tenant_id }) => tenant_id)).size,
      changes: named.map((flip) => ({
        unit_id: flip.unit_id,
        crm_unit_id: flip.crm_unit_id,
        unit_name: names.get(flip.unit_id) ?? flip.crm_unit_id,
        tenant_id: flip.tenant_id,
        balance_due: fromCents(balanceOf(flip)),
        from: flip.from,
        to: flip.to,
      })),
    };
  }

  async #flips(
    location: LocationDocument,
    proposed: LocationPolicy,
    deadline?: Deadline,
  ): Promise<HeldChange[]> {
    if (isDeepStrictEqual({ ...location.policy }, { ...proposed })) return [];
    const now = await this.clocks.now(location.company_id);
    const concerned = this.#concerned(location, proposed);
    const span = { now, until: now };
    const changes = await this.#changes(concerned, location.policy, span, new Yielder(deadline), proposed);
    return changes.filter(({ from, to }) => isOpen(from) !== isOpen(to));
  }

  /** The tenants whom another policy may bear on: those with grounds to deny them. Another time zone bears on all leases to come. */
  #concerned({ _id, policy }: LocationDocument, proposed: LocationPolicy): TenantDocuments {
    if (proposed.timezone !== policy.timezone)
      return tenantDocuments(this.views, 'by_location', { equals: [_id] }, SCAN_PAGE_SIZE);
    const range = { equals: [_id, GROUNDS] };
    return tenantDocuments(this.views, 'by_location_and_bearing', range, SCAN_PAGE_SIZE);
  }

  #span({ policy: { timezone } }: LocationDocument, now: number, days: number): ForecastSpan {
    const today = this.calendar.dateAt(now, timezone);
    return { now, until: this.calendar.startOf(this.calendar.addDays(today, days + 1), timezone) - 1 };
  }

  async #calendarChanges(
    { _id, policy }: LocationDocument,
    span: ForecastSpan,
    deadline?: Deadline,
  ): Promise<HeldChange[]> {
    const range = { equals: [_id], from: 0, to: span.until };
    const changing = tenantDocuments(this.views, 'by_location_and_valid_until', range);
    return this.#changes(changing, policy, span, new Yielder(deadline));
  }

  async #changes(
    documents: TenantDocuments,
    policy: LocationPolicy,
    span: ForecastSpan,
    yielder: Yielder,
    proposed = policy,
  ): Promise<HeldChange[]> {
    const changes: HeldChange[] = [];
    for await (const { tenant_id, units } of documents) {
      await yielder.after(1);
      const all = rented(units);
      const byId = new Map(all.map((held) => [held.unit_id, held]));
      const subjects = all.map(({ subject }) => subject);
      const forecast = forecastOf(subjects, policy, span, this.calendar, proposed);
      for (const change of await runYielding(forecast, yielder))
        changes.push({ ...change, tenant_id, held: byId.get(change.unit_id)! });
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

  async #present(changes: readonly HeldChange[], { policy: { timezone } }: LocationDocument) {
    const names = await this.#unitNames(changes);
    return changes.map(({ unit_id, crm_unit_id, at, from, to }) => ({
      unit_id,
      crm_unit_id,
      unit_name: names.get(unit_id) ?? crm_unit_id,
      date: this.calendar.dateAt(at, timezone),
      at: toTimestamp(at),
      from,
      to,
    }));
  }

  /** By the units' ids. */
  async #unitNames(changes: readonly HeldChange[]): Promise<ReadonlyMap<string, string>> {
    const found = await this.units.byStreams(changes.map(({ held }) => held.stream));
    return new Map(found.flatMap((unit) => (unit === undefined ? [] : [[unit.unit_id, unit.unit_name]])));
  }
}

function balanceOf({ held }: HeldChange): number {
  return held.subject.facts.balance_due;
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
