import { Inject, Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { sharesZone } from '#domain/locations/index.js';
import { CALENDAR } from '#kernel/injection-tokens.js';
import type { Calendar } from '../core/decision.js';
import type { EntryPointReason } from '../core/entry-point.js';
import { isOpen } from '../core/policy.js';
import { answerHoldings } from './tenant-access.answer.js';
import { TenantHoldingsReader } from './tenant-holdings.reader.js';

/** An entry point that serves a unit's zones, and whether the unit's tenant may open it. */
export interface UnitGate {
  readonly entry_point_id: string;
  readonly name: string;
  readonly opens: boolean;
  /** Null if it opens. */
  readonly reason: EntryPointReason | null;
  /** Null if it is open, never opens, or if hours are not the reason. */
  readonly opens_at: string | null;
  /** The closing. Null if it is denied or never closes. */
  readonly closes_at: string | null;
  /** The names of the tenant's units that permit to open it. */
  readonly opened_by: readonly string[];
}

type TenantUnitIds = Readonly<Record<'unit_id' | 'tenant_id' | 'company_id' | 'location_id', string>>;

/** Lists the entry points of a unit's tenant. Decides like the tenant app's answer, without keys. */
@Injectable()
export class UnitGates {
  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /** The entry points that serve the unit's zones. @throws StoreUnavailableError */
  async findGates({ unit_id, tenant_id, company_id, location_id }: TenantUnitIds): Promise<UnitGate[]> {
    const holdings = await this.holdings.read({ id: tenant_id, location_id });
    const clock = await this.clocks.findClock(company_id);
    const { answer } = answerHoldings(holdings, clock, this.calendar);
    const zonesOf = new Map(holdings.units.map((unit) => [unit.unit_id, unit.zone_ids]));
    const isServed = (id: string, zones: readonly string[]) => sharesZone(zonesOf.get(id) ?? [], zones);
    return answer.entry_points
      .filter(({ zones }) => isServed(unit_id, zones))
      .map(({ entry_point_id, name, state, reason, opens_at, closes_at, zones }) => ({
        entry_point_id,
        name,
        opens: state === 'permitted',
        reason,
        opens_at,
        closes_at,
        opened_by: answer.units
          .filter((unit) => isOpen(unit) && isServed(unit.unit_id, zones))
          .map(({ unit_name }) => unit_name),
      }));
  }
}
