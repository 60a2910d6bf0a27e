import { Injectable } from '@nestjs/common';
import { SearchEverywhere, TenantReads, TenantSearchQuery } from '#api/operator/index.js';
import type { OperatorContext } from '#web/request-context.js';
import { validQuery } from '#web/validation/read-query.js';
import type { ListedTenant } from '../parts/tenant-links.js';

/** Tenants that a search offers. */
const OFFERED = 10;
/** Accounts that are read for them: guests, and holders of passes, may come first. */
const READ = 100;

export interface FoundTenants {
  readonly tenants: readonly ListedTenant[];
  /** True if more match than are offered. */
  readonly hasMore: boolean;
}

interface Wanted {
  readonly location_id: string;
  readonly q: string;
  readonly isOffered: (tenant: ListedTenant) => boolean;
}

/** Accounts of a location that an operator finds by name, phone or PMS id: tenants, guests, and holders of passes. */
@Injectable()
export class TenantCandidates {
  constructor(
    private readonly tenants: TenantReads,
    private readonly everywhere: SearchEverywhere,
  ) {}

  /** @param q empty: finds nobody */
  async find({ location_id, q, isOffered }: Wanted, { principal }: OperatorContext): Promise<FoundTenants> {
    if (q === '') return { tenants: [], hasMore: false };
    const query = { ...validQuery(TenantSearchQuery, { q, location_id }), limit: READ };
    const { tenants, next_cursor } = await this.tenants.findTenants(query, principal);
    const offered = tenants.filter(isOffered);
    return { tenants: offered.slice(0, OFFERED), hasMore: next_cursor !== null || offered.length > OFFERED };
  }

  /** Adds the units that each of them rents. */
  withUnits<Tenant extends ListedTenant>(tenants: readonly Tenant[]) {
    return this.everywhere.withUnits(tenants);
  }
}
