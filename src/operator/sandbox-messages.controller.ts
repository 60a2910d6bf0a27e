import { Controller, Get, Param } from '@nestjs/common';
import { CompanyClocks, CompanyDirectory } from '../companies/index.js';
import { errorOf } from '../http/api-error.js';
import { Answers } from '../http/openapi/answers.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { SandboxPhones } from '../tenants/index.js';
import { found } from './facility.refusals.js';
import { SANDBOX_MESSAGES_SCHEMA } from './facility.schemas.js';

/** The text messages of a sandbox. They are shown here and never sent to a phone (decisions §5). */
@ForOperators('auditor')
@Controller('api/operator/companies/:company_id/messages')
export class SandboxMessagesController {
  constructor(
    private readonly directory: CompanyDirectory,
    private readonly clocks: CompanyClocks,
    private readonly phones: SandboxPhones,
  ) {}

  @Get()
  @Answers({
    id: 'listSandboxMessages',
    description: 'Only for a sandbox; another company is 404.',
    summary: 'Read the test numbers of a sandbox and its last 20 text messages',
    data: SANDBOX_MESSAGES_SCHEMA,
    errors: ['company_not_found', 'not_found'],
  })
  async messages(@Param('company_id') company_id: string) {
    const company = found(await this.directory.company(company_id), 'company_not_found');
    if (!this.clocks.clockOf(company).isSandbox) throw errorOf('not_found');
    return envelope(await this.phones.numbersAndMessages(company_id));
  }
}
