import { Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import type { Envelope, OperatorContext } from '../http/index.js';
import {
  Answers,
  Context,
  envelope,
  ForOperators,
  isPossibleId,
  notFound,
  validationFailed,
  ValidBody,
} from '../http/index.js';
import { LocationDirectory } from '../locations/index.js';
import { ForcedLogout } from './forced-logout.js';
import { NewTenant, TenantChange } from './operator-tenants.dto.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantDetailsWrites } from './tenant-details.js';
import { TenantErasure } from './tenant-erasure.js';
import { TENANT_WRITTEN_SCHEMA } from './login.schemas.js';

type TenantAnswer = Envelope<{ readonly tenant_id: string }>;

/** What an operator does with tenant accounts (decisions on the operator API: docs/decisions.md). */
@ForOperators('manager')
@Controller('api/operator')
export class OperatorTenantsController {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly details: TenantDetailsWrites,
    private readonly erasure: TenantErasure,
    private readonly logout: ForcedLogout,
    private readonly locations: LocationDirectory,
  ) {}

  @Post('locations/:location_id/tenants')
  @Answers({
    summary: 'Create a tenant account',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['location_not_found'],
  })
  async create(
    @Param('location_id') location_id: string,
    @ValidBody(NewTenant) body: NewTenant,
    @Context() context: OperatorContext,
  ): Promise<TenantAnswer> {
    const location = await this.locations.location(location_id);
    if (!location) throw notFound('Location not found.');
    const { pms_tenant_id, ...details } = body;
    const key = { company_id: location.company_id, location_id, pms_tenant_id };
    const outcome = await this.details.create({ ...details, key }, context);
    if (outcome.kind === 'taken') {
      throw validationFailed({ pms_tenant_id: ['The pms tenant id has already been taken.'] });
    }
    return envelope({ tenant_id: outcome.account.tenant_id });
  }

  @Patch('tenants/:tenant_id')
  @Answers({
    summary: 'Change details of a tenant',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async change(
    @Param('tenant_id') tenant_id: string,
    @ValidBody(TenantChange) body: TenantChange,
    @Context() context: OperatorContext,
  ): Promise<TenantAnswer> {
    const [account] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (!account) throw notFound('Tenant not found.');
    const { pms_tenant_id = account.pms_tenant_id, ...details } = body;
    if (pms_tenant_id !== account.pms_tenant_id) {
      throw validationFailed({ pms_tenant_id: ['The pms tenant id field cannot be changed.'] });
    }
    await this.details.change(tenant_id, details, context);
    return envelope({ tenant_id });
  }

  @Delete('tenants/:tenant_id/sessions')
  @Answers({
    summary: 'Sign out every app of a tenant',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async endSessions(
    @Param('tenant_id') tenant_id: string,
    @Context() context: OperatorContext,
  ): Promise<TenantAnswer> {
    const known = isPossibleId(tenant_id) && (await this.logout.of(tenant_id, context));
    if (!known) throw notFound('Tenant not found.');
    return envelope({ tenant_id });
  }

  @Delete('tenants/:tenant_id/personal-data')
  @Answers({
    summary: 'Erase the personal details of a tenant',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async erase(
    @Param('tenant_id') tenant_id: string,
    @Context() context: OperatorContext,
  ): Promise<TenantAnswer> {
    const known = isPossibleId(tenant_id) && (await this.erasure.erase(tenant_id, context));
    if (!known) throw notFound('Tenant not found.');
    return envelope({ tenant_id });
  }
}
