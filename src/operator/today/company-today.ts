import { Injectable } from '@nestjs/common';
import { Denials, LocationForecast } from '../../access/index.js';
import type { CompanyClock } from '../../companies/index.js';
import type { Deadline } from '../../config/breath.js';
import { toTimestamp } from '../../config/clock.js';
import { CompanyChanges } from '../../history/index.js';
import { type LocationDocument, LocationDirectory } from '../../locations/index.js';
import { LateSyncs } from './late-syncs.js';

const HOUR = 60 * 60_000;
/** What happened since this time yesterday. */
export const RECENT = 24 * HOUR;
const FORESEEN_DAYS = 7;

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
    const denied = await this.denials.byReason(
      company_id,
      locations.map(({ _id }) => _id),
      deadline,
    );
    return {
      at: toTimestamp(now),
      changes: {
        since: toTimestamp(changes.since),
        by_type: changes.counts.map(([type, events]) => ({ type, events })),
        failed_reports: changes.failed_reports,
      },
      losing_access: { days: FORESEEN_DAYS, locations: await this.#losing(locations, deadline) },
      denied: [...denied].map(([reason, units]) => ({ reason, units })),
      ...(await this.late.of(company_id, clock)),
    };
  }

  /** The locations at which somebody will lose access. */
  async #losing(locations: readonly LocationDocument[], deadline?: Deadline) {
    const losing = [];
    for (const location of locations) {
      const units = await this.forecast.losing(location, FORESEEN_DAYS, deadline);
      if (units > 0) losing.push({ location_id: location._id, name: location.name, units });
    }
    return losing;
  }
}
