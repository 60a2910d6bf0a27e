import { Controller, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  announceSuccessor,
  Answers,
  Authenticated,
  Context,
  Idempotent,
  ObjectBody,
  RateLimited,
  ValidBody,
  ValidQuery,
} from '../../http/index.js';
import { type PushContext, PushWrites } from '../push-writes.js';
import { FactsBody, WriteOptions } from '../unit.dto.js';
import { MoveInEvent, MoveOutEvent } from './pms.dto.js';
import { BULK_SCHEMA, UNIT_WRITTEN_SCHEMA } from '../unit-write.schemas.js';
import { BULK_BODY_SCHEMA } from '../bulk/bulk.schemas.js';

/** What a PMS calls of the earlier surface (specification §9): other paths for the writes of v2, with its answers. */
@Authenticated('api_token')
@Controller(['api/v1/pms', 'api/pms'])
export class PmsController {
  constructor(private readonly writes: PushWrites) {}

  @Post('units/sync')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-bulk')
  @Answers({
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
    return this.writes.sync(body, options, context);
  }

  @Post('events/move-in')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({
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
    announceSuccessor(response.req, response);
    return this.writes.moveIn(body.crm_unit_id, body, options, context, response);
  }

  @Post('events/move-out')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({
    summary: 'Move the tenant out and reset the facts',
    data: UNIT_WRITTEN_SCHEMA,
    errors: ['unit_not_found', 'unit_managed_elsewhere'],
  })
  moveOut(
    @ValidBody(MoveOutEvent) { crm_unit_id: key }: MoveOutEvent,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    announceSuccessor(response.req, response);
    return this.writes.moveOut(key, options, context);
  }

  @Patch('units/:crm_unit_id')
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
}
