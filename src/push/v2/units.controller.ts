import { Controller, Delete, Param, Patch, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Authenticated,
  Context,
  Idempotent,
  ObjectBody,
  RateLimited,
  ValidBody,
  ValidQuery,
} from '../../http/index.js';
import { type PushContext, PushWrites } from '../push-writes.js';
import { FactsBody, MoveInBody, WriteOptions } from '../unit.dto.js';

/** Writes of units for an integrator's server (specification §4.1). */
@Authenticated('api_token')
@Controller('api/v2/units')
export class UnitsController {
  constructor(private readonly writes: PushWrites) {}

  @Put(':crm_unit_id/tenancy')
  @Idempotent()
  @RateLimited('pms-write')
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
  @Idempotent()
  @RateLimited('pms-write')
  moveOut(
    @Param('crm_unit_id') key: string,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
  ) {
    return this.writes.moveOut(key, options, context);
  }

  @Patch(':crm_unit_id')
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

  @Patch()
  @Idempotent()
  @RateLimited('pms-bulk')
  sync(
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(WriteOptions) options: WriteOptions,
    @Context() context: PushContext,
  ) {
    return this.writes.sync(body, options, context);
  }
}
