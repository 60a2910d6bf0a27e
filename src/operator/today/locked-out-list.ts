import { Injectable } from '@nestjs/common';
import type { DeniedUnit } from '../../access/index.js';
import { ActivityHistory, LockoutDays, presentLockedOutSince } from '../../history/index.js';
import { fromCents } from '../../http/validation/rules.js';
import type { LocationDocument } from '../../locations/index.js';
import { TenantAccounts } from '../../tenants/index.js';
import { UnitDirectory } from '../../units/index.js';
import { daysLate } from './days-late.js';

/** The newest reports of a unit that are searched for the last refusal. */
const REPORTS = 20;

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
    const [{ units, since }, accounts, refusals] = await Promise.all([
      this.#units(denied),
      this.accounts.byTenantId(denied.map(({ tenant_id }) => tenant_id)),
      Promise.all(denied.map(({ unit }) => this.#lastRefused(unit.unit_id))),
    ]);
    return denied.map(({ tenant_id, location_id, unit }, place) => {
      const { facts, crm_unit_id } = unit.subject;
      const location = locations.find(({ _id }) => _id === location_id)!;
      const account = accounts[place];
      return {
        unit_id: unit.unit_id,
        unit_name: units[place]?.unit_name ?? crm_unit_id,
        location_id,
        location_name: location.name,
        tenant_id,
        tenant_name: account?.name ?? account?.pms_tenant_id ?? null,
        phone: account?.phone ?? null,
        reason: unit.decision.reason,
        balance_due: fromCents(facts.balance_due),
        days_late: daysLate(facts, todayOf(location)),
        ...presentLockedOutSince(since.get(unit.unit_id)),
        last_refused_at: refusals[place] ?? null,
      };
    });
  }

  async #units(denied: readonly DeniedUnit[]) {
    const units = await this.units.byStreams(denied.map(({ unit }) => unit.stream));
    const lockedOut = denied.flatMap(({ unit: { decision } }, place) =>
      decision.state === 'tenant_denied' ? (units[place] ?? []) : [],
    );
    return { units, since: await this.lockouts.since(lockedOut) };
  }

  async #lastRefused(unit_id: string): Promise<string | undefined> {
    const { entries } = await this.activity.ofUnit(unit_id, { limit: REPORTS });
    return entries.find(({ result }) => result === 'failure')?.occurred_at;
  }
}
