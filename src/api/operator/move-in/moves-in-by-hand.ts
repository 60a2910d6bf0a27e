import { Injectable } from '@nestjs/common';
import {
  byHandId,
  isOwnId,
  OwnAccounts,
  type TenantAccount,
  TenantAccounts,
  type TenantKey,
} from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { errorOf } from '#kernel/errors/api-error.js';
import { isPossibleId } from '#kernel/possible-id.js';
import type { OperatorContext } from '#web/request-context.js';
import { found } from '../facility.refusals.js';
import { TenantAdministration } from '../tenants/tenant-administration.js';
import { presentTenant } from '../tenants/operator-tenant-detail.js';
import type { LeaseBody, PersonMoveInBody } from './move-in.dto.js';
import { StandaloneUnitWrites } from '../units/standalone-unit-writes.js';

export type MoveInByHand =
  | { readonly kind: 'moved_in' }
  /** Nothing was written: the number is that of these tenants of the location, oldest first. */
  | { readonly kind: 'known'; readonly tenants: readonly [KnownTenant, ...KnownTenant[]] };

export type KnownTenant = ReturnType<typeof presentTenant>;

/** Moves people in whom no PMS names (decisions §6). */
@Injectable()
export class MovesInByHand {
  constructor(
    private readonly units: UnitDirectory,
    private readonly accounts: TenantAccounts,
    private readonly ownAccounts: OwnAccounts,
    private readonly tenants: TenantAdministration,
    private readonly standalone: StandaloneUnitWrites,
  ) {}

  /**
   * Moves somebody new in. Nobody moves in while a tenant of the location has the number: the caller asks whether that tenant
   * is meant, and calls `moveKnownIn`. A move-in that would be refused makes no tenant.
   * The tenant of a unit that is let meanwhile stays.
   * @throws ApiError 404, 409, 422
   */
  async moveIn(
    unit_id: string,
    { name, phone, ...lease }: PersonMoveInBody,
    context: OperatorContext,
  ): Promise<MoveInByHand> {
    const unit = found(await this.units.byUnitId(unit_id), 'unit_not_found');
    const newcomer = byHandId(context.command_id);
    const isMeant = ({ pms_tenant_id }: Pick<TenantKey, 'pms_tenant_id'>) =>
      // A form that is sent twice finds its own tenant in the unit.
      [newcomer, unit.facts.pms_tenant_id].includes(pms_tenant_id);
    const known = await this.ownAccounts.listTenants(unit, phone);
    const meant = known.find(isMeant);
    if (meant === undefined && known.length > 0) return knownAs(known);
    if (meant === undefined && !context.recovering)
      await this.standalone.rehearseMoveIn(unit_id, { ...lease, pms_tenant_id: newcomer }, context);
    const tenant = meant ?? (await this.tenants.findOrCreateByHand(unit, { name, phone }, context));
    if (!isMeant(tenant)) return knownAs([tenant]);
    await this.standalone.moveIntoVacant(unit_id, { ...lease, pms_tenant_id: tenant.pms_tenant_id }, context);
    return { kind: 'moved_in' };
  }

  /** Moves a tenant of the location in. Guests and holders of passes are none. @throws ApiError 404, 409, 422 */
  async moveKnownIn(
    unit_id: string,
    tenant_id: string,
    lease: LeaseBody,
    context: OperatorContext,
  ): Promise<void> {
    const { company_id, location_id } = found(await this.units.byUnitId(unit_id), 'unit_not_found');
    const [account] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    const isOfLocation = account?.company_id === company_id && account.location_id === location_id;
    if (!isOfLocation || isOwnId(account.pms_tenant_id)) throw errorOf('tenant_not_found');
    await this.standalone.moveIntoVacant(
      unit_id,
      { ...lease, pms_tenant_id: account.pms_tenant_id },
      context,
    );
  }
}

function knownAs(accounts: readonly TenantAccount[]): MoveInByHand {
  const [first, ...others] = accounts.map(presentTenant);
  return { kind: 'known', tenants: [first!, ...others] };
}
