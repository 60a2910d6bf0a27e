import { Controller, Delete, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type RequestContext } from '#web/request-context.js';
import { Creates } from '#web/route-options.js';
import { ValidBody } from '#web/validation/parameters.js';
import { FactsBody, MoveInBody, UNIT_WRITTEN_SCHEMA } from '#api/push/index.js';
import { NewUnitBody, TransferBody } from './operator-units.dto.js';
import { TRANSFER_SCHEMA } from './operator-units.schemas.js';
import { StandaloneUnitWrites } from './standalone-unit-writes.js';
import { UnitTransfers } from './unit-transfers.js';

/** Writes to standalone units: units whose data comes from operators and not from a PMS (decisions §6). */
@ForOperators('manager')
@ForSiteOperators('named')
@Controller('api/operator')
export class StandaloneUnitsController {
  constructor(
    private readonly units: StandaloneUnitWrites,
    private readonly transfers: UnitTransfers,
  ) {}

  @Post('locations/:location_id/units')
  @Creates('/api/operator/units/{unit_id}')
  @Answers({
    id: 'createUnit',
    description: 'For a location without a PMS: operators write the data of the unit.',
    summary: 'Create a standalone unit',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['location_not_found'],
  })
  async register(
    @Param('location_id') location_id: string,
    @ValidBody(NewUnitBody) body: NewUnitBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.units.addUnit(location_id, body, context));
  }

  @Put('units/:unit_id/tenancy')
  @Answers({
    id: 'moveInById',
    description: 'As `moveIn`, for a standalone unit. A unit of a PMS is refused (409).',
    summary: 'Move a tenant into a standalone unit',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere'],
  })
  async moveIn(
    @Param('unit_id') unit_id: string,
    @ValidBody(MoveInBody) body: MoveInBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.units.moveIn(unit_id, body, context));
  }

  @Delete('units/:unit_id/tenancy')
  @Answers({
    id: 'moveOutById',
    description:
      'As `moveOut`, for a standalone unit. A unit of a PMS is refused (409). A vacant unit does not change.',
    summary: 'Move the tenant out of a standalone unit',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere', 'unit_retired'],
  })
  async moveOut(@Param('unit_id') unit_id: string, @Context() context: RequestContext) {
    return envelope(await this.units.moveOut(unit_id, context));
  }

  @Post('units/:unit_id/transfer')
  @HttpCode(200)
  @Answers({
    id: 'transferTenant',
    description:
      'For standalone units of one location. Terms, balance, lockout, exemption, override, shares and round-the-clock access go along; `pms_unrentable` and `pms_status_raw` stay with the unit. It is one command: a repeat ends what was interrupted, and does nothing twice. A unit of a PMS is refused (409).',
    summary: 'Move the tenant to another unit',
    data: TRANSFER_SCHEMA,
    errors: [
      'unit_not_found',
      'unit_managed_elsewhere',
      'unit_vacant',
      'unit_occupied',
      'unit_retired',
      'unit_in_auction',
      'unit_unrentable',
      'unit_overridden',
      'transfer_unfinished',
    ],
  })
  async transfer(
    @Param('unit_id') unit_id: string,
    @ValidBody(TransferBody) body: TransferBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.transfers.transfer(unit_id, body, context));
  }

  @Patch('units/:unit_id')
  @Answers({
    id: 'changeFactsById',
    description: 'Fields left out stay. A unit of a PMS is refused (409).',
    summary: 'Change facts of a standalone unit',
    message: 'Unit updated.',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere', 'unit_retired'],
  })
  async changeFacts(
    @Param('unit_id') unit_id: string,
    @ValidBody(FactsBody) body: FactsBody,
    @Context() context: RequestContext,
  ) {
    return envelope(await this.units.changeFacts(unit_id, body, context), 'Unit updated.');
  }
}
