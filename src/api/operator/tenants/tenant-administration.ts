import { Injectable } from '@nestjs/common';
import { errorOf, invalidField } from '#kernel/errors/api-error.js';
import { RESERVED_TENANT } from '#api/push/index.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { OperatorContext } from '#web/request-context.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { PassesOfErased } from '#domain/passes/index.js';
import {
  ForcedLogout,
  FOREIGN_TEST_NUMBER,
  isOwnId,
  OwnAccounts,
  SandboxPhones,
  type TenantAccount,
  TenantAccounts,
  TenantDetailsWrites,
  TenantErasure,
} from '#domain/tenants/index.js';
import type { UnitDocument } from '#domain/units/index.js';
import { SharesOfErased } from './shares-of-erased.js';
import type { NewTenant, TenantChange } from './operator-tenants.dto.js';

interface WrittenTenant {
  readonly tenant_id: string;
}

/** What operators do to accounts of tenants (decisions §6). */
@Injectable()
export class TenantAdministration {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly details: TenantDetailsWrites,
    private readonly ownAccounts: OwnAccounts,
    private readonly erasure: TenantErasure,
    private readonly logout: ForcedLogout,
    private readonly locations: LocationDirectory,
    private readonly phones: SandboxPhones,
    private readonly shares: SharesOfErased,
    private readonly passes: PassesOfErased,
  ) {}

  /** @throws ApiError 404, 422 */
  async createTenant(location_id: string, body: NewTenant, context: OperatorContext): Promise<WrittenTenant> {
    const location = await this.locations.location(location_id);
    if (!location) throw errorOf('location_not_found');
    const { pms_tenant_id, ...details } = body;
    if (isOwnId(pms_tenant_id)) throw invalidField('pms_tenant_id', 'not_allowed', RESERVED_TENANT);
    await this.#assertPhone(location.company_id, details.phone);
    const key = { company_id: location.company_id, location_id, pms_tenant_id };
    const outcome = await this.details.create({ ...details, key }, context);
    if (outcome.kind === 'taken') {
      throw invalidField('pms_tenant_id', 'taken', 'The pms tenant id has already been taken.');
    }
    return { tenant_id: outcome.account.tenant_id };
  }

  /** The tenant of the location with the phone, or a new one whom no PMS names. @throws ApiError 422 */
  async findOrCreateByHand(
    place: Pick<UnitDocument, 'company_id' | 'location_id'>,
    person: { readonly name: string; readonly phone: string },
    context: OperatorContext,
  ): Promise<TenantAccount> {
    await this.#assertPhone(place.company_id, person.phone);
    return this.ownAccounts.findOrCreateByHand({ place, ...person }, context);
  }

  /** @throws ApiError 404, 422 */
  async changeTenant(
    tenant_id: string,
    body: TenantChange,
    context: OperatorContext,
  ): Promise<WrittenTenant> {
    const [account] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (!account) throw errorOf('tenant_not_found');
    const { pms_tenant_id = account.pms_tenant_id, ...details } = body;
    if (pms_tenant_id !== account.pms_tenant_id) {
      throw invalidField('pms_tenant_id', 'not_allowed', 'The pms tenant id field cannot be changed.');
    }
    await this.#assertPhone(account.company_id, details.phone);
    await this.details.change(tenant_id, details, context);
    return { tenant_id };
  }

  /** @throws ApiError 404 */
  async endSessions(tenant_id: string, context: OperatorContext): Promise<WrittenTenant> {
    const isKnown = isPossibleId(tenant_id) && (await this.logout.signOut(tenant_id, context));
    if (!isKnown) throw errorOf('tenant_not_found');
    return { tenant_id };
  }

  /** Shares with the person and their passes end, too. @throws ApiError 404, 409 */
  async eraseTenant(tenant_id: string, context: OperatorContext): Promise<WrittenTenant> {
    const isKnown = isPossibleId(tenant_id) && (await this.erasure.erase(tenant_id, context));
    if (!isKnown) throw errorOf('tenant_not_found');
    await this.shares.endShares(tenant_id, context);
    await this.passes.endPasses(tenant_id, context);
    return { tenant_id };
  }

  /** @throws ApiError 422 */
  async #assertPhone(company_id: string, phone: string | null | undefined): Promise<void> {
    if (phone === null || phone === undefined || (await this.phones.mayRecord(company_id, phone))) return;
    throw invalidField('phone', 'not_allowed', FOREIGN_TEST_NUMBER);
  }
}
