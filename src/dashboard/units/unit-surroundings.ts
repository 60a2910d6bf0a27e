import { Injectable } from '@nestjs/common';
import { type CompanyClock, CompanyClocks } from '../../companies/index.js';
import type { ActivityEntry } from '../../history/index.js';
import { LocationsController } from '../../operator/index.js';
import { type Names, ThingNames } from '../names/thing-names.js';

/** What is around a unit: what the time is there, and what its location has to put on it. */
@Injectable()
export class UnitSurroundings {
  constructor(
    private readonly locations: LocationsController,
    private readonly clocks: CompanyClocks,
    private readonly names: ThingNames,
  ) {}

  /** The company's, by which the unit's events are told: a sandbox has one of its own (docs/adr/0010). */
  async clock(location_id: string): Promise<CompanyClock> {
    const { company_id } = (await this.locations.one(location_id)).data;
    return this.clocks.of(company_id);
  }

  /** Of the tenants whose apps reported. */
  tenantNames(reports: readonly Pick<ActivityEntry, 'tenant_id'>[]): Promise<Names> {
    return this.names.tenants(reports.map(({ tenant_id }) => tenant_id));
  }

  async freeLocks(location_id: string) {
    return (await this.locations.locks(location_id)).data.locks.filter(({ unit_id }) => unit_id === null);
  }

  async zones(location_id: string) {
    return (await this.locations.zones(location_id)).data.zones;
  }
}
