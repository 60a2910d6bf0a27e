import { Inject, Injectable } from '@nestjs/common';
import { type Calendar, Denials, LocationForecast, type WantedDenials } from '#domain/access/index.js';
import type { CompanyClock } from '#domain/companies/index.js';
import type { Deadline } from '#kernel/yielder.js';
import { type OperatorScope, placesOf, seesSite } from '#kernel/principals.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { CompanyChanges, LOCKOUT_DAYS, LockoutDays } from '#domain/history/index.js';
import { type LocationDocument, LocationDirectory } from '#domain/locations/index.js';
import { fromCents } from '#kernel/money.js';
import { CalledTenants } from './called-tenants.js';
import { ConditionList } from './condition-list.js';
import { DamagedHistories } from './damaged-histories.js';
import { DeniedOpeningList } from './denied-opening-list.js';
import { LateSyncs } from './late-syncs.js';
import { LockedOutList } from './locked-out-list.js';
import { UnsentTexts } from './unsent-texts.js';
import type { Today } from './today.schemas.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
/** Changes are counted over this time back from now, in milliseconds. */
export const CHANGES_SPAN = 24 * HOUR_MS;
const FORESEEN_DAYS = 7;
/** Texts that did not go out are told for so many days: nobody may be there at the weekend. */
const UNSENT_DAYS = 3;
/** The most entries of each list. */
const LISTED = 25;

interface AskedToday {
  /** What the reader may see. */
  readonly scope: OperatorScope;
  /** Of the request. @throws GivenUpError when it is over */
  readonly deadline?: Deadline | undefined;
  /** Which of the units that are locked out or in auction are listed. */
  readonly wanted?: WantedDenials | undefined;
  /** Most of them that are listed. */
  readonly most?: number | undefined;
}

/**
 * The overview of a company (decisions §6). It reads only the newest events, and tenants who are denied, who opened something,
 * or whose decision the calendar changes soon. Throws StoreUnavailableError.
 */
@Injectable()
export class CompanyToday {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly changes: CompanyChanges,
    private readonly forecast: LocationForecast,
    private readonly denials: Denials,
    private readonly lockouts: LockoutDays,
    private readonly late: LateSyncs,
    private readonly called: CalledTenants,
    private readonly list: LockedOutList,
    private readonly openings: DeniedOpeningList,
    private readonly unsent: UnsentTexts,
    private readonly conditions: ConditionList,
    private readonly damaged: DamagedHistories,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * @param clock of the company
   */
  async readToday(
    company_id: string,
    clock: CompanyClock,
    { scope, deadline, wanted, most = LISTED }: AskedToday,
  ): Promise<Today> {
    const { ahead } = clock;
    const now = clock.now();
    const isSeen = (location_id: string) => seesSite(scope, { company_id, location_id });
    const locations = (await this.locations.locationsOfCompany(company_id)).filter(({ _id }) => isSeen(_id));
    const since = { since: now - CHANGES_SPAN, ahead, locations: placesOf(scope).locations };
    const changes = await this.changes.count(company_id, since, deadline);
    const ids = locations.map(({ _id }) => _id);
    const counted = await this.lockouts.readDays(ids);
    const counted_at = countedAt(counted);
    const calls = await this.called.findCallsOfCompany(company_id);
    const { byReason, lockedOut, auction } = await this.denials.findDenials(company_id, ids, most, deadline, {
      ...wanted,
      last: calls,
    });
    const todayOf = ({ policy }: LocationDocument) => this.calendar.dateAt(now, policy.timezone);
    return {
      at: toTimestamp(now),
      changes: {
        since: toTimestamp(changes.since),
        by_type: changes.counts.map(([type, events]) => ({ type, events })),
      },
      lost_access: {
        days: LOCKOUT_DAYS,
        counted_at,
        dates: byDate(counted.flatMap((one) => one?.dates ?? [])),
      },
      last_days: { days: LOCKOUT_DAYS, counted_at, dates: figuresByDate(counted, locations) },
      losing_access: { days: FORESEEN_DAYS, ...(await this.#losing(locations, deadline)) },
      denied: [...byReason].map(([reason, units]) => ({ reason, units })),
      locked_out: {
        tenants: lockedOut.tenants,
        units: lockedOut.units,
        called_units: lockedOut.lastUnits,
        locations: locations.map(({ _id, name }) => ({
          location_id: _id,
          name,
          units: lockedOut.unitsAt.get(_id) ?? 0,
          owed: fromCents(lockedOut.owed.get(_id) ?? 0),
        })),
        ...owedIn(lockedOut.owed, locations),
        first: await this.list.listLockedOut(lockedOut.first, locations, todayOf, calls),
        next_skip: lockedOut.next_skip,
      },
      unsent_texts: {
        days: UNSENT_DAYS,
        ...(await this.unsent.listUnsent(locations, now - UNSENT_DAYS * DAY_MS, LISTED)),
      },
      in_auction: {
        units: auction.units,
        first: await this.list.listInAuction(auction.first, locations, todayOf),
      },
      denied_openings: {
        openings: changes.denied_openings.length,
        tenants: new Set(changes.denied_openings.map(({ tenant_id }) => tenant_id)).size,
        first: await this.openings.describeOpenings(changes.denied_openings.slice(0, LISTED)),
      },
      low_batteries: await this.conditions.lowBatteries(company_id, isSeen, LISTED),
      failures: await this.conditions.failures(company_id, now - CHANGES_SPAN, isSeen, LISTED),
      ...(await this.late.findLateSyncs(company_id, clock, scope)),
      damaged_histories: await this.damaged.listHistories(company_id, scope),
    };
  }

  /** The locations where units will lose access, and the number of units for each date. */
  async #losing(locations: readonly LocationDocument[], deadline?: Deadline) {
    const losing = [];
    const foreseen: CountedDate[] = [];
    for (const location of locations) {
      const { units, dates } = await this.forecast.losing(location, FORESEEN_DAYS, deadline);
      if (units > 0) losing.push({ location_id: location._id, name: location.name, units });
      for (const { date, denied } of dates) foreseen.push({ date, units: denied });
    }
    return { locations: losing, dates: byDate(foreseen) };
  }
}

interface CountedDate {
  readonly date: string;
  readonly units: number;
}

/** Adds up the units of each date, and sorts by date. */
function byDate(counted: readonly CountedDate[]): CountedDate[] {
  const sums = new Map<string, number>();
  for (const { date, units } of counted) sums.set(date, (sums.get(date) ?? 0) + units);
  const dates = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  return dates.map(([date, units]) => ({ date, units }));
}

type CountedDays = Awaited<ReturnType<LockoutDays['readDays']>>;

/** The oldest count of a location. Null if one is not counted yet. */
function countedAt(counted: CountedDays): string | null {
  const instants = counted.map((one) => (one?.taps === undefined ? undefined : one.counted_at));
  const isComplete = instants.length > 0 && instants.every((at) => at !== undefined);
  return timestampOrNull(isComplete ? Math.min(...instants) : null);
}

/** The figures of each date on which there is one, summed over the locations. @param counted in the order of the locations */
function figuresByDate(counted: CountedDays, locations: readonly LocationDocument[]) {
  const dates = new Set(
    counted.flatMap((one) => [...(one?.ends ?? []), ...(one?.taps?.days ?? [])].map(({ date }) => date)),
  );
  return [...dates].sort().map((date) => {
    const isOfDate = (one: { readonly date: string }) => one.date === date;
    const ends = counted.map((one) => one?.ends?.find(isOfDate));
    const taps = counted.flatMap((one) => one?.taps?.days.find(isOfDate) ?? []);
    const owed = new Map(
      locations.flatMap(({ _id }, index) => (ends[index] === undefined ? [] : [[_id, ends[index].owed]])),
    );
    return {
      date,
      tenants: sumOf(ends, (end) => end?.tenants ?? 0),
      owed_by_currency: owedIn(owed, locations).owed_by_currency,
      openings: sumOf(taps, ({ openings }) => openings),
      refusals: sumOf(taps, ({ refusals }) => refusals),
      denied_openings: sumOf(taps, ({ denied_openings }) => denied_openings),
    };
  });
}

function sumOf<One>(of: readonly One[], countOf: (one: One) => number): number {
  return of.reduce((sum, one) => sum + countOf(one), 0);
}

/** The sum, and the sum of each currency. @param owed cents by location */
function owedIn(owed: ReadonlyMap<string, number>, locations: readonly LocationDocument[]) {
  const byCurrency = new Map<string, number>();
  for (const { _id, currency } of locations) {
    const cents = owed.get(_id);
    if (cents !== undefined) byCurrency.set(currency, (byCurrency.get(currency) ?? 0) + cents);
  }
  const all = [...byCurrency.values()].reduce((sum, cents) => sum + cents, 0);
  const owed_by_currency = [...byCurrency].map(([currency, cents]) => ({ currency, owed: fromCents(cents) }));
  return { owed: fromCents(all), owed_by_currency };
}
