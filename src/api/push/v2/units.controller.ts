import { Controller, Delete, HttpCode, Param, Patch, Post, Put } from '@nestjs/common';
import { Authenticated } from '#web/authentication.js';
import { Answers } from '#web/openapi/answers.js';
import { envelope } from '#web/envelope.js';
import { Reply } from '#web/reply.js';
import { Context } from '#web/request-context.js';
import { Costly, Creates, Idempotent, RateLimited } from '#web/route-options.js';
import { ObjectBody, ValidBody, ValidQuery } from '#web/validation/parameters.js';
import { syncEnvelope, writeEnvelope } from '../unit-answers.js';
import { FactsBody, MoveInBody, UnitWriteQuery } from '../unit.dto.js';
import { ComparisonQuery } from './units.dto.js';
import { COMPARE_BODY_SCHEMA } from '../bulk/bulk.schemas.js';
import { COMPARISON_SCHEMA } from '../unit-write.schemas.js';
import { CHANGE_FACTS, MOVE_IN, MOVE_OUT, SYNC_UNITS } from '../described-writes.js';
import { type PushContext, PushedUnits } from '../pushed-units.js';

/** Writes of units for an integrator's server (specification §4.1). */
@Authenticated('api_token')
@Controller('api/v2/units')
export class UnitsController {
  constructor(private readonly writes: PushedUnits) {}

  @Put(':crm_unit_id/tenancy')
  @Creates('/api/v2/units/{crm_unit_id}')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({ ...MOVE_IN, also: [201] })
  async moveIn(
    @Param('crm_unit_id') key: string,
    @ValidBody(MoveInBody) body: MoveInBody,
    @ValidQuery(UnitWriteQuery) query: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    const { data, isCreated } = await this.writes.moveIn(key, body, query, context);
    return new Reply(writeEnvelope(query.dry_run, data), { status: isCreated ? 201 : 200 });
  }

  @Delete(':crm_unit_id/tenancy')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers(MOVE_OUT)
  async moveOut(
    @Param('crm_unit_id') key: string,
    @ValidQuery(UnitWriteQuery) query: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    return writeEnvelope(query.dry_run, await this.writes.moveOut(key, query, context));
  }

  @Patch(':crm_unit_id')
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

  @Costly()
  @HttpCode(200)
  @RateLimited('pms-read')
  @Post('compare')
  @Answers({
    id: 'compareUnits',
    description:
      'Takes the body of a bulk, writes nothing, and tells what differs. `complete_locations` and `known` say which units the PMS has besides: then `missing_given` lists those that it does not have. Send the same body with `next_cursor` for more of them; each page repeats the rest. A token that only reads is told of facts alone, not of persons.',
    summary: 'Compare up to 500 units with what is known, without writing them',
    body: COMPARE_BODY_SCHEMA,
    data: COMPARISON_SCHEMA,
  })
  async compare(
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(ComparisonQuery) query: ComparisonQuery,
    @Context() context: PushContext,
  ) {
    return envelope(await this.writes.compareUnits(body, query, context));
  }

  @Patch()
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
}
