import { Injectable } from '@nestjs/common';
import { byHandId, OwnAccounts } from '#domain/tenants/index.js';
import { UnitDirectory } from '#domain/units/index.js';
import { invalidField } from '#kernel/errors/api-error.js';
import type { OperatorContext } from '#web/request-context.js';
import { found } from '../facility.refusals.js';
import { TenantAdministration } from '../tenants/tenant-administration.js';
import type { PersonMoveInBody } from './move-in.dto.js';
import { StandaloneUnitWrites } from '../units/standalone-unit-writes.js';

const SEVERAL =
  'The phone field is the number of several tenants of this location. Give the identifier of the one who moves in.';

/** Who has moved in: somebody whom the location knew by the number, or somebody new. */
export type MovedIn = 'known' | 'new';

/** Moves people in whom no PMS names (decisions §6). */
@Injectable()
export class MovesInByHand {
  constructor(
    private readonly units: UnitDirectory,
    private readonly ownAccounts: OwnAccounts,
    private readonly tenants: TenantAdministration,
    private readonly standalone: StandaloneUnitWrites,
  ) {}

  /**
   * A tenant of the location with this number moves in; otherwise a new one is made. So whoever owes on another unit is no
   * second person. A move-in that would be refused makes nobody.
   * @throws ApiError 404, 409, 422
   */
  async moveIn(
    unit_id: string,
    { name, phone, ...lease }: PersonMoveInBody,
    context: OperatorContext,
  ): Promise<MovedIn> {
    const unit = found(await this.units.byUnitId(unit_id), 'unit_not_found');
    const [known, another] = await this.ownAccounts.listTenants(unit, phone);
    if (another !== undefined) throw invalidField('phone', 'ambiguous', SEVERAL);
    const newcomer = byHandId(context.command_id);
    if (known === undefined && !context.recovering)
      await this.standalone.rehearseMoveIn(unit_id, { ...lease, pms_tenant_id: newcomer }, context);
    const { pms_tenant_id } =
      known ?? (await this.tenants.findOrCreateByHand(unit, { name, phone }, context));
    await this.standalone.moveIn(unit_id, { ...lease, pms_tenant_id }, context);
    return pms_tenant_id === newcomer ? 'new' : 'known';
  }
}
