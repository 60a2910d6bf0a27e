import { Inject, Injectable } from '@nestjs/common';
import type { Calendar } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { type AccessHours, ALWAYS_OPEN, type LocationDocument, passageAt } from '#domain/locations/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { ActivityHistory } from './activity-history.js';
import type { ActivityEntry } from './activity.presenter.js';

const DAYS = 14;
const DAY_MS = 24 * 60 * 60_000;
const PAGE = 500;
/** Reports of each entry point that are read: the newest. */
const MOST_PAGES = 4;

/** A tenant who opened entry points when other hours would have been closed, and those in force were not. */
export interface TenantOutsideHours {
  readonly tenant_id: string;
  readonly taps: number;
  /** The newest of them, ISO 8601. */
  readonly last_at: string;
}

type LocationOfTaps = Pick<LocationDocument, 'company_id' | 'entry_points' | 'access_hours' | 'policy'>;

/** Finds the tenants whose openings of the last 14 days new hours would have refused, and those in force did not. */
@Injectable()
export class TapsOutsideHours {
  constructor(
    private readonly activity: ActivityHistory,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * Those with the most openings first. Of each entry point the newest 2,000 reports are read.
   * @throws StoreUnavailableError
   */
  async countTaps(
    { company_id, entry_points, access_hours, policy }: LocationOfTaps,
    hours: AccessHours,
    timezone: string,
  ): Promise<TenantOutsideHours[]> {
    const clock = this.calendar;
    const inForce = { hours: access_hours ?? ALWAYS_OPEN, timezone: policy.timezone, clock };
    const isRefused = (at: number) =>
      passageAt({ hours, timezone, clock }, at).kind === 'closed' && passageAt(inForce, at).kind !== 'closed';
    const now = await this.clocks.now(company_id);
    const found = new Map<string, TenantOutsideHours>();
    for (const { entry_point_id, hours: kept } of entry_points) {
      if (kept === 'always') continue;
      for await (const { tenant_id, occurred_at } of this.#openings(
        entry_point_id,
        now - DAYS * DAY_MS,
        now,
      )) {
        if (!isRefused(Date.parse(occurred_at))) continue;
        found.set(tenant_id, withTap(found.get(tenant_id), tenant_id, occurred_at));
      }
    }
    return [...found.values()].sort((one, other) => other.taps - one.taps);
  }

  async *#openings(entry_point_id: string, from: number, to: number): AsyncGenerator<ActivityEntry> {
    let cursor: string | undefined;
    for (let page = 0; page < MOST_PAGES; page += 1) {
      const read = await this.activity.listOfEntryPoint(entry_point_id, { limit: PAGE, from, to, cursor });
      yield* read.entries.filter(({ event, result }) => event === 'unlock' && result === 'success');
      if (read.next_cursor === null) return;
      cursor = read.next_cursor;
    }
  }
}

function withTap(
  before: TenantOutsideHours | undefined,
  tenant_id: string,
  occurred_at: string,
): TenantOutsideHours {
  if (before === undefined) return { tenant_id, taps: 1, last_at: occurred_at };
  const last_at = before.last_at > occurred_at ? before.last_at : occurred_at;
  return { tenant_id, taps: before.taps + 1, last_at };
}
