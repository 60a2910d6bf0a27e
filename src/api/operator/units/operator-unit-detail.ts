import { Injectable } from '@nestjs/common';
import { isLockedOut, presentOverride, presentExplainedUnit, UnitAccess } from '#domain/access/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { LockoutDays, presentLockedOutSince } from '#domain/history/index.js';
import { LocationDirectory, type MountedLock } from '#domain/locations/index.js';
import { type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import {
  isOfferLocked,
  openOffers,
  type ShareOffer,
  sharesInForce,
  type UnitDocument,
} from '#domain/units/index.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { KeysOutstanding } from '../keys-outstanding.js';

/** A unit with its locks, zones, keys, tenant and shares, for the operator (decisions §6). */
@Injectable()
export class OperatorUnitDetail {
  constructor(
    private readonly access: UnitAccess,
    private readonly locations: LocationDirectory,
    private readonly tenants: TenantAccounts,
    private readonly keys: KeysOutstanding,
    private readonly clocks: CompanyClocks,
    private readonly lockouts: LockoutDays,
  ) {}

  async readDetail(unit: UnitDocument) {
    const now = await this.clocks.now(unit.company_id);
    const [[described], { locks, zones }, people] = await Promise.all([
      this.access.describe([unit]),
      this.#equipment(unit),
      this.#people(unit, now),
    ]);
    const since = isLockedOut(described!.decision) ? await this.lockouts.since([unit]) : undefined;
    return {
      ...presentExplainedUnit(described!),
      ...presentLockedOutSince(since?.get(unit.unit_id)),
      company_id: unit.company_id,
      round_the_clock: unit.round_the_clock,
      retired: unit.retired,
      override: presentOverride(unit.override, now),
      locks,
      other_keys_outstanding: await this.keys.ofUnit(
        unit,
        locks.map(({ lock_id }) => lock_id),
      ),
      zones,
      ...people,
    };
  }

  async #equipment({ unit_id, location_id, company_id }: UnitDocument) {
    const [[zonesAndLocks], location] = await Promise.all([
      this.locations.zonesAndLocks([unit_id]),
      this.locations.location(location_id),
    ]);
    const names = new Map(location?.zones.map(({ zone_id, name }) => [zone_id, name]));
    const zones = (zonesAndLocks?.zone_ids ?? []).map((zone_id) => ({
      zone_id,
      name: names.get(zone_id) ?? null,
    }));
    return { zones, locks: await this.#locks(zonesAndLocks?.locks ?? [], company_id) };
  }

  /** Each lock with the keys that still open it. A denial does not end a key that was given out before. */
  async #locks(locks: readonly MountedLock[], company_id: string) {
    const keys = await this.keys.toLocks(
      locks.map(({ lock_id }) => lock_id),
      company_id,
    );
    return locks.map((lock, index) => ({ ...lock, keys_outstanding: keys[index]! }));
  }

  async #people({ tenancy, shares, offers }: UnitDocument, now: number) {
    const inForce = sharesInForce(shares, now);
    const offered = openOffers(offers, now);
    const holders = [...(tenancy === null ? [] : [tenancy]), ...inForce, ...offered];
    const found = await this.tenants.byTenantId(holders.map(({ tenant_id }) => tenant_id));
    const accounts = new Map(
      found.flatMap((account) => (account === undefined ? [] : [[account.tenant_id, account] as const])),
    );
    const tenant = tenancy === null ? undefined : accounts.get(tenancy.tenant_id);
    return {
      tenant: tenant === undefined ? null : presentTenant(tenant),
      shares: inForce.flatMap(({ tenant_id, until, share_id = null }) => {
        const account = accounts.get(tenant_id);
        if (account === undefined) return [];
        return [{ ...presentTenant(account), until: timestampOrNull(until), share_id }];
      }),
      invitations: offered.flatMap((offer) => {
        const account = accounts.get(offer.tenant_id);
        return account === undefined ? [] : [presentInvitation(offer, account)];
      }),
    };
  }
}

function presentInvitation(offer: ShareOffer, account: TenantAccount) {
  const { share_id, until, expires_at } = offer;
  const ends = { until: toTimestamp(until), accept_by: toTimestamp(expires_at) };
  return { ...presentTenant(account), share_id, ...ends, locked: isOfferLocked(offer) };
}

function presentTenant({ tenant_id, pms_tenant_id, name, email, phone }: TenantAccount) {
  return { tenant_id, pms_tenant_id, name, email, phone };
}
