import { Inject, Injectable } from '@nestjs/common';
import { type Calendar, Denials, LocationForecast } from '../../access/index.js';
import type { CompanyClock } from '../../companies/index.js';
import type { Deadline } from '../../config/breath.js';
import { toTimestamp } from '../../config/clock.js';
import { CALENDAR } from '../../config/injection-tokens.js';
import { CompanyChanges } from '../../history/index.js';
import { type LocationDocument, LocationDirectory } from '../../locations/index.js';
import { fromCents } from '../../http/index.js';
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
 * What an operator of a company wants to know in the morning (decisions §6). The work is bounded: the newest events of the
 * log, the tenants who are denied, and those whom the calendar touches in the next days. Throws StoreUnavailableError.
 */
@Injectable()
export class CompanyToday {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly changes: CompanyChanges,
    private readonly forecast: LocationForecast,
    private readonly denials: Denials,
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
    const byDate = new Map<string, number>();
    for (const location of locations) {
      const { units, dates } = await this.forecast.losing(location, FORESEEN_DAYS, deadline);
      if (units > 0) losing.push({ location_id: location._id, name: location.name, units });
      for (const { date, denied } of dates) byDate.set(date, (byDate.get(date) ?? 0) + denied);
    }
    const dates = [...byDate].sort(([one], [other]) => (one < other ? -1 : 1));
    return { locations: losing, dates: dates.map(([date, units]) => ({ date, units })) };
  }
}
