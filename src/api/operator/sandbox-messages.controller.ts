import { Controller, Get, Param } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { SANDBOX_MESSAGES_SCHEMA } from './facility.schemas.js';
import { SandboxAdministration } from './sandbox-administration.js';

/** The text messages of a sandbox. They are shown here and never sent to a phone (decisions §5). */
@ForOperators('auditor')
@ForSiteOperators('refused')
@Controller('api/operator/companies/:company_id/messages')
export class SandboxMessagesController {
  constructor(private readonly sandboxes: SandboxAdministration) {}

  @Get()
  @Answers({
    id: 'listSandboxMessages',
    description: 'Only for a sandbox; another company is 404.',
    summary: 'Read the test numbers of a sandbox and its last 20 text messages',
    data: SANDBOX_MESSAGES_SCHEMA,
    errors: ['company_not_found', 'not_found'],
  })
  async messages(@Param('company_id') company_id: string) {
    return envelope(await this.sandboxes.readMessages(company_id));
  }
}
