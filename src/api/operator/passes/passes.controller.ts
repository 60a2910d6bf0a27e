import { Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { envelope } from '#web/envelope.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Creates } from '#web/route-options.js';
import { ValidBody, ValidQuery } from '#web/validation/parameters.js';
import { PassAdministration } from './pass-administration.js';
import { PassReads } from './pass-reads.js';
import { NewPassBody, PassChangeBody, PassListQuery } from './passes.dto.js';
import { PASS_SCHEMA, PASSES_SCHEMA } from './passes.schemas.js';

/** Passes for people who rent nothing: vendors, inspectors, staff on foot, buyers at an auction (decisions §13). */
@ForOperators('auditor')
@ForSiteOperators('named')
@Controller('api/operator')
export class PassesController {
  constructor(
    private readonly passes: PassAdministration,
    private readonly reads: PassReads,
  ) {}

  @ForOperators('manager')
  @Post('locations/:location_id/passes')
  @Creates('/api/operator/passes/{pass_id}')
  @Answers({
    id: 'issuePass',
    description:
      'The holder signs in by phone, and gets keys that last an hour at most. A pass opens units only while nobody rents them, or in auction.',
    summary: 'Issue a pass',
    data: PASS_SCHEMA,
    errors: ['location_not_found'],
  })
  async issue(
    @Param('location_id') location_id: string,
    @ValidBody(NewPassBody) body: NewPassBody,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.passes.issuePass(location_id, body, context));
  }

  @Get('locations/:location_id/passes')
  @Answers({
    id: 'listPasses',
    description: 'Those in force and to come, or those that have ended.',
    summary: 'List the passes of a location',
    data: PASSES_SCHEMA,
    errors: ['location_not_found'],
  })
  async list(@Param('location_id') location_id: string, @ValidQuery(PassListQuery) query: PassListQuery) {
    return envelope(await this.reads.listOfLocation(location_id, query));
  }

  @Get('passes/:pass_id')
  @Answers({
    id: 'getPass',
    description: 'Also one that has ended, with the keys that still work.',
    summary: 'Read a pass',
    data: PASS_SCHEMA,
    errors: ['pass_not_found'],
  })
  async one(@Param('pass_id') pass_id: string) {
    return envelope(await this.reads.readPass(pass_id));
  }

  @ForOperators('manager')
  @Patch('passes/:pass_id')
  @Answers({
    id: 'changePass',
    description:
      'Fields left out stay. A pass that has ended is not changed. Keys given out before work until they expire.',
    summary: 'Change a pass',
    data: PASS_SCHEMA,
    errors: ['pass_not_found', 'pass_ended'],
  })
  async change(
    @Param('pass_id') pass_id: string,
    @ValidBody(PassChangeBody) body: PassChangeBody,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.passes.changePass(pass_id, body, context));
  }

  @ForOperators('manager')
  @Delete('passes/:pass_id')
  @Answers({
    id: 'endPass',
    description:
      'Its holder gets no key any more. `keys_outstanding` says until when a key given out before still opens. One that has ended does not change.',
    summary: 'End a pass',
    data: PASS_SCHEMA,
    errors: ['pass_not_found'],
  })
  async end(@Param('pass_id') pass_id: string, @Context() context: OperatorContext) {
    return envelope(await this.passes.endPass(pass_id, context));
  }
}
