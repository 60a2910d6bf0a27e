import { Controller, Delete, Get, Param, Patch, Post, Put } from '@nestjs/common';
import type { OperatorPrincipal } from '#kernel/principals.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext, type RequestContext } from '#web/request-context.js';
import { Costly, Creates } from '#web/route-options.js';
import { ValidBody, ValidQuery } from '#web/validation/parameters.js';
import {
  NewPersonShareBody,
  OverrideBody,
  ShareBody,
  UnitNameBody,
  UnitSearchQuery,
} from './operator-units.dto.js';
import {
  OPERATOR_UNIT_SCHEMA,
  OPERATOR_UNITS_SCHEMA,
  OPERATOR_WRITE_SCHEMA,
  PERSON_SHARED_SCHEMA,
} from './operator-units.schemas.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { NewPersonShares, PHONE_TAKEN } from './new-person-shares.js';
import { UnitAdministration } from './unit-administration.js';

/** Reads and writes of units by operators, for units of any source (decisions §6). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator/units')
export class OperatorUnitsController {
  constructor(
    private readonly units: UnitAdministration,
    private readonly people: NewPersonShares,
  ) {}

  @ForSiteOperators('narrowed')
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
    return envelope(await this.units.findUnits(query, principal));
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
    return envelope(await this.units.readUnit(unit_id));
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
    @ValidBody(UnitNameBody) body: UnitNameBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.units.renameUnit(unit_id, body, context));
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
    @ValidBody(OverrideBody) body: OverrideBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.units.setOverride(unit_id, body, context));
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
    return envelope(await this.units.clearOverride(unit_id, context));
  }

  @ForOperators('manager')
  @Put(':unit_id/round-the-clock')
  @Answers({
    id: 'grantRoundTheClock',
    description:
      'The tenant and the shares of the unit pass its gates at any hour while the unit is permitted. It ends with the tenancy. The unit must be occupied.',
    summary: 'Let the people of a unit pass gates at any hour',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found', 'unit_not_occupied'],
  })
  async grantRoundTheClock(@Param('unit_id') unit_id: string, @Context() context: RequestContext) {
    return envelope(await this.units.grantRoundTheClock(unit_id, context));
  }

  @ForOperators('manager')
  @Delete(':unit_id/round-the-clock')
  @Answers({
    id: 'endRoundTheClock',
    description: 'The hours of gates hold again at once. Without it nothing changes.',
    summary: 'End the passing of gates at any hour',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found'],
  })
  async endRoundTheClock(@Param('unit_id') unit_id: string, @Context() context: RequestContext) {
    return envelope(await this.units.endRoundTheClock(unit_id, context));
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
    return envelope(await this.units.retireUnit(unit_id, context));
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
    return envelope(await this.units.reviveUnit(unit_id, context));
  }

  @ForOperators('manager')
  @Put(':unit_id/shares/:tenant_id')
  @Answers({
    id: 'shareUnit',
    description:
      'The tenant must have an account at the same location. The unit must be occupied. A repeat sets the end of the share anew.',
    summary: 'Share a unit with another tenant',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found', 'unit_retired', 'tenant_not_found', 'unit_not_occupied'],
  })
  async share(
    @Param('unit_id') unit_id: string,
    @Param('tenant_id') tenant_id: string,
    @ValidBody(ShareBody) body: ShareBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.units.shareUnit({ unit_id, tenant_id }, body, context));
  }

  @ForOperators('manager')
  @Post(':unit_id/shares')
  @Creates('/api/operator/tenants/{tenant_id}')
  @Answers({
    id: 'shareUnitWithPerson',
    description:
      'Makes an account at the location of the unit, with a name and a phone, and shares the unit with it. The person signs in by phone. The unit must be occupied.',
    summary: 'Share a unit with somebody who has no account',
    data: PERSON_SHARED_SCHEMA,
    errors: ['unit_not_found', 'unit_not_occupied'],
  })
  async shareWithPerson(
    @Param('unit_id') unit_id: string,
    @ValidBody(NewPersonShareBody) body: NewPersonShareBody,
    @Context() context: OperatorContext,
  ) {
    const shared = await this.people.shareUnit(unit_id, body, context);
    if (shared.kind === 'known') throw invalidField('phone', 'taken', PHONE_TAKEN);
    return envelope(shared.share);
  }

  @ForOperators('manager')
  @Delete(':unit_id/shares/:tenant_id')
  @Answers({
    id: 'endShare',
    description:
      "The tenant's app loses the unit at its next read. An invitation of the account ends, too. Without either nothing changes.",
    summary: 'End a share, or an invitation to one',
    data: OPERATOR_WRITE_SCHEMA,
    errors: ['unit_not_found', 'tenant_not_found'],
  })
  async endShare(
    @Param('unit_id') unit_id: string,
    @Param('tenant_id') tenant_id: string,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.units.endShare(unit_id, tenant_id, context));
  }
}
