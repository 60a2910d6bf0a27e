import { Controller, HttpCode, Param, Patch, Post, Res } from '@nestjs/common';
import type { Response } from 'express';
import {
  announceSuccessor,
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
import { demandFacts, FactsBody, statedFacts, statedMoveIn, WriteOptions } from '../unit.dto.js';
import { UnitWriteAnswers } from '../unit-write-answers.js';
import { MoveInEvent, MoveOutEvent } from './pms.dto.js';

/** What a PMS calls of the earlier surface (specification §9): other paths for the writes of v2, with its answers. */
@Authenticated('api_token')
@Controller(['api/v1/pms', 'api/pms'])
export class PmsController {
  constructor(
    private readonly answers: UnitWriteAnswers,
    private readonly bulk: BulkSync,
  ) {}

  @Post('units/sync')
  @HttpCode(200)
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

  @Post('events/move-in')
  @Idempotent()
  @RateLimited('pms-write')
  async moveIn(
    @ValidBody(MoveInEvent) body: MoveInEvent,
    @ValidQuery(WriteOptions) { dry_run }: WriteOptions,
    @Context() context: PushContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    announceSuccessor(response.req, response);
    const { crm_unit_id: key } = body;
    const write = statedMoveIn(body);
    const { created, data } = await this.answers.write(pushWriter(context), key, write, context, dry_run);
    response.status(created ? 201 : 200);
    return envelope(data);
  }

  @Post('events/move-out')
  @HttpCode(200)
  @Idempotent()
  @RateLimited('pms-write')
  async moveOut(
    @ValidBody(MoveOutEvent) { crm_unit_id: key }: MoveOutEvent,
    @ValidQuery(WriteOptions) { dry_run }: WriteOptions,
    @Context() context: PushContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    announceSuccessor(response.req, response);
    const write = { kind: 'move_out', facts: {} } as const;
    const { data } = await this.answers.write(pushWriter(context), key, write, context, dry_run);
    return envelope(data);
  }

  @Patch('units/:crm_unit_id')
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
}
