import { Injectable } from '@nestjs/common';
import { ApiTokens } from '#domain/companies/index.js';
import { LockoutDays } from '#domain/history/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { PassDirectory } from '#domain/passes/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { LastPulls } from '#pull/index.js';

/** How many things of a site there are. Undefined: not counted yet. */
export interface SiteCounts {
  readonly units: number | undefined;
  /** Those who rent. */
  readonly tenants: number | undefined;
  readonly locks: number | undefined;
  /** Locks, zones and gates. */
  readonly equipment: number | undefined;
  /** Those that have not ended. Undefined: more than can be counted at once, too. */
  readonly passes: number | undefined;
}

export interface SiteHead {
  readonly counts: SiteCounts;
  /**
   * When the PMS last called for any site of the company, in milliseconds. Null: never. Tokens and pull sources belong to
   * the company as a whole.
   */
  readonly synced_at: number | null;
}

interface SiteIds {
  readonly location_id: string;
  readonly company_id: string;
}

/** Passes that are counted at once. */
const MOST_PASSES = 100;

/** Reads what the head and the tabs of each page of a site say. A few small reads: units and locks are counted in the background. */
@Injectable()
export class SiteHeadReader {
  constructor(
    private readonly lockouts: LockoutDays,
    private readonly locations: LocationDirectory,
    private readonly passes: PassDirectory,
    private readonly tokens: ApiTokens,
    private readonly pulls: LastPulls,
  ) {}

  /** @param now by the company's clock, in milliseconds @throws StoreUnavailableError */
  async read({ location_id, company_id }: SiteIds, now: number): Promise<SiteHead> {
    const [[counted], location, passes, synced_at] = await Promise.all([
      this.lockouts.readDays([location_id]),
      this.locations.location(location_id),
      this.passes.pageOfLocation(location_id, { limit: MOST_PASSES, after: now }),
      this.#syncedAt(company_id),
    ]);
    const parts = location?.part_ids.length ?? 0;
    return {
      counts: {
        ...countsIn(counted, parts),
        passes: passes.next_cursor === null ? passes.documents.length : undefined,
      },
      synced_at,
    };
  }

  async #syncedAt(company_id: string): Promise<number | null> {
    const [tokens, pulled] = await Promise.all([
      this.tokens.list(company_id),
      this.pulls.findLast(company_id),
    ]);
    const used = tokens.flatMap(({ scope, last_used_at }) => (scope === 'write' ? (last_used_at ?? []) : []));
    const instants = [...used, ...(pulled === null ? [] : [pulled])];
    return instants.length === 0 ? null : Math.max(...instants);
  }
}

type CountedSite = ResultOf<LockoutDays['readDays']>[number];

/** @param parts the number of zones and gates */
function countsIn(counted: CountedSite, parts: number): Omit<SiteCounts, 'passes'> {
  const { units, tenants, locks } = counted ?? {};
  return {
    units: units && Object.values(units.counts).reduce((sum, one) => sum + one, 0),
    tenants,
    locks,
    equipment: locks === undefined ? undefined : locks + parts,
  };
}
