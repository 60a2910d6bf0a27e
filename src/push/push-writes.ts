import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { type ApiTokenPrincipal, type Envelope, envelope, type RequestContext } from '../http/index.js';
import type { Writer } from '../units/index.js';
import { BulkCompare } from './bulk/bulk-compare.js';
import { BulkSync } from './bulk/bulk-sync.js';
import { UnitWriteAnswers } from './unit-write-answers.js';
import { type FactsBody, type MoveInBody, statedFacts, statedMoveIn, type WriteOptions } from './unit.dto.js';

/** The request of an integrator's server. */
export type PushContext = RequestContext<ApiTokenPrincipal>;

/**
 * What an integrator's server writes, and how it is answered (specification §4.1), whichever path asks for it.
 * @throws ApiError for a refusal, StoreUnavailableError from every method
 */
@Injectable()
export class PushWrites {
  constructor(
    private readonly answers: UnitWriteAnswers,
    private readonly bulk: BulkSync,
    private readonly comparing: BulkCompare,
  ) {}

  /** @param response gets the status: 201 where the unit was created */
  async moveIn(
    key: string,
    body: MoveInBody,
    { dry_run }: WriteOptions,
    context: PushContext,
    response: Response,
  ): Promise<Envelope<object>> {
    const write = statedMoveIn(body);
    const { created, data } = await this.answers.write(writerOf(context), key, write, context, dry_run);
    response.status(created ? 201 : 200);
    return answerTo(dry_run, data);
  }

  async moveOut(key: string, { dry_run }: WriteOptions, context: PushContext): Promise<Envelope<object>> {
    const write = { kind: 'move_out', facts: {} } as const;
    const { data } = await this.answers.write(writerOf(context), key, write, context, dry_run);
    return answerTo(dry_run, data);
  }

  async changeFacts(
    key: string,
    body: FactsBody,
    { dry_run }: WriteOptions,
    context: PushContext,
  ): Promise<Envelope<object>> {
    const write = { kind: 'change_facts', facts: statedFacts(body) } as const;
    const { data } = await this.answers.write(writerOf(context), key, write, context, dry_run);
    return answerTo(dry_run, data, 'Unit updated.');
  }

  async sync(
    body: Readonly<Record<string, unknown>>,
    { dry_run = false }: WriteOptions,
    context: PushContext,
  ): Promise<Envelope<object>> {
    const result = await this.bulk.sync(writerOf(context), body, context, dry_run);
    const message = result.errors.length === 0 ? 'Sync completed.' : 'Sync completed with errors.';
    return answerTo(dry_run, dry_run ? { ...result, dry_run: true } : result, message);
  }

  /** How a bulk would differ from what is known; it is not applied. */
  async compare(body: Readonly<Record<string, unknown>>, context: PushContext): Promise<Envelope<object>> {
    const mayWrite = context.principal.scope === 'write';
    return envelope(await this.comparing.compare(writerOf(context), body, context, mayWrite));
  }
}

/** Nobody who forgets a dry run in a query shall read that it was done. */
function answerTo(dryRun: boolean | undefined, data: object, message?: string): Envelope<object> {
  return envelope(data, dryRun === true ? 'Dry run: nothing was stored.' : message);
}

/** Whoever pushes writes the units of its company that push owns. */
function writerOf({ principal }: PushContext): Writer {
  return { company_id: principal.company_id, source: 'push' };
}
