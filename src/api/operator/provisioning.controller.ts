import { Controller, Get, Param } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import * as field from '#web/openapi/fields.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { HoldsSecrets } from '#web/route-options.js';
import { KeyIssuer } from '#domain/locks/index.js';
import { LocationCommands } from './location-commands.js';
import { provisioningOf } from './facility.schemas.js';
import { Operators } from '#domain/operators/index.js';

/** Hands out the secrets with which locks and readers are set up (decisions §5). Each call writes an event. */
@HoldsSecrets()
@ForOperators('admin')
@ForSiteOperators('named')
@Controller('api/operator')
export class ProvisioningController {
  constructor(
    private readonly commands: LocationCommands,
    private readonly issuer: KeyIssuer,
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
    const command = { type: 'ProvisionLock', lock_id } as const;
    const { key_format } = await this.commands.write(command, context);
    await this.operators.assertRights(context.principal);
    return envelope({ lock_id, ...this.issuer.provisioning(lock_id, key_format) });
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
    const command = { type: 'ProvisionEntryPoint', entry_point_id } as const;
    const { key_format } = await this.commands.write(command, context);
    await this.operators.assertRights(context.principal);
    return envelope({ entry_point_id, ...this.issuer.provisioning(entry_point_id, key_format) });
  }
}
