import { Injectable } from '@nestjs/common';
import type { Owners } from '#web/operator-access.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { PassDirectory } from '#domain/passes/index.js';
import { TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';

/** Finds the location or company of each id in paths and queries of the operator API. Every function throws StoreUnavailableError. */
@Injectable()
export class ThingOwners {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly tenants: TenantAccounts,
    private readonly passes: PassDirectory,
  ) {}

  readonly owners: Owners = {
    company_id: ['company_not_found', (company_id) => Promise.resolve({ company_id })],
    location_id: [
      'location_not_found',
      async (id) => {
        const location = await this.locations.location(id);
        return location && { company_id: location.company_id, location_id: location._id };
      },
    ],
    zone_id: ['zone_not_found', (id) => this.locations.zone(id)],
    entry_point_id: ['entry_point_not_found', (id) => this.locations.entryPoint(id)],
    lock_id: ['lock_not_found', (id) => this.locations.lock(id)],
    pass_id: ['pass_not_found', (id) => this.passes.pass(id)],
    unit_id: ['unit_not_found', async (id) => (isPossibleId(id) ? this.units.byUnitId(id) : undefined)],
    tenant_id: [
      'tenant_not_found',
      async (id) => (isPossibleId(id) ? (await this.tenants.byTenantId([id]))[0] : undefined),
    ],
  };
}
