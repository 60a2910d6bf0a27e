import { Injectable } from '@nestjs/common';
import type { ResultOf } from '#kernel/result-of.js';
import { TenantReads } from '#api/operator/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LatestTaps } from '#domain/history/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { UnitReport } from '../activity/named-entries.js';
import { localDate } from '../parts/words.js';
import { sumsOf, type TenantSite } from './tenant-table.js';

/** Taps that the panel lists. */
const TAPS = 4;

type Tenant = ResultOf<TenantReads['readTenant']>;

export interface PeekedTenant {
  readonly tenant: Tenant;
  readonly site: TenantSite;
  /** A decimal amount. Null: unknown, because the tenant has too many units to read them all. */
  readonly owed: number | null;
  /** Null: nothing is late, or unknown as `owed`. */
  readonly days_late: number | null;
  /** The newest first. */
  readonly taps: readonly UnitReport[];
  /** By the company's clock, in milliseconds. */
  readonly now: number;
}

/** Reads what a call is about, for the panel beside a list of tenants. */
@Injectable()
export class TenantPeekReader {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly reads: TenantReads,
    private readonly locations: LocationDirectory,
    private readonly taps: LatestTaps,
    private readonly clocks: CompanyClocks,
  ) {}

  /**
   * @param sites whose tenants the viewer may see here
   * @param tenant_id as the address has it
   * @returns undefined if none of the sites has such a tenant
   * @throws StoreUnavailableError
   */
  async find(sites: readonly TenantSite[], tenant_id: string | undefined): Promise<PeekedTenant | undefined> {
    if (tenant_id === undefined || !isPossibleId(tenant_id)) return undefined;
    const [account] = await this.accounts.byTenantId([tenant_id]);
    const site = sites.find(({ location_id }) => location_id === account?.location_id);
    if (account === undefined || site === undefined) return undefined;
    const [tenant, location, now] = await Promise.all([
      this.reads.readTenant(tenant_id),
      this.locations.location(site.location_id),
      this.clocks.now(account.company_id),
    ]);
    const unit_ids = [...tenant.units, ...tenant.shares].map(({ unit_id }) => unit_id);
    const taps =
      location === undefined ? [] : await this.taps.listOfTenant(account, unit_ids, location, TAPS);
    return { tenant, site, ...owedBy(tenant, localDate(now, site.timezone)), taps, now };
  }
}

function owedBy({ units, units_left_out = 0 }: Tenant, today: string) {
  if (units_left_out > 0) return { owed: null, days_late: null };
  return sumsOf(
    units.map(({ facts }) => facts),
    today,
  );
}
