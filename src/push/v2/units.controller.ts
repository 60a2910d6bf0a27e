import { Controller, Delete, HttpCode, Param, Patch, Post, Put, Res } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import type { Response } from 'express';
import { ApiTokens } from '../../companies/index.js';
import { ApiError } from '../../http/api-error.js';
import { type ApiTokenPrincipal, Authenticated } from '../../http/authentication.js';
import { Answers } from '../../http/openapi/answers.js';
import { envelope } from '../../http/pipeline/answer.js';
import { Context, type RequestContext } from '../../http/request-context.js';
import { Costly, Creates, Idempotent, RateLimited } from '../../http/route-options.js';
import { LARGEST_PAGE } from '../../http/validation/page-query.js';
import { ObjectBody, ValidBody, ValidQuery } from '../../http/validation/valid.js';
import { ChangeUnitFacts, MoveTenantIn, MoveTenantOut, type Writer } from '../../units/index.js';
import { BulkCompare } from '../bulk/bulk-compare.js';
import { BulkSync } from '../bulk/bulk-sync.js';
import { refusalOf, rejectionOf } from '../bulk/rejected-bulk.js';
import { statedFacts, statedMoveIn, UnitAnswers, wasCreated, writeEnvelope } from '../unit-answers.js';
import { FactsBody, MoveInBody, UnitWriteQuery } from '../unit.dto.js';
import { ComparisonQuery } from './units.dto.js';
import { BULK_BODY_SCHEMA, COMPARE_BODY_SCHEMA } from '../bulk/bulk.schemas.js';
import { BULK_SCHEMA, COMPARISON_SCHEMA, UNIT_WRITTEN_SCHEMA } from '../unit-write.schemas.js';

export type PushContext = RequestContext<ApiTokenPrincipal>;

export const MOVE_IN = {
  id: 'moveIn',
  description:
    'Creates the unit if it is new (201; a dry run answers 200). The same tenant with the same values changes nothing. Another tenant replaces the tenancy. Contact details are refused here: they come only by bulk.',
  summary: 'Move a tenant in, and create the unit where there is none',
  data: UNIT_WRITTEN_SCHEMA,
  errors: ['unit_not_found', 'unit_managed_elsewhere'],
} as const;
export const MOVE_OUT = {
  id: 'moveOut',
  description:
    'Resets the facts of the tenancy, ends shares and clears an override; `pms_status_raw` stays. A vacant unit stays as it is.',
  summary: 'Move the tenant out and reset the facts',
  data: UNIT_WRITTEN_SCHEMA,
  errors: ['unit_not_found', 'unit_managed_elsewhere'],
} as const;
export const CHANGE_FACTS = {
  id: 'changeFacts',
  description:
    'Facts that the body leaves out keep their value. Null resets a date or a text. The unit must exist.',
  summary: 'Change some facts of a unit',
  message: 'Unit updated.',
  data: UNIT_WRITTEN_SCHEMA,
  errors: ['unit_not_found', 'unit_managed_elsewhere'],
} as const;
export const SYNC_UNITS = {
  id: 'syncUnits',
  description:
    "Creates and updates units. An entry's fault is its own: it is listed in `data.errors`, the others apply, and the status is 200. Refused whole (422): `units` missing, no array, empty or over 500; an entry that is no object; a `crm_unit_id` that is missing, no string or named twice. Left out fields keep their value. Contact details of tenants come only here.",
  summary: 'Bring up to 500 units up to date',
  message: 'Sync completed.',
  body: BULK_BODY_SCHEMA,
  data: BULK_SCHEMA,
} as const;

/** Writes of units for an integrator's server (specification §4.1). */
@Authenticated('api_token')
@Controller('api/v2/units')
export class UnitsController {
  constructor(
    private readonly commands: CommandBus,
    private readonly answers: UnitAnswers,
    private readonly bulk: BulkSync,
    private readonly comparing: BulkCompare,
    private readonly tokens: ApiTokens,
  ) {}

  @Put(':crm_unit_id/tenancy')
  @Creates('/api/v2/units/{crm_unit_id}')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers({ ...MOVE_IN, also: [201] })
  async moveIn(
    @Param('crm_unit_id') key: string,
    @ValidBody(MoveInBody) body: MoveInBody,
    @ValidQuery(UnitWriteQuery) { dry_run: dryRun }: UnitWriteQuery,
    @Context() context: PushContext,
    @Res({ passthrough: true }) response: Response,
  ) {
    const writer = writerOf(context);
    const moveIn = statedMoveIn(await this.answers.crmUnitId(writer.company_id, key), body);
    const outcome = await this.commands.execute(new MoveTenantIn(writer, moveIn, { context, dryRun }));
    const data = await this.answers.written(outcome, writer, dryRun);
    response.status(wasCreated(outcome) && dryRun !== true ? 201 : 200);
    return writeEnvelope(dryRun, data);
  }

  @Delete(':crm_unit_id/tenancy')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers(MOVE_OUT)
  async moveOut(
    @Param('crm_unit_id') key: string,
    @ValidQuery(UnitWriteQuery) { dry_run: dryRun }: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    const writer = writerOf(context);
    const crm_unit_id = await this.answers.crmUnitId(writer.company_id, key);
    const outcome = await this.commands.execute(new MoveTenantOut(writer, crm_unit_id, { context, dryRun }));
    return writeEnvelope(dryRun, await this.answers.written(outcome, writer, dryRun));
  }

  @Patch(':crm_unit_id')
  @Idempotent()
  @RateLimited('pms-write')
  @Answers(CHANGE_FACTS)
  async changeFacts(
    @Param('crm_unit_id') key: string,
    @ValidBody(FactsBody) body: FactsBody,
    @ValidQuery(UnitWriteQuery) { dry_run: dryRun }: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    const writer = writerOf(context);
    const crm_unit_id = await this.answers.crmUnitId(writer.company_id, key);
    const command = new ChangeUnitFacts(writer, crm_unit_id, statedFacts(body), { context, dryRun });
    const data = await this.answers.written(await this.commands.execute(command), writer, dryRun);
    return writeEnvelope(dryRun, data, 'Unit updated.');
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
    @ValidQuery(ComparisonQuery) { cursor, limit = LARGEST_PAGE }: ComparisonQuery,
    @Context() context: PushContext,
  ) {
    const withPersons = context.principal.scope === 'write';
    const request = { body, cursor, limit, withPersons };
    return envelope(await this.comparing.compare(writerOf(context), request, context));
  }

  @Patch()
  @Idempotent()
  @RateLimited('pms-bulk')
  @Answers(SYNC_UNITS)
  async sync(
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(UnitWriteQuery) { dry_run = false }: UnitWriteQuery,
    @Context() context: PushContext,
  ) {
    const writing = this.bulk.sync(writerOf(context), body, context, dry_run);
    const result = await writing.catch((error: unknown) => {
      const isRefused = error instanceof ApiError && error.status === 422;
      if (isRefused && !dry_run) this.tokens.noteRejected(context.principal, refusalOf(body, error));
      throw error;
    });
    const hasErrors = result.errors.length > 0;
    if (hasErrors && !dry_run) this.tokens.noteRejected(context.principal, rejectionOf(result));
    const message = hasErrors ? 'Sync completed with errors.' : 'Sync completed.';
    return writeEnvelope(dry_run, dry_run ? { ...result, dry_run: true } : result, message);
  }
}

function writerOf({ principal }: PushContext): Writer {
  return { company_id: principal.company_id, source: 'push' };
}
