import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { type SourceCommand, type UnitOutcome, type Writer, WriteUnits } from '#domain/units/index.js';
import { ApiError } from '#kernel/errors/api-error.js';
import type { ApiTokenPrincipal } from '#kernel/principals.js';
import type { RequestContext } from '#web/request-context.js';
import { LARGEST_PAGE } from '#web/validation/page-query.js';
import { BulkCompare } from './bulk/bulk-compare.js';
import { BulkSync } from './bulk/bulk-sync.js';
import { refusedRows, rejectedRows } from './bulk/rejected-rows.js';
import { RejectedBulks } from './bulk/rejected-bulks.js';
import { statedFacts, statedMoveIn, UnitAnswers, wasCreated } from './unit-answers.js';
import type { FactsBody, MoveInBody, UnitWriteQuery } from './unit.dto.js';
import type { ComparisonQuery } from './v2/units.dto.js';

export type PushContext = RequestContext<ApiTokenPrincipal>;

type Body = Readonly<Record<string, unknown>>;

const SOURCE = 'push';

/**
 * Writes of units for an integrator's server, in each version of the API (specification §4.1). They throw ApiError if the
 * command is refused, and StoreUnavailableError.
 */
@Injectable()
export class PushedUnits {
  constructor(
    private readonly commands: CommandBus,
    private readonly answers: UnitAnswers,
    private readonly bulk: BulkSync,
    private readonly comparing: BulkCompare,
    private readonly rejected: RejectedBulks,
  ) {}

  async moveIn(key: string, body: MoveInBody, query: UnitWriteQuery, context: PushContext) {
    const command = { type: 'MoveTenantIn', source: SOURCE, ...statedMoveIn(body) } as const;
    const outcome = await this.#write(key, command, query, context);
    const data = await this.#answer(outcome, query, context);
    return { data, isCreated: wasCreated(outcome) && query.dry_run !== true };
  }

  async moveOut(key: string, query: UnitWriteQuery, context: PushContext) {
    const outcome = await this.#write(key, { type: 'MoveTenantOut', source: SOURCE }, query, context);
    return this.#answer(outcome, query, context);
  }

  async changeFacts(key: string, body: FactsBody, query: UnitWriteQuery, context: PushContext) {
    const command = { type: 'ChangeFacts', source: SOURCE, facts: statedFacts(body) } as const;
    return this.#answer(await this.#write(key, command, query, context), query, context);
  }

  /** Entries that are rejected are noted at the token. So is a bulk that is refused as a whole. */
  async syncUnits(body: Body, { dry_run = false }: UnitWriteQuery, context: PushContext) {
    const writing = this.bulk.sync(writerOf(context), body, context, dry_run);
    const result = await writing.catch((error: unknown) => {
      const isRefused = error instanceof ApiError && error.status === 422;
      if (isRefused && !dry_run) this.rejected.note(context.principal, refusedRows(body, error));
      throw error;
    });
    if (result.errors.length > 0 && !dry_run)
      this.rejected.note(context.principal, rejectedRows(body, result));
    return dry_run ? { ...result, dry_run: true } : result;
  }

  /** Writes nothing. A token that only reads is told of facts alone, not of persons. */
  compareUnits(body: Body, { cursor, limit = LARGEST_PAGE }: ComparisonQuery, context: PushContext) {
    const withPersons = context.principal.scope === 'write';
    return this.comparing.compare(writerOf(context), { body, cursor, limit, withPersons }, context);
  }

  async #write(
    key: string,
    command: SourceCommand,
    { dry_run: dryRun }: UnitWriteQuery,
    context: PushContext,
  ): Promise<UnitOutcome> {
    const { company_id } = context.principal;
    const crm_unit_id = await this.answers.resolveUnitKey(company_id, key);
    const writes = [{ crm_unit_id, command }] as const;
    const [outcome] = await this.commands.execute(new WriteUnits(company_id, writes, context, { dryRun }));
    return outcome;
  }

  #answer(outcome: UnitOutcome, { dry_run: dryRun }: UnitWriteQuery, context: PushContext) {
    return this.answers.written(outcome, writerOf(context), dryRun);
  }
}

function writerOf({ principal }: PushContext): Writer {
  return { company_id: principal.company_id, source: SOURCE };
}
