import { Injectable } from '@nestjs/common';
import { type CompanyClock, CompanyClocks } from '../../companies/index.js';
import { LocationsController } from '../../operator/index.js';

/** What is around a unit: what the time is there, and what its location has to put on it. */
@Injectable()
export class UnitSurroundings {
  constructor(
    private readonly locations: LocationsController,
    private readonly clocks: CompanyClocks,
  ) {}

  /** The company's, by which the unit's events are told: a sandbox has one of its own (docs/adr/0010). */
  async clock(location_id: string): Promise<CompanyClock> {
    const { company_id } = (await this.locations.one(location_id)).data!;
    return this.clocks.of(company_id);
  }

  async freeLocks(location_id: string) {
    return (await this.locations.locks(location_id)).data!.locks.filter(({ unit_id }) => unit_id === null);
  }

  async zones(location_id: string) {
    return (await this.locations.zones(location_id)).data!.zones;
  }
}
