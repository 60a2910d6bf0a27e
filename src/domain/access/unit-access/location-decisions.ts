import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { Yielder, type Deadline } from '#kernel/yielder.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import { LocationDirectory } from '#domain/locations/index.js';
import type { UnitDocument } from '#domain/units/index.js';
import type { Calendar } from '../core/decision.js';
import { type ShortDecision, shortDecision } from '../core/policy.js';

/** Decides all units of a location from their documents. Reading the stored decisions too would take twice as long. */
@Injectable()
export class LocationDecisions {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * Decides at this instant. Answers in the order of `units`.
   * @param units all units of the location, because a tenant's units decide about each other
   * @param deadline the caller's; the work stops there
   * @throws StoreUnavailableError, GivenUpError, and Error without the location
   */
  async decideUnits(
    location_id: string,
    units: readonly UnitDocument[],
    deadline?: Deadline,
  ): Promise<ShortDecision[]> {
    const location = await this.locations.location(location_id);
    if (location === undefined) throw new Error(`The views do not contain the location ${location_id}.`);
    const { policy, company_id } = location;
    const now = await this.clocks.now(company_id);
    const rented = new Map<string, UnitDocument[]>();
    for (const unit of units) {
      if (unit.tenancy === null) continue;
      const { tenant_id } = unit.tenancy;
      rented.set(tenant_id, rented.get(tenant_id) ?? []);
      rented.get(tenant_id)!.push(unit);
    }
    const yielder = new Yielder(deadline);
    const decisions: ShortDecision[] = [];
    for (const unit of units) {
      const siblings = unit.tenancy === null ? [] : rented.get(unit.tenancy.tenant_id)!;
      decisions.push(shortDecision({ unit, siblings, policy, now }, this.calendar));
      const pause = yielder.after(1);
      if (pause !== undefined) await pause;
    }
    return decisions;
  }
}
