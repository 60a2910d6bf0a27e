import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { ObjectBody, ValidQuery } from '#web/validation/parameters.js';
import { writeEnvelope } from '#api/push/index.js';
import { DryRunQuery } from '../facility.dto.js';
import { SETUP_BODY_SCHEMA, SETUP_SCHEMA } from './setup.schemas.js';
import { SiteSetup } from './site-setup.js';

/** Sets up many units of a location in one request (decisions §6). */
@ForOperators('manager')
@ForSiteOperators('named')
@Controller('api/operator/locations/:location_id')
export class SiteSetupController {
  constructor(private readonly setup: SiteSetup) {}

  @HttpCode(200)
  @Post('setup')
  @Answers({
    id: 'setUpLocation',
    description:
      'Each row puts one unit into a zone and a lock on it. Missing zones and locks are made. Other zones and locks of the unit stay. A unit that does not exist is a fault of its row, or is made with `add_units`. The serial number identifies the lock; without one, its name does. If a row has a fault, nothing of that row is done. The other rows apply, and the status is 200.',
    summary: 'Put up to 500 units into zones and locks on them',
    message: 'Set-up completed.',
    body: SETUP_BODY_SCHEMA,
    data: SETUP_SCHEMA,
    errors: ['location_not_found'],
  })
  async setUp(
    @Param('location_id') location_id: string,
    @ObjectBody() body: Record<string, unknown>,
    @ValidQuery(DryRunQuery) { dry_run = false }: DryRunQuery,
    @Context() context: OperatorContext,
  ) {
    const mode = dry_run ? 'rehearse' : 'carry_out';
    const result = await this.setup.setUp(body, { location_id, context, mode });
    const message = result.errors.length === 0 ? 'Set-up completed.' : 'Set-up completed with errors.';
    return writeEnvelope(dry_run, result, message);
  }
}
