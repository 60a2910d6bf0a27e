import { Controller, HttpCode, Param, Patch, Post } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import { Answers } from '#web/openapi/answers.js';
import { Reply } from '#web/reply.js';
import { Context } from '#web/request-context.js';
import { Idempotent, RateLimited } from '#web/route-options.js';
import { ObjectBody, ValidBody, ValidQuery } from '#web/validation/parameters.js';
import { FactsBody, UnitWriteQuery } from '../unit.dto.js';
import { MoveInEvent, MoveOutEvent } from './pms.dto.js';
import { CHANGE_FACTS, MOVE_IN, MOVE_OUT, SYNC_UNITS } from '../described-writes.js';
import { syncEnvelope, writeEnvelope } from '../unit-answers.js';
import { type PushContext, PushedUnits } from '../pushed-units.js';

/** The earlier API for a PMS (specification §9): other paths for the writes of v2, with the same answers. */
@Authenticated('api_token')
@Controller(['api/v1/pms', 'api/pms'])
export class PmsController {
  constructor(private readonly writes: PushedUnits) {}

  @Post('units/sync')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-bulk')
  @Answers(SYNC_UNITS)
  async sync(
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(UnitWriteQuery) query: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    return syncEnvelope(query.dry_run, await this.writes.syncUnits(body, query, context));
  }

  @Post('events/move-in')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({ ...MOVE_IN, also: [200] })
  async moveIn(
    @ValidBody(MoveInEvent) body: MoveInEvent,
    @ValidQuery(UnitWriteQuery) query: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    const { data, isCreated } = await this.writes.moveIn(body.crm_unit_id, body, query, context);
    return new Reply(writeEnvelope(query.dry_run, data), { status: isCreated ? 201 : 200 });
  }

  @Post('events/move-out')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-write')
  @Answers(MOVE_OUT)
  async moveOut(
    @ValidBody(MoveOutEvent) { crm_unit_id: key }: MoveOutEvent,
    @ValidQuery(UnitWriteQuery) query: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    return writeEnvelope(query.dry_run, await this.writes.moveOut(key, query, context));
  }

  @Patch('units/:crm_unit_id')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers(CHANGE_FACTS)
  async changeFacts(
    @Param('crm_unit_id') key: string,
    @ValidBody(FactsBody) body: FactsBody,
    @ValidQuery(UnitWriteQuery) query: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    const data = await this.writes.changeFacts(key, body, query, context);
    return writeEnvelope(query.dry_run, data, 'Unit updated.');
  }
}
