import { Inject, Injectable } from '@nestjs/common';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import { MOST_CURES, presentUnit, TENANT_ACCESS, UnitAccess } from '#domain/access/index.js';
import { VIEWS } from '#kernel/injection-tokens.js';
import type { DocumentStore } from '#eventsourcing/documents/document-store.js';
import { type TenantAccount, TenantSessions } from '#domain/tenants/index.js';
import { hasUnit, shareOf, UnitDirectory } from '#domain/units/index.js';
import { CompanyClocks } from '#domain/companies/index.js';
import { KeysOutstanding } from '../keys-outstanding.js';

/** A tenant account as the operator sees it in a list. */
export function presentTenant(account: TenantAccount) {
  const { tenant_id, pms_tenant_id, company_id, location_id, name, email, phone } = account;
  return {
    tenant_id,
    pms_tenant_id,
    company_id,
    location_id,
    name,
    email,
    phone,
    created_at: toTimestamp(account.created_at),
    erased_at: timestampOrNull(account.erased_at),
  };
}

/** A tenant with units, shares, sessions and keys, for the operator (decisions §6). */
@Injectable()
export class OperatorTenantDetail {
  constructor(
    @Inject(VIEWS) private readonly views: DocumentStore,
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
    private readonly sessions: TenantSessions,
    private readonly keys: KeysOutstanding,
    private readonly clocks: CompanyClocks,
  ) {}

  async readDetail(account: TenantAccount) {
    const { tenant_id, company_id } = account;
    const now = await this.clocks.now(company_id);
    const [held, sessions, keys_outstanding] = await Promise.all([
      this.#units(tenant_id, now),
      this.sessions.listSessions(tenant_id),
      this.keys.ofTenant(account),
    ]);
    return {
      ...presentTenant(account),
      ...held,
      sessions: sessions.map(({ session_id, created_at, expires_at }) => ({
        session_id,
        created_at: toTimestamp(created_at),
        expires_at: toTimestamp(expires_at),
      })),
      keys_outstanding,
    };
  }

  /** The units that the tenant rents, and the units that others share with the tenant. */
  async #units(tenant_id: string, now: number) {
    const document = await (await this.views.collection(TENANT_ACCESS)).get(tenant_id);
    const unitsOf = async (wanted: string) => {
      const held = document?.units.filter(({ relationship }) => relationship === wanted) ?? [];
      const documents = await this.units.byStreams(held.map(({ stream }) => stream));
      const found = documents
        .filter((unit) => unit !== undefined)
        .filter((unit) => hasUnit(unit, tenant_id, now));
      const described = await this.access.describe(found, MOST_CURES);
      return { described, left: found.length - described.length };
    };
    const [units, shares] = await Promise.all([unitsOf('primary'), unitsOf('shared')]);
    const left = units.left + shares.left;
    return {
      units: units.described.map((one) => ({
        ...presentUnit(one),
        round_the_clock: one.unit.round_the_clock,
      })),
      ...(left > 0 && { units_left_out: left }),
      shares: shares.described.map((one) => ({
        ...presentUnit(one),
        round_the_clock: one.unit.round_the_clock,
        shared_until: timestampOrNull(shareOf(one.unit.shares, tenant_id)?.until ?? null),
      })),
    };
  }
}
