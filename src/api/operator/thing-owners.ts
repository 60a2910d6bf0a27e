import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Owner } from '#kernel/principals.js';
import type { Owners } from '#web/operator-access.js';
import { isPossibleId } from '#kernel/possible-id.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { PassDirectory } from '#domain/passes/index.js';
import { isPassHolderId, type TenantAccount, TenantAccounts } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';

/** No key of a pass lasts longer. */
const KEYS_OF_PASSES_MS = 60 * 60_000;

/** Finds the location or company of each id in paths and queries of the operator API. Every function throws StoreUnavailableError. */
@Injectable()
export class ThingOwners {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly units: UnitDirectory,
    private readonly tenants: TenantAccounts,
    private readonly passes: PassDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  readonly owners: Owners = {
    company_id: ['company_not_found', (company_id) => Promise.resolve({ company_id })],
    location_id: [
      'location_not_found',
      async (id) => {
        const location = await this.locations.location(id);
        return location && { company_id: location.company_id, location_id: location._id };
      },
    ],
    zone_id: ['zone_not_found', (id) => this.locations.zone(id)],
    entry_point_id: ['entry_point_not_found', (id) => this.locations.entryPoint(id)],
    lock_id: ['lock_not_found', (id) => this.locations.lock(id)],
    pass_id: ['pass_not_found', (id) => this.passes.pass(id)],
    unit_id: ['unit_not_found', async (id) => (isPossibleId(id) ? this.units.byUnitId(id) : undefined)],
    tenant_id: [
      'tenant_not_found',
      async (id) => {
        const [account] = isPossibleId(id) ? await this.tenants.byTenantId([id]) : [];
        return account && this.#ownerOfAccount(account);
      },
    ],
  };

  /**
   * Whoever holds passes has one account a company. Where these are of several sites, it is the company's: another phone or an
   * erasure would change who opens the other sites.
   */
  async #ownerOfAccount(account: TenantAccount): Promise<Owner> {
    const { tenant_id, company_id, location_id, pms_tenant_id } = account;
    if (!isPassHolderId(pms_tenant_id)) return account;
    const since = (await this.clocks.now(company_id)) - KEYS_OF_PASSES_MS;
    const held = await this.passes.heldSince(tenant_id, since);
    return held.every((pass) => pass.location_id === location_id) ? account : { company_id };
  }
}
