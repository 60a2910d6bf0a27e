import { Injectable } from '@nestjs/common';
import type { DeniedUnit } from '../../access/index.js';
import { ActivityHistory, LockoutDays, presentLockedOutSince } from '../../history/index.js';
import { fromCents } from '../../http/validation/rules.js';
import type { LocationDocument } from '../../locations/index.js';
import { isRefusal } from '../../locks/index.js';
import { TenantAccounts } from '../../tenants/index.js';
import { UnitDirectory } from '../../units/index.js';
import { daysLate } from './days-late.js';

/** The newest reports that are searched for a tenant's last refusal. Everybody's are at a gate. */
const SEARCHED = { unit: { limit: 20 }, gate: { limit: 100 } } as const;

/** Describes units that are locked out or in auction, with the tenant's phone number, the balance and the days late. */
@Injectable()
export class LockedOutList {
  constructor(
    private readonly units: UnitDirectory,
    private readonly accounts: TenantAccounts,
    private readonly activity: ActivityHistory,
    private readonly lockouts: LockoutDays,
  ) {}

  /** @param todayOf returns the local date at a location @throws StoreUnavailableError */
  async of(
    denied: readonly DeniedUnit[],
    locations: readonly LocationDocument[],
    todayOf: (location: LocationDocument) => string,
  ) {
    const [{ units, since }, accounts, refused] = await Promise.all([
      this.#units(denied),
      this.accounts.byTenantId(denied.map(({ tenant_id }) => tenant_id)),
      this.#lastRefused(denied, locations),
    ]);
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
        days_late: daysLate(facts, todayOf(location)),
        ...presentLockedOutSince(since.get(unit.unit_id)),
        last_refused_at: refused.get(tenant_id) ?? null,
      };
    });
  }

  async #units(denied: readonly DeniedUnit[]) {
    const units = await this.units.byStreams(denied.map(({ unit }) => unit.stream));
    const lockedOut = denied.flatMap(({ unit: { decision } }, index) =>
      decision.state === 'tenant_denied' ? (units[index] ?? []) : [],
    );
    return { units, since: await this.lockouts.since(lockedOut) };
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
      ...denied.map(({ unit }) => this.activity.ofUnit(unit.unit_id, SEARCHED.unit)),
      ...gates.map(({ entry_point_id }) => this.activity.ofEntryPoint(entry_point_id, SEARCHED.gate)),
    ]);
    const refused = pages.flatMap(({ entries }) => entries.filter((one) => isRefusal(one.failure_code)));
    refused.sort((one, other) => (one.occurred_at < other.occurred_at ? -1 : 1));
    return new Map(refused.map(({ tenant_id, occurred_at }) => [tenant_id, occurred_at]));
  }
}
