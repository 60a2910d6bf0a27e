import { Controller, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Authenticated } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { Context } from '../../http/request-context.js';
import { Idempotent, RateLimited } from '../../http/route-options.js';
import { ObjectBody, ValidBody, ValidQuery } from '../../http/validation/valid.js';
import { FactsBody, UnitWriteQuery } from '../unit.dto.js';
import { MoveInEvent, MoveOutEvent } from './pms.dto.js';
import {
  CHANGE_FACTS,
  MOVE_IN,
  MOVE_OUT,
  type PushContext,
  SYNC_UNITS,
  UnitsController,
} from '../v2/units.controller.js';

/** The earlier API for a PMS (specification §9): other paths for the writes of v2, with the same answers. */
@Authenticated('api_token')
@Controller(['api/v1/pms', 'api/pms'])
export class PmsController {
  constructor(private readonly units: UnitsController) {}

  @Post('units/sync')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-bulk')
  @Answers(SYNC_UNITS)
  sync(
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(UnitWriteQuery) options: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    return this.units.sync(body, options, context);
  }

  @Post('events/move-in')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({ ...MOVE_IN, also: [200] })
  moveIn(
    @ValidBody(MoveInEvent) body: MoveInEvent,
    @ValidQuery(UnitWriteQuery) options: UnitWriteQuery,
    @Context() context: PushContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    return this.units.moveIn(body.crm_unit_id, body, options, context, response);
  }

  @Post('events/move-out')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-write')
  @Answers(MOVE_OUT)
  moveOut(
    @ValidBody(MoveOutEvent) { crm_unit_id: key }: MoveOutEvent,
    @ValidQuery(UnitWriteQuery) options: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    return this.units.moveOut(key, options, context);
  }

  @Patch('units/:crm_unit_id')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers(CHANGE_FACTS)
  changeFacts(
    @Param('crm_unit_id') key: string,
    @ValidBody(FactsBody) body: FactsBody,
    @ValidQuery(UnitWriteQuery) options: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    return this.units.changeFacts(key, body, options, context);
  }
}
