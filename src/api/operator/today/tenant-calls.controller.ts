import { Controller, Delete, Param, Put } from '@nestjs/common';
import { TENANT_WRITTEN_SCHEMA } from '#api/tenant/index.js';
import { envelope } from '#web/envelope.js';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { CallAdministration } from './call-administration.js';
import { TENANT_CALLED_SCHEMA } from './today.schemas.js';

/** Who was called today (decisions §14). */
@ForOperators('manager')
@ForSiteOperators('named')
@Controller('api/operator/tenants/:tenant_id/called')
export class TenantCallsController {
  constructor(private readonly calls: CallAdministration) {}

  @Put()
  @Answers({
    id: 'callTenant',
    description:
      "For the list of whom to call. It ends with the site's day, or when the access of one of the tenant's units changes. A call that holds stays as it is.",
    summary: 'Record that a tenant was called',
    data: TENANT_CALLED_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async call(@Param('tenant_id') tenant_id: string, @Context() context: OperatorContext) {
    return envelope(await this.calls.callTenant(tenant_id, context));
  }

  @Delete()
  @Answers({
    id: 'takeTenantCallBack',
    description: 'Without a call that holds, nothing is written.',
    summary: 'Take a call back',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async takeBack(@Param('tenant_id') tenant_id: string, @Context() context: OperatorContext) {
    return envelope(await this.calls.takeCallBack(tenant_id, context));
  }
}
