import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { presentDecision, UnitAccess } from '#domain/access/index.js';
import { errorOf, invalidField } from '#kernel/errors/api-error.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { parseTimestamp, toTimestamp } from '#kernel/timestamp.js';
import type { RequestContext } from '#web/request-context.js';
import { refusalError } from '#api/push/index.js';
import { SharesInErasure } from '#domain/sharing/index.js';
import { isPassHolderId, TenantAccounts } from '#domain/tenants/index.js';
import {
  type OperatorUnitCommand,
  UnitDirectory,
  type UnitDocument,
  WriteUnits,
} from '#domain/units/index.js';
import { found } from '../facility.refusals.js';
import { OperatorUnitDetail } from './operator-unit-detail.js';
import { OperatorUnitSearch } from './operator-unit-search.js';
import type { OverrideBody, ShareBody, UnitNameBody, UnitSearchQuery } from './operator-units.dto.js';

const HOLDS_PASSES =
  'The tenant id field is an account of passes, which shares nothing. Share the unit by name and phone: the person then has an account of its own.';
const ERASED =
  'The details of the tenant id field were erased, so nobody can sign in. Record the person again first.';

interface SharedWith {
  readonly unit_id: string;
  readonly tenant_id: string;
}

/**
 * What operators read of units and do to them, for units of any source (decisions §6). Every write answers with the access
 * decision after it. It throws ApiError if the command is refused, and StoreUnavailableError.
 */
@Injectable()
export class UnitAdministration {
  constructor(
    private readonly search: OperatorUnitSearch,
    private readonly detail: OperatorUnitDetail,
    private readonly units: UnitDirectory,
    private readonly tenants: TenantAccounts,
    private readonly access: UnitAccess,
    private readonly inErasure: SharesInErasure,
    private readonly commands: CommandBus,
  ) {}

  findUnits(query: UnitSearchQuery, principal: OperatorPrincipal) {
    return this.search.page(query, principal);
  }

  /** @throws ApiError 404 */
  async readUnit(unit_id: string) {
    return this.readDetail(await this.findUnit(unit_id));
  }

  readDetail(unit: UnitDocument) {
    return this.detail.readDetail(unit);
  }

  /** For several reads of one unit. @throws ApiError 404 */
  async findUnit(unit_id: string): Promise<UnitDocument> {
    return found(await this.units.byUnitId(unit_id), 'unit_not_found');
  }

  renameUnit(unit_id: string, { unit_name }: UnitNameBody, context: RequestContext) {
    return this.#write(unit_id, { type: 'RenameUnit', unit_name }, context);
  }

  setOverride(unit_id: string, { override, reason, expires_at }: OverrideBody, context: RequestContext) {
    return this.#write(
      unit_id,
      { type: 'OverrideAccess', override: { override, reason, expires_at: instantOrNull(expires_at) } },
      context,
    );
  }

  clearOverride(unit_id: string, context: RequestContext) {
    return this.#write(unit_id, { type: 'ClearOverride' }, context);
  }

  grantRoundTheClock(unit_id: string, context: RequestContext) {
    return this.#write(unit_id, { type: 'GrantRoundTheClock' }, context);
  }

  endRoundTheClock(unit_id: string, context: RequestContext) {
    return this.#write(unit_id, { type: 'EndRoundTheClock' }, context);
  }

  retireUnit(unit_id: string, context: RequestContext) {
    return this.#write(unit_id, { type: 'RetireUnit' }, context);
  }

  reviveUnit(unit_id: string, context: RequestContext) {
    return this.#write(unit_id, { type: 'ReviveUnit' }, context);
  }

  /** With a tenant of the same location. Sets the end of a share that there is. */
  async shareUnit({ unit_id, tenant_id }: SharedWith, { until }: ShareBody, context: RequestContext) {
    const unit = await this.findUnit(unit_id);
    const [tenant] = await this.tenants.byTenantId([tenant_id]);
    if (tenant?.company_id !== unit.company_id) throw errorOf('tenant_not_found');
    if (tenant.location_id !== unit.location_id) {
      throw invalidField(
        'tenant_id',
        'unknown_value',
        'The tenant id field must be a tenant of the same location.',
      );
    }
    if (isPassHolderId(tenant.pms_tenant_id)) throw invalidField('tenant_id', 'not_allowed', HOLDS_PASSES);
    if (tenant.erased_at !== null) throw invalidField('tenant_id', 'not_allowed', ERASED);
    const share = { tenant_id, until: instantOrNull(until) };
    const shared = await this.#write(unit_id, { type: 'ShareUnit', ...share }, context);
    if (await this.inErasure.endIfErased(unit, tenant_id, context))
      throw invalidField('tenant_id', 'not_allowed', ERASED);
    return shared;
  }

  endShare(unit_id: string, tenant_id: string, context: RequestContext) {
    return this.#write(unit_id, { type: 'EndShare', tenant_id }, context);
  }

  async #write(unit_id: string, command: OperatorUnitCommand, context: RequestContext) {
    const { company_id, crm_unit_id } = await this.findUnit(unit_id);
    const writes = [{ crm_unit_id, command }] as const;
    const [outcome] = await this.commands.execute(new WriteUnits(company_id, writes, context));
    if (outcome.kind === 'rejected') throw refusalError(outcome.refusal, 'standalone');
    const unit = outcome.after!.state;
    const [decision] = await this.access.decide([unit]);
    return {
      unit_id: unit.unit_id,
      applied_at: toTimestamp(outcome.applied_at),
      access: presentDecision(decision!),
    };
  }
}

/** @param timestamp valid; null and undefined: none */
export function instantOrNull(timestamp: string | null | undefined): number | null {
  return timestamp == null ? null : parseTimestamp(timestamp)!;
}
