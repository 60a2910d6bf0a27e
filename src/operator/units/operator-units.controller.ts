import { Controller, Delete, Get, Param, Patch, Put } from '@nestjs/common';
import { errorOf, invalidField } from '../../http/api-error.js';
import type { OperatorPrincipal } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { ForOperators } from '../../http/operator-access.js';
import { envelope } from '../../http/pipeline/answer.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { parseTimestamp } from '../../http/validation/rules.js';
import { ValidBody, ValidQuery } from '../../http/validation/valid.js';
import { TenantAccounts } from '../../tenants/index.js';
import { OperatorUnitDetail } from './operator-unit-detail.js';
import { OperatorUnitSearch } from './operator-unit-search.js';
import { OperatorUnitWrites } from './operator-unit-writes.js';
import { OverrideBody, UnitNameBody, UnitSearchQuery } from './operator-units.dto.js';
import {
  OPERATOR_UNIT_SCHEMA,
  OPERATOR_UNITS_SCHEMA,
  OPERATOR_WRITE_SCHEMA,
} from './operator-units.schemas.js';

/** Reads and writes of units by operators, for units of any source (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/units')
export class OperatorUnitsController {
  constructor(
    private readonly search: OperatorUnitSearch,
    private readonly detail: OperatorUnitDetail,
    private readonly writes: OperatorUnitWrites,
    private readonly tenants: TenantAccounts,
  ) {}

  @Costly()
  @Get()
  @Answers({
    id: 'findUnits',
    description:
      'Searches all companies that you see. The parameters narrow the search. Retired units are found only if `retired` is true.',
    summary: 'Find units',
    data: OPERATOR_UNITS_SCHEMA,
  })
  async list(
    @ValidQuery(UnitSearchQuery) query: UnitSearchQuery,
    @Context() { principal }: RequestContext<OperatorPrincipal>,
  ) {
    return envelope(await this.search.page(query, principal));
  }

  @Get(':unit_id')
  @Answers({
    id: 'getUnitById',
    description: 'Facts, decision with checks, override, locks, zones, tenant, shares and keys given out.',
    summary: 'Read a unit with its decision, locks, zones, tenant and keys',
    data: OPERATOR_UNIT_SCHEMA,
    errors: ['unit_not_found'],
  })
  async one(@Param('unit_id') unit_id: string) {
    return envelope(await this.detail.of(await this.writes.demand(unit_id)));
  }

  @ForOperators('manager')
  @Patch(':unit_id/name')
  @Answers({
    id: 'renameUnit',
    description: 'For units of any source. The PMS does not change the name again.',
    summary: 'Rename a unit',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found'],
  })
  async rename(
    @Param('unit_id') unit_id: string,
    @ValidBody(UnitNameBody) { unit_name }: UnitNameBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.writes.execute(unit_id, { kind: 'rename', unit_name }, context));
  }

  @ForOperators('manager')
  @Put(':unit_id/override')
  @Answers({
    id: 'setOverride',
    description:
      'Takes precedence over the data of the PMS, for units of any source. It replaces the present override.',
    summary: 'Lock a unit out, or exempt it',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found', 'unit_retired'],
  })
  async override(
    @Param('unit_id') unit_id: string,
    @ValidBody(OverrideBody) { override, reason, expires_at }: OverrideBody,
    @Context() context: RequestContext,
  ) {
    const ends = expires_at === undefined || expires_at === null ? null : parseTimestamp(expires_at)!;
    const command = { kind: 'override', override: { override, reason, expires_at: ends } } as const;
    return envelope(await this.writes.execute(unit_id, command, context));
  }

  @ForOperators('manager')
  @Delete(':unit_id/override')
  @Answers({
    id: 'clearOverride',
    description: 'The data of the PMS decides again at once. Without an override nothing changes.',
    summary: 'Clear the override',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found'],
  })
  async clearOverride(@Param('unit_id') unit_id: string, @Context() context: RequestContext) {
    return envelope(await this.writes.execute(unit_id, { kind: 'clear_override' }, context));
  }

  @ForOperators('manager')
  @Put(':unit_id/retired')
  @Answers({
    id: 'retireUnit',
    description:
      'For a unit made by mistake: integrators get 404, its history stays, and a later push brings it back. Only a vacant unit (409 otherwise).',
    summary: 'Retire a unit that was made by mistake',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found', 'unit_occupied'],
  })
  async retire(@Param('unit_id') unit_id: string, @Context() context: RequestContext) {
    return envelope(await this.writes.execute(unit_id, { kind: 'retire' }, context));
  }

  @ForOperators('manager')
  @Delete(':unit_id/retired')
  @Answers({
    id: 'reviveUnit',
    description: 'Integrators see it again. A unit that is not retired does not change.',
    summary: 'Bring a retired unit back',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found'],
  })
  async revive(@Param('unit_id') unit_id: string, @Context() context: RequestContext) {
    return envelope(await this.writes.execute(unit_id, { kind: 'revive' }, context));
  }

  @ForOperators('manager')
  @Put(':unit_id/shares/:tenant_id')
  @Answers({
    id: 'shareUnit',
    description: 'The tenant must have an account at the same location. The unit must be occupied.',
    summary: 'Share a unit with another tenant',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found', 'unit_retired', 'tenant_not_found', 'unit_not_occupied'],
  })
  async share(
    @Param('unit_id') unit_id: string,
    @Param('tenant_id') tenant_id: string,
    @Context() context: RequestContext,
  ) {
    const unit = await this.writes.demand(unit_id);
    const [tenant] = await this.tenants.byTenantId([tenant_id]);
    if (tenant?.company_id !== unit.company_id) throw errorOf('tenant_not_found');
    if (tenant.location_id !== unit.location_id) {
      throw invalidField(
        'tenant_id',
        'unknown_value',
        'The tenant id field must be a tenant of the same location.',
      );
    }
    return envelope(await this.writes.execute(unit_id, { kind: 'share', tenant_id }, context));
  }

  @ForOperators('manager')
  @Delete(':unit_id/shares/:tenant_id')
  @Answers({
    id: 'endShare',
    description: "The tenant's app loses the unit at its next read. Without that share nothing changes.",
    summary: 'End a share',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found', 'tenant_not_found'],
  })
  async endShare(
    @Param('unit_id') unit_id: string,
    @Param('tenant_id') tenant_id: string,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.writes.execute(unit_id, { kind: 'end_share', tenant_id }, context));
  }
}
