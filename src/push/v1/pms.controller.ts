import { Controller, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  announceSuccessor,
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

/** What a PMS calls of the earlier surface (specification §9): other paths for the writes of v2, with its answers. */
@Authenticated('api_token')
@Controller(['api/v1/pms', 'api/pms'])
export class PmsController {
  constructor(private readonly writes: PushWrites) {}

  @Post('units/sync')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-bulk')
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
  changeFacts(
    @Param('crm_unit_id') key: string,
    @ValidBody(FactsBody) body: FactsBody,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
  ) {
    return this.writes.changeFacts(key, body, options, context);
  }
}
