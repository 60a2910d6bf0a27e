import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '../../companies/index.js';
import { CALENDAR } from '../../config/injection-tokens.js';
import type { Calendar } from '../core/decision.js';
import { answerOf } from './tenant-access.answer.js';
import { TenantHoldingsReader } from './tenant-holdings.reader.js';

/** A gate, door or elevator that a unit lies behind, and whether the unit's tenant may pass it. */
export interface UnitGate {
  readonly entry_point_id: string;
  readonly name: string;
  readonly opens: boolean;
  readonly in_service: boolean;
  /** Names of the tenant's units that open it. */
  readonly opened_by: readonly string[];
}

type TenantUnitIds = Readonly<Record<'unit_id' | 'tenant_id' | 'company_id' | 'location_id', string>>;

/** Tells which gates the tenant of a unit may pass. It decides as the tenant's app is answered, and makes no key. */
@Injectable()
export class UnitGates {
  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /** The gates that serve the zones of a unit that the tenant rents. @throws StoreUnavailableError */
  async of({ unit_id, tenant_id, company_id, location_id }: TenantUnitIds): Promise<UnitGate[]> {
    const holdings = await this.holdings.read({ id: tenant_id, location_id });
    const answer = answerOf(holdings, await this.clocks.of(company_id), this.calendar);
    const zonesOf = new Map(holdings.units.map((unit) => [unit.unit_id, unit.zone_ids]));
    const lieBehind = (id: string, zones: readonly string[]) =>
      (zonesOf.get(id) ?? []).some((zone_id) => zones.includes(zone_id));
    return answer.entry_points
      .filter(({ zones }) => lieBehind(unit_id, zones))
      .map(({ entry_point_id, name, state, would_have_access, zones }) => ({
        entry_point_id,
        name,
        opens: state === 'permitted',
        in_service: would_have_access,
        opened_by: answer.units
          .filter((unit) => unit.state === 'tenant_permitted' && lieBehind(unit.unit_id, zones))
          .map(({ unit_name }) => unit_name),
      }));
  }
}
