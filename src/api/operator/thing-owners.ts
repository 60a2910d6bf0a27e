import { Injectable } from '@nestjs/common';
import type { Owners } from '#web/operator-access.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';

/** Finds the company of each id in paths and queries of the operator API. Every function throws StoreUnavailableError. */
@Injectable()
export class ThingOwners {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly tenants: TenantAccounts,
  ) {}

  readonly owners: Owners = {
    company_id: ['company_not_found', (id) => Promise.resolve(id)],
    location_id: ['location_not_found', async (id) => (await this.locations.location(id))?.company_id],
    zone_id: ['zone_not_found', async (id) => (await this.locations.zone(id))?.company_id],
    entry_point_id: [
      'entry_point_not_found',
      async (id) => (await this.locations.entryPoint(id))?.company_id,
    ],
    lock_id: ['lock_not_found', async (id) => (await this.locations.lock(id))?.company_id],
    unit_id: [
      'unit_not_found',
      async (id) => (isPossibleId(id) ? (await this.units.byUnitId(id))?.company_id : undefined),
    ],
    tenant_id: [
      'tenant_not_found',
      async (id) => (isPossibleId(id) ? (await this.tenants.byTenantId([id]))[0]?.company_id : undefined),
    ],
  };
}
