import { Inject, Injectable } from '@nestjs/common';
import { timestampOrNull } from '../../config/clock.js';
import { MOST_CURES, presentUnit, TENANT_ACCESS, UnitAccess } from '../../access/index.js';
import { VIEWS } from '../../config/injection-tokens.js';
import type { DocumentStore } from '../../documents/document-store.js';
import { type TenantAccount, TenantSessions } from '../../tenants/index.js';
import { UnitDirectory } from '../../units/index.js';
import { KeysOutstanding } from '../keys-outstanding.js';

/** A tenant account as the operator sees it in a list. */
export function presentTenant(account: TenantAccount) {
  const { tenant_id, pms_tenant_id, company_id, location_id, name, email, phone } = account;
  return {
    ...{ tenant_id, pms_tenant_id, company_id, location_id, name, email, phone },
    created_at: timestampOrNull(account.created_at),
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
  ) {}

  async of(account: TenantAccount) {
    const { tenant_id } = account;
    const [held, sessions, keys_outstanding] = await Promise.all([
      this.#units(tenant_id),
      this.sessions.of(tenant_id),
      this.keys.ofTenant(account),
    ]);
    return {
      ...presentTenant(account),
      ...held,
      sessions: sessions.map(({ session_id, created_at, expires_at }) => ({
        session_id,
        created_at: timestampOrNull(created_at),
        expires_at: timestampOrNull(expires_at),
      })),
      keys_outstanding,
    };
  }

  /** The units that the tenant rents, and the units that others share with the tenant. */
  async #units(tenant_id: string) {
    const document = await (await this.views.collection(TENANT_ACCESS)).get(tenant_id);
    const unitsOf = async (wanted: string) => {
      const held = document?.units.filter(({ relationship }) => relationship === wanted) ?? [];
      const found = await this.units.byStreams(held.map(({ stream }) => stream));
      const described = await this.access.describe(
        found.filter((unit) => unit !== undefined),
        MOST_CURES,
      );
      return { shown: described.map((unit) => presentUnit(unit, false)), total: found.length };
    };
    const [units, shares] = await Promise.all([unitsOf('primary'), unitsOf('shared')]);
    const left = units.total + shares.total - units.shown.length - shares.shown.length;
    return { units: units.shown, ...(left > 0 && { units_left_out: left }), shares: shares.shown };
  }
}
