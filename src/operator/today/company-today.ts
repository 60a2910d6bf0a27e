import { Inject, Injectable } from '@nestjs/common';
import { type Calendar, Denials, LocationForecast } from '../../access/index.js';
import type { CompanyClock } from '../../companies/index.js';
import type { Deadline } from '../../config/yielder.js';
import { timestampOrNull, toTimestamp } from '../../config/clock.js';
import { CALENDAR } from '../../config/injection-tokens.js';
import { CompanyChanges, LOCKOUT_DAYS, LockoutDays } from '../../history/index.js';
import { type LocationDocument, LocationDirectory } from '../../locations/index.js';
import { fromCents } from '../../http/validation/rules.js';
import { LateSyncs } from './late-syncs.js';
import { LockedOutList } from './locked-out-list.js';

const HOUR = 60 * 60_000;
/** The events since this time yesterday. */
export const RECENT = 24 * HOUR;
const FORESEEN_DAYS = 7;
/** Units that the list to work through names. */
const LISTED = 25;

export type Today = Awaited<ReturnType<CompanyToday['of']>>;

/**
 * The overview of a company for an operator's morning (decisions §6). The work is bounded: the newest events of the
 * log, denied tenants, and tenants whom the calendar changes in the next days. Throws StoreUnavailableError.
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
    private readonly list: LockedOutList,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * @param clock the company's
   * @param deadline of who asks: nothing goes on behind it
   * @throws GivenUpError
   */
  async of(company_id: string, clock: CompanyClock, deadline?: Deadline) {
    const { ahead } = clock;
    const now = clock.now();
    const locations = await this.locations.locationsOfCompany(company_id);
    const changes = await this.changes.count(company_id, { since: now - RECENT, ahead });
    const ids = locations.map(({ _id }) => _id);
    const denied = await this.denials.of(company_id, ids, LISTED, deadline);
    const todayOf = ({ policy }: LocationDocument) => this.calendar.dateAt(now, policy.timezone);
    return {
      at: toTimestamp(now),
      changes: {
        since: toTimestamp(changes.since),
        by_type: changes.counts.map(([type, events]) => ({ type, events })),
        failed_reports: changes.failed_reports,
      },
      lost_access: { days: LOCKOUT_DAYS, ...(await this.#lost(ids)) },
      losing_access: { days: FORESEEN_DAYS, ...(await this.#losing(locations, deadline)) },
      denied: [...denied.byReason].map(([reason, units]) => ({ reason, units })),
      locked_out: {
        tenants: denied.tenants,
        units: denied.units,
        owed: fromCents(denied.owed),
        first: await this.list.of(denied.first, locations, todayOf),
      },
      ...(await this.late.of(company_id, clock)),
    };
  }

  /** The locations at which somebody will lose access, and how many units do on each date. */
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

  /** How many units lost access on each date, up to the instant when all locations had been counted. */
  async #lost(location_ids: readonly string[]) {
    const counted = await this.lockouts.of(location_ids);
    const dates = byDate(counted.flatMap((one) => one?.dates ?? []));
    const isWhole = counted.length > 0 && !counted.includes(undefined);
    const counted_at = isWhole ? Math.min(...counted.map((one) => one!.counted_at)) : null;
    return { counted_at: timestampOrNull(counted_at), dates };
  }
}

interface CountedDate {
  readonly date: string;
  readonly units: number;
}

/** The sums of each date, in order. */
function byDate(counted: readonly CountedDate[]): CountedDate[] {
  const sums = new Map<string, number>();
  for (const { date, units } of counted) sums.set(date, (sums.get(date) ?? 0) + units);
  const dates = [...sums].sort(([one], [other]) => (one < other ? -1 : 1));
  return dates.map(([date, units]) => ({ date, units }));
}
