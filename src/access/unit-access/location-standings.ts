import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../../companies/index.js';
import { Yielder, type Deadline } from '../../config/yielder.js';
import { CALENDAR } from '../../config/injection-tokens.js';
import { LocationDirectory } from '../../locations/index.js';
import type { UnitDocument } from '../../units/index.js';
import type { Calendar } from '../core/decision.js';
import { type Standing, standingOf } from '../core/policy.js';

/** Decides all units of a location from their own documents: to read the kept decisions as well takes twice as long. */
@Injectable()
export class LocationStandings {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /**
   * As of this instant, in the order of the units.
   * @param units all of the location: one decides about the others of its tenant
   * @param deadline of who asks: nothing goes on behind it
   * @throws StoreUnavailableError, GivenUpError
   */
  async of(location_id: string, units: readonly UnitDocument[], deadline?: Deadline): Promise<Standing[]> {
    const location = await this.locations.location(location_id);
    if (location === undefined) return [];
    const { policy, company_id } = location;
    const now = await this.clocks.now(company_id);
    const rented = byTenant(units);
    const yielder = new Yielder(deadline);
    const standings: Standing[] = [];
    for (const unit of units) {
      const siblings = rented.get(unit.tenancy?.tenant_id ?? '') ?? [];
      standings.push(standingOf({ unit, siblings, policy, now }, this.calendar));
      const pause = yielder.after(1);
      if (pause !== undefined) await pause;
    }
    return standings;
  }
}

function byTenant(units: readonly UnitDocument[]): Map<string, UnitDocument[]> {
  const rented = new Map<string, UnitDocument[]>();
  for (const unit of units) {
    if (unit.tenancy === null) continue;
    const known = rented.get(unit.tenancy.tenant_id);
    if (known === undefined) rented.set(unit.tenancy.tenant_id, [unit]);
    else known.push(unit);
  }
  return rented;
}
