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

type TenantIds = Readonly<Record<'tenant_id' | 'company_id' | 'location_id', string>>;
type TenantUnitIds = TenantIds & { readonly unit_id: string };

/** Lists the entry points of a tenant. Decides like the tenant app's answer, without keys. */
@Injectable()
export class UnitGates {
  constructor(
    private readonly holdings: TenantHoldingsReader,
    private readonly clocks: CompanyClocks,
    @Inject(CALENDAR) private readonly calendar: Calendar,
  ) {}

  /** The entry points that serve the unit's zones. @throws StoreUnavailableError */
  async findGates({ unit_id, ...tenant }: TenantUnitIds): Promise<UnitGate[]> {
    const gates = await this.#decide(tenant);
    return gates.filter(({ unit_ids }) => unit_ids.includes(unit_id)).map(({ gate }) => gate);
  }

  /** The entry points that serve any unit which the tenant rents or shares. @throws StoreUnavailableError */
  async findGatesOfTenant(tenant: TenantIds): Promise<UnitGate[]> {
    const gates = await this.#decide(tenant);
    return gates.filter(({ unit_ids }) => unit_ids.length > 0).map(({ gate }) => gate);
  }

  /** Each entry point with the units of the tenant that it serves. */
  async #decide({ tenant_id, company_id, location_id }: TenantIds) {
    const holdings = await this.holdings.read({ id: tenant_id, location_id });
    const clock = await this.clocks.findClock(company_id);
    const { answer } = answerHoldings(holdings, clock, this.calendar);
    const zonesOf = new Map(holdings.units.map((unit) => [unit.unit_id, unit.zone_ids]));
    const isServed = (id: string, zones: readonly string[]) => sharesZone(zonesOf.get(id) ?? [], zones);
    return answer.entry_points.map(({ entry_point_id, name, state, reason, opens_at, closes_at, zones }) => {
      const served = answer.units.filter(({ unit_id }) => isServed(unit_id, zones));
      const opened_by = served.filter(isOpen).map(({ unit_name }) => unit_name);
      const opens = state === 'permitted';
      const gate: UnitGate = { entry_point_id, name, opens, reason, opens_at, closes_at, opened_by };
      return { gate, unit_ids: served.map(({ unit_id }) => unit_id) };
    });
  }
}
