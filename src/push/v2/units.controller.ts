import { Controller, Delete, Param, Patch, Put, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  Authenticated,
  Context,
  envelope,
  Idempotent,
  ObjectBody,
  RateLimited,
  ValidBody,
  ValidQuery,
} from '../../http/index.js';
import { answerBulk, bulkOptions } from '../bulk/bulk-answer.js';
import { BulkSync } from '../bulk/bulk-sync.js';
import { type PushContext, pushWriter } from '../push-writer.js';
import { UnitWriteAnswers } from '../unit-write-answers.js';
import { demandFacts, FactsBody, MoveInBody, statedFacts, statedMoveIn, WriteOptions } from '../unit.dto.js';

/** Writes and reads of units for an integrator's server (specification §4.1). */
@Authenticated('api_token')
@Controller('api/v2/units')
export class UnitsController {
  constructor(
    private readonly answers: UnitWriteAnswers,
    private readonly bulk: BulkSync,
  ) {}

  @Put(':crm_unit_id/tenancy')
  @Idempotent()
  @RateLimited('pms-write')
  async moveIn(
    @Param('crm_unit_id') key: string,
    @ValidBody(MoveInBody) body: MoveInBody,
    @ValidQuery(WriteOptions) { dry_run }: WriteOptions,
    @Context() context: PushContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    const write = statedMoveIn(body);
    const { created, data } = await this.answers.write(pushWriter(context), key, write, context, dry_run);
    response.status(created ? 201 : 200);
    return envelope(data);
  }

  @Delete(':crm_unit_id/tenancy')
  @Idempotent()
  @RateLimited('pms-write')
  async moveOut(
    @Param('crm_unit_id') key: string,
    @ValidQuery(WriteOptions) { dry_run }: WriteOptions,
    @Context() context: PushContext,
  ) {
    const write = { kind: 'move_out', facts: {} } as const;
    const { data } = await this.answers.write(pushWriter(context), key, write, context, dry_run);
    return envelope(data);
  }

  @Patch(':crm_unit_id')
  @Idempotent()
  @RateLimited('pms-write')
  async changeFacts(
    @Param('crm_unit_id') key: string,
    @ValidBody(FactsBody) body: FactsBody,
    @ValidQuery(WriteOptions) { dry_run }: WriteOptions,
    @Context() context: PushContext,
  ) {
    const write = { kind: 'change_facts', facts: demandFacts(statedFacts(body)) } as const;
    const { data } = await this.answers.write(pushWriter(context), key, write, context, dry_run);
    return envelope(data, 'Unit updated.');
  }

  @Patch()
  @Idempotent()
  @RateLimited('pms-bulk')
  async sync(
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(WriteOptions) { dry_run = false }: WriteOptions,
    @Context() context: PushContext,
  ) {
    return answerBulk(
      await this.bulk.sync(pushWriter(context), body, context, bulkOptions(dry_run)),
      dry_run,
    );
  }
}
