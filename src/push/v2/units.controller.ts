import { Controller, Delete, HttpCode, Param, Patch, Post, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Answers,
  Authenticated,
  Context,
  Costly,
  Idempotent,
  ObjectBody,
  RateLimited,
  ReadAhead,
  ValidBody,
  ValidQuery,
} from '../../http/index.js';
import { type PushContext, PushWrites } from '../push-writes.js';
import { FactsBody, MoveInBody, WriteOptions } from '../unit.dto.js';
import { BULK_BODY_SCHEMA } from '../bulk/bulk.schemas.js';
import { BULK_SCHEMA, COMPARISON_SCHEMA, UNIT_WRITTEN_SCHEMA } from '../unit-write.schemas.js';

/** Writes of units for an integrator's server (specification §4.1). */
@Authenticated('api_token')
@Controller('api/v2/units')
export class UnitsController {
  constructor(private readonly writes: PushWrites) {}

  @Put(':crm_unit_id/tenancy')
  @ReadAhead('move_in')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({
    summary: 'Move a tenant in, and create the unit where there is none',
    also: [201],
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere'],
  })
  moveIn(
    @Param('crm_unit_id') key: string,
    @ValidBody(MoveInBody) body: MoveInBody,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.writes.moveIn(key, body, options, context, response);
  }

  @Delete(':crm_unit_id/tenancy')
  @ReadAhead('move_out')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({
    summary: 'Move the tenant out and reset the facts',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere'],
  })
  moveOut(
    @Param('crm_unit_id') key: string,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
  ) {
    return this.writes.moveOut(key, options, context);
  }

  @Patch(':crm_unit_id')
  @ReadAhead('facts')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({
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
    return this.writes.changeFacts(key, body, options, context);
  }

  @Costly()
  @HttpCode(200)
  @RateLimited('pms-read')
  @Post('compare')
  @Answers({
    summary: 'Compare up to 500 units with what is known, without writing them',
    body: BULK_BODY_SCHEMA,
    data: COMPARISON_SCHEMA,
  })
  compare(@ObjectBody() body: Record<string, unknown>, @Context() context: PushContext) {
    return this.writes.compare(body, context);
  }

  @Patch()
  @ReadAhead('bulk')
  @Idempotent()
  @RateLimited('pms-bulk')
  @Answers({
    summary: 'Bring up to 500 units up to date',
    message: 'Sync completed.',
    description: 'What is wrong with one unit is told in `errors`; the others apply.',
    body: BULK_BODY_SCHEMA,
    data: BULK_SCHEMA,
  })
  sync(
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
  ) {
    return this.writes.sync(body, options, context);
  }
}
