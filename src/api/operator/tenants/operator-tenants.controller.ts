import { Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import { Answers } from '#web/openapi/answers.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Creates } from '#web/route-options.js';
import { ValidBody } from '#web/validation/parameters.js';
import { NewTenant, TenantChange } from './operator-tenants.dto.js';
import { TENANT_WRITTEN_SCHEMA } from '#api/tenant/index.js';
import { TenantAdministration } from './tenant-administration.js';

/** Writes of tenants by operators (decisions §6). */
@ForOperators('manager')
@ForSiteOperators('named')
@Controller('api/operator')
export class OperatorTenantsController {
  constructor(private readonly tenants: TenantAdministration) {}

  @Post('locations/:location_id/tenants')
  @Creates('/api/operator/tenants/{tenant_id}')
  @Answers({
    id: 'createTenant',
    description:
      'At a location without a PMS, or before the first push. The PMS finds the account by `pms_tenant_id`. A taken one is refused (422).',
    summary: 'Create a tenant account',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['location_not_found'],
  })
  async create(
    @Param('location_id') location_id: string,
    @ValidBody(NewTenant) body: NewTenant,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.tenants.createTenant(location_id, body, context));
  }

  @Patch('tenants/:tenant_id')
  @Answers({
    id: 'changeTenant',
    description:
      'Fields left out stay, null clears. A changed phone ends the sessions. A change gives an erased tenant details again.',
    summary: 'Change details of a tenant',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async change(
    @Param('tenant_id') tenant_id: string,
    @ValidBody(TenantChange) body: TenantChange,
    @Context() context: OperatorContext,
  ) {
    return envelope(await this.tenants.changeTenant(tenant_id, body, context));
  }

  @Delete('tenants/:tenant_id/sessions')
  @Answers({
    id: 'endTenantSessions',
    description: 'The tokens are refused from then on. Keys given out work offline until they expire.',
    summary: 'Sign out every app of a tenant',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async endSessions(@Param('tenant_id') tenant_id: string, @Context() context: OperatorContext) {
    return envelope(await this.tenants.endSessions(tenant_id, context));
  }

  @Delete('tenants/:tenant_id/personal-data')
  @Answers({
    id: 'eraseTenant',
    description:
      "Name, e-mail, phone, sessions and notes are erased, and shares with the tenant end; the history stays. Later writes of the PMS do not bring them back: only an operator's change does.",
    summary: 'Erase the personal details of a tenant',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async erase(@Param('tenant_id') tenant_id: string, @Context() context: OperatorContext) {
    return envelope(await this.tenants.eraseTenant(tenant_id, context));
  }
}
