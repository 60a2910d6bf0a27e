import { Controller, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Answers,
  Authenticated,
  Context,
  Idempotent,
  ObjectBody,
  RateLimited,
  ValidBody,
  ValidQuery,
} from '../../http/index.js';
import { FactsBody, WriteOptions } from '../unit.dto.js';
import { MoveInEvent, MoveOutEvent } from './pms.dto.js';
import { BULK_SCHEMA, UNIT_WRITTEN_SCHEMA } from '../unit-write.schemas.js';
import { BULK_BODY_SCHEMA } from '../bulk/bulk.schemas.js';
import { type PushContext, UnitsController } from '../v2/units.controller.js';

/** The earlier surface for a PMS (specification §9): other paths for the writes of v2, with its answers. */
@Authenticated('api_token')
@Controller(['api/v1/pms', 'api/pms'])
export class PmsController {
  constructor(private readonly units: UnitsController) {}

  @Post('units/sync')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-bulk')
  @Answers({
    id: 'syncUnits',
    description:
      "Creates and updates units. An entry's fault is its own: it is listed in `data.errors`, the others apply, and the status is 200. Refused whole (422): `units` missing, no array, empty or over 500; an entry that is no object; a `crm_unit_id` that is missing, no string or named twice. Left out fields keep their value. Contact details of tenants come only here.",
    summary: 'Bring up to 500 units up to date',
    message: 'Sync completed.',
    body: BULK_BODY_SCHEMA,
    data: BULK_SCHEMA,
  })
  sync(
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
  ) {
    return this.units.sync(body, options, context);
  }

  @Post('events/move-in')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({
    id: 'moveIn',
    description:
      'Creates the unit if it is new (201; a dry run answers 200). The same tenant with the same values changes nothing. Another tenant replaces the tenancy. Contact details are refused here: they come only by bulk.',
    summary: 'Move a tenant in, and create the unit where there is none',
    also: [200],
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere'],
  })
  moveIn(
    @ValidBody(MoveInEvent) body: MoveInEvent,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.units.moveIn(body.crm_unit_id, body, options, context, response);
  }

  @Post('events/move-out')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({
    id: 'moveOut',
    description:
      'Resets the facts of the tenancy, ends shares and clears an override; `pms_status_raw` stays. A vacant unit stays as it is.',
    summary: 'Move the tenant out and reset the facts',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere'],
  })
  moveOut(
    @ValidBody(MoveOutEvent) { crm_unit_id: key }: MoveOutEvent,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
  ) {
    return this.units.moveOut(key, options, context);
  }

  @Patch('units/:crm_unit_id')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({
    id: 'changeFacts',
    description:
      'Facts that the body leaves out keep their value. Null resets a date or a text. The unit must exist.',
    summary: 'Change some facts of a unit',
    message: 'Unit updated.',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere'],
  })
  changeFacts(
    @Param('crm_unit_id') key: string,
    @ValidBody(FactsBody) body: FactsBody,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
  ) {
    return this.units.changeFacts(key, body, options, context);
  }
}
