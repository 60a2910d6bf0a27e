import { Injectable } from '@nestjs/common';
import type { DeniedUnit } from '#domain/access/index.js';
import { ActivityHistory, LockoutDays, presentLockedOutSince } from '#domain/history/index.js';
import { fromCents } from '#kernel/money.js';
import type { LocationDocument } from '#domain/locations/index.js';
import { isRefusal } from '#domain/locks/index.js';
import { type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory, type UnitDocument } from '#domain/units/index.js';
import type { HoldingCalls } from './called-tenants.js';
import { daysLate } from './days-late.js';

/** The newest reports that are searched for a tenant's last refusal. Everybody's are at a gate. */
const SEARCHED = { unit: { limit: 20 }, gate: { limit: 100 } } as const;

/** The local date at a location. */
type TodayOf = (location: LocationDocument) => string;

/** Describes units that are locked out or in auction, with the tenant's phone number, the balance and the days late. */
@Injectable()
export class LockedOutList {
  constructor(
    private readonly units: UnitDirectory,
    private readonly accounts: TenantAccounts,
    private readonly activity: ActivityHistory,
    private readonly lockouts: LockoutDays,
  ) {}

  /** Units that a check denies, which is their reason. @throws StoreUnavailableError */
  async listLockedOut(
    denied: readonly DeniedUnit[],
    locations: readonly LocationDocument[],
    todayOf: TodayOf,
    calls: HoldingCalls,
  ) {
    const units = await this.#unitsOf(denied);
    const accounts = await this.accounts.byTenantId(denied.map(({ tenant_id }) => tenant_id));
    const [rows, since] = await Promise.all([
      this.#describe(denied, units, accounts, locations, todayOf),
      this.lockouts.since(units.filter((unit) => unit !== undefined)),
    ]);
    return rows.map((row) => ({
      ...row,
      reason: row.reason!,
      called: calls.get(row.tenant_id) ?? null,
      ...presentLockedOutSince(since.get(row.unit_id)),
    }));
  }

  /** @throws StoreUnavailableError */
  async listInAuction(
    denied: readonly DeniedUnit[],
    locations: readonly LocationDocument[],
    todayOf: TodayOf,
  ) {
    const accounts = await this.accounts.byTenantId(denied.map(({ tenant_id }) => tenant_id));
    return this.#describe(denied, await this.#unitsOf(denied), accounts, locations, todayOf);
  }

  #unitsOf(denied: readonly DeniedUnit[]) {
    return this.units.byStreams(denied.map(({ unit }) => unit.stream));
  }

  async #describe(
    denied: readonly DeniedUnit[],
    units: readonly (UnitDocument | undefined)[],
    accounts: readonly (TenantAccount | undefined)[],
    locations: readonly LocationDocument[],
    todayOf: TodayOf,
  ) {
    const refused = await this.#lastRefused(denied, locations);
    return denied.map(({ tenant_id, location_id, unit }, index) => {
      const { facts, crm_unit_id } = unit.subject;
      const location = locations.find(({ _id }) => _id === location_id)!;
      const account = accounts[index];
      return {
        unit_id: unit.unit_id,
        unit_name: units[index]?.unit_name ?? crm_unit_id,
        location_id,
        location_name: location.name,
        tenant_id,
        tenant_name: account?.name ?? account?.pms_tenant_id ?? null,
        phone: account?.phone ?? null,
        reason: unit.decision.reason,
        balance_due: fromCents(facts.balance_due),
        currency: location.currency,
        days_late: daysLate(facts, todayOf(location)),
        last_refused_at: refused.get(tenant_id) ?? null,
      };
    });
  }

  /** The last refusal of each tenant at a lock of these units or at a gate of their location, by `tenant_id`. */
  async #lastRefused(
    denied: readonly DeniedUnit[],
    locations: readonly LocationDocument[],
  ): Promise<ReadonlyMap<string, string>> {
    const gates = locations
      .filter(({ _id }) => denied.some(({ location_id }) => location_id === _id))
      .flatMap(({ entry_points }) => entry_points);
    const pages = await Promise.all([
      ...denied.map(({ unit }) => this.activity.listOfUnit(unit.unit_id, SEARCHED.unit)),
      ...gates.map(({ entry_point_id }) => this.activity.listOfEntryPoint(entry_point_id, SEARCHED.gate)),
    ]);
    const refused = pages.flatMap(({ entries }) => entries.filter((one) => isRefusal(one.failure_code)));
    refused.sort((one, other) => (one.occurred_at < other.occurred_at ? -1 : 1));
    return new Map(refused.map(({ tenant_id, occurred_at }) => [tenant_id, occurred_at]));
  }
}
