import { Injectable } from '@nestjs/common';
import { PassReads, type TenantReads } from '#api/operator/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import { isOfferLocked, openOffers, sharesInForce, UnitDirectory } from '#domain/units/index.js';
import type { ResultOf } from '#kernel/result-of.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';

type Tenant = ResultOf<TenantReads['readTenant']>;

interface SharedUnit {
  readonly unit_id: string;
  readonly unit_name: string;
}

/** Of a unit that the tenant rents. */
export type GivenShare = SharedUnit & {
  readonly with: Pick<TenantAccount, 'tenant_id' | 'name' | 'pms_tenant_id'>;
} & (
    | {
        readonly kind: 'share';
        /** Null: until somebody ends it. */
        readonly until: string | null;
        /** False: the tenant did, in the app. */
        readonly byStaff: boolean;
      }
    | { readonly kind: 'invitation'; readonly until: string; readonly accept_by: string }
    /** Five wrong codes were entered. */
    | { readonly kind: 'locked_invitation'; readonly until: string }
  );

/** Reads what a tenant shares, from whom others' units are, and the passes that the account holds. */
@Injectable()
export class TenantSharesReader {
  constructor(
    private readonly units: UnitDirectory,
    private readonly accounts: TenantAccounts,
    private readonly passes: PassReads,
    private readonly clocks: CompanyClocks,
  ) {}

  /** Only of the tenant's site. @throws StoreUnavailableError */
  async read(tenant: Tenant) {
    const { tenant_id, company_id, location_id } = tenant;
    const unit_ids = [...tenant.units, ...tenant.shares].map((unit) => unit.unit_id);
    const [found, now, held] = await Promise.all([
      this.units.byUnitIds(unit_ids),
      this.clocks.now(company_id),
      this.passes.listOfHolder(tenant),
    ]);
    const units = found.filter((unit) => unit.location_id === location_id);
    const own = units.filter(({ tenancy }) => tenancy?.tenant_id === tenant_id);
    const guests = own.flatMap(({ shares, offers }) => [
      ...sharesInForce(shares, now),
      ...openOffers(offers, now),
    ]);
    const givers = units.flatMap(({ tenancy }) => tenancy ?? []);
    const ids = [...new Set([...guests, ...givers].map((one) => one.tenant_id))];
    const accounts = await this.accounts.byTenantId(ids);
    const byId = new Map(accounts.flatMap((one) => (one === undefined ? [] : [[one.tenant_id, one]])));
    const given = own.flatMap(({ unit_id, unit_name, shares, offers }): GivenShare[] => [
      ...sharesInForce(shares, now).flatMap((share) => {
        const person = byId.get(share.tenant_id);
        if (person === undefined) return [];
        const byStaff = share.share_id === undefined;
        const until = timestampOrNull(share.until);
        return { kind: 'share' as const, unit_id, unit_name, with: person, until, byStaff };
      }),
      ...openOffers(offers, now).flatMap((offer) => {
        const person = byId.get(offer.tenant_id);
        if (person === undefined) return [];
        const [until, accept_by] = [offer.until, offer.expires_at].map(toTimestamp) as [string, string];
        const common = { unit_id, unit_name, with: person, until };
        if (isOfferLocked(offer)) return { kind: 'locked_invitation' as const, ...common };
        return { kind: 'invitation' as const, ...common, accept_by };
      }),
    ]);
    const giverOf = new Map(
      units.map(({ unit_id, tenancy }) => [unit_id, byId.get(tenancy?.tenant_id ?? '') ?? null] as const),
    );
    return {
      given,
      received: tenant.shares.map((unit) => ({ ...unit, tenant: giverOf.get(unit.unit_id) ?? null })),
      passes: held.filter((pass) => pass.location_id === location_id),
    };
  }
}
