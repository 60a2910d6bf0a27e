import { Injectable } from '@nestjs/common';
import { Denials, LocationForecast } from '../../access/index.js';
import { type ApiTokenRecord, ApiTokens, type CompanyClock } from '../../companies/index.js';
import type { Deadline } from '../../config/breath.js';
import { toTimestamp } from '../../config/clock.js';
import { CompanyChanges } from '../../history/index.js';
import { type LocationDocument, LocationDirectory } from '../../locations/index.js';

const HOUR = 60 * 60_000;
/** What happened since this time yesterday. */
export const RECENT = 24 * HOUR;
const FORESEEN_DAYS = 7;
/** A PMS that writes once a day has not missed its turn before this. */
const SILENT_AFTER = 26 * HOUR;

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
    private readonly tokens: ApiTokens,
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
    const tokens = await this.tokens.list(company_id);
    return {
      at: toTimestamp(now),
      changes: {
        since: toTimestamp(changes.since),
        by_type: changes.counts.map(([type, events]) => ({ type, events })),
        failed_reports: changes.failed_reports,
      },
      losing_access: { days: FORESEEN_DAYS, locations: await this.#losing(locations, deadline) },
      denied: [...denied].map(([reason, units]) => ({ reason, units })),
      silent_tokens: tokens.filter((token) => isSilent(token, now - ahead)).map(silentToken),
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

/** Whether, by the world's clock, a PMS wrote or read with it before, and does not any more. */
function isSilent({ last_used_at, revoked_at, expires_at }: ApiTokenRecord, now: number): boolean {
  const holds = revoked_at === null && (expires_at === null || expires_at > now);
  return holds && last_used_at !== null && last_used_at < now - SILENT_AFTER;
}

function silentToken({ token_id, name, last_used_at }: ApiTokenRecord) {
  return { token_id, name, last_used_at: toTimestamp(last_used_at!) };
}
