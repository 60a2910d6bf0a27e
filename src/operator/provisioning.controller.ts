import { Controller, Get, Inject, Param } from '@nestjs/common';
import { Answers } from '../http/openapi/answers.js';
import * as field from '../http/openapi/fields.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Context, type OperatorContext } from '../http/request-context.js';
import { HoldsSecrets } from '../http/route-options.js';
import { LocationCommands } from '../locations/index.js';
import { KEY_ISSUER, type KeyIssuer } from '../locks/index.js';
import { doneOf } from './facility.refusals.js';
import { provisioningOf } from './facility.schemas.js';
import { Operators } from './operators.js';

/** Hands out the secrets with which locks and readers are set up (decisions §5). Each call writes an event. */
@HoldsSecrets()
@ForOperators('admin')
@Controller('api/operator')
export class ProvisioningController {
  constructor(
    private readonly commands: LocationCommands,
    @Inject(KEY_ISSUER) private readonly issuer: KeyIssuer,
    private readonly operators: Operators,
  ) {}

  @Get('locks/:lock_id/provisioning')
  @Answers({
    id: 'getLockProvisioning',
    description: 'Each call writes an event.',
    summary: 'Read the secret with which a lock is set up',
    data: provisioningOf(
      { lock_id: field.lock_id },
      'The secret of this lock, base64url. Keep it in the lock.',
    ),
    errors: ['lock_not_found'],
  })
  async ofLock(@Param('lock_id') lock_id: string, @Context() context: OperatorContext) {
    doneOf(await this.commands.provisionLock(lock_id, context));
    await this.operators.demandRights(context.principal);
    return envelope({ lock_id, ...this.issuer.provisioning(lock_id) });
  }

  @Get('entry-points/:entry_point_id/provisioning')
  @Answers({
    id: 'getEntryPointProvisioning',
    description: 'Each call writes an event.',
    summary: "Read the secret with which an entry point's reader is set up",
    data: provisioningOf(
      { entry_point_id: field.entry_point_id },
      'The secret of this reader, base64url. Keep it in the reader.',
    ),
    errors: ['entry_point_not_found'],
  })
  async ofEntryPoint(@Param('entry_point_id') entry_point_id: string, @Context() context: OperatorContext) {
    doneOf(await this.commands.provisionEntryPoint(entry_point_id, context));
    await this.operators.demandRights(context.principal);
    return envelope({ entry_point_id, ...this.issuer.provisioning(entry_point_id) });
  }
}
