import { Controller, Delete, Param, Patch, Post } from '@nestjs/common';
import { errorOf, invalidField } from '../http/api-error.js';
import { Answers } from '../http/openapi/answers.js';
import { ForOperators } from '../http/operator-access.js';
import { type Envelope, envelope } from '../http/pipeline/answer.js';
import { isPossibleId } from '../http/possible-id.js';
import { Context, type OperatorContext } from '../http/request-context.js';
import { Creates } from '../http/route-options.js';
import { ValidBody } from '../http/validation/valid.js';
import { LocationDirectory } from '../locations/index.js';
import { ForcedLogout } from './forced-logout.js';
import { NewTenant, TenantChange } from './operator-tenants.dto.js';
import { TenantAccounts } from './tenant-accounts.js';
import { TenantDetailsWrites } from './tenant-details.js';
import { FOREIGN_TEST_NUMBER, SandboxPhones } from './sandbox-phones.js';
import { TenantErasure } from './tenant-erasure.js';
import { TENANT_WRITTEN_SCHEMA } from './login.schemas.js';

type TenantAnswer = Envelope<{ readonly tenant_id: string }>;

@ForOperators('manager')
@Controller('api/operator')
export class OperatorTenantsController {
  constructor(
    private readonly accounts: TenantAccounts,
    private readonly details: TenantDetailsWrites,
    private readonly erasure: TenantErasure,
    private readonly logout: ForcedLogout,
    private readonly locations: LocationDirectory,
    private readonly phones: SandboxPhones,
  ) {}

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
  ): Promise<TenantAnswer> {
    const location = await this.locations.location(location_id);
    if (!location) throw errorOf('location_not_found');
    const { pms_tenant_id, ...details } = body;
    await this.#demandPhone(location.company_id, details.phone);
    const key = { company_id: location.company_id, location_id, pms_tenant_id };
    const outcome = await this.details.create({ ...details, key }, context);
    if (outcome.kind === 'taken') {
      throw invalidField('pms_tenant_id', 'taken', 'The pms tenant id has already been taken.');
    }
    return envelope({ tenant_id: outcome.account.tenant_id });
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
  ): Promise<TenantAnswer> {
    const [account] = isPossibleId(tenant_id) ? await this.accounts.byTenantId([tenant_id]) : [];
    if (!account) throw errorOf('tenant_not_found');
    const { pms_tenant_id = account.pms_tenant_id, ...details } = body;
    if (pms_tenant_id !== account.pms_tenant_id) {
      throw invalidField('pms_tenant_id', 'not_allowed', 'The pms tenant id field cannot be changed.');
    }
    await this.#demandPhone(account.company_id, details.phone);
    await this.details.change(tenant_id, details, context);
    return envelope({ tenant_id });
  }

  @Delete('tenants/:tenant_id/sessions')
  @Answers({
    id: 'endTenantSessions',
    description: 'The tokens are refused from then on. Keys given out work offline until they expire.',
    summary: 'Sign out every app of a tenant',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async endSessions(
    @Param('tenant_id') tenant_id: string,
    @Context() context: OperatorContext,
  ): Promise<TenantAnswer> {
    const known = isPossibleId(tenant_id) && (await this.logout.signOut(tenant_id, context));
    if (!known) throw errorOf('tenant_not_found');
    return envelope({ tenant_id });
  }

  @Delete('tenants/:tenant_id/personal-data')
  @Answers({
    id: 'eraseTenant',
    description:
      "Name, e-mail, phone, sessions and notes are erased; the history stays. Later writes of the PMS do not bring them back: only an operator's change does.",
    summary: 'Erase the personal details of a tenant',
    data: TENANT_WRITTEN_SCHEMA,
    errors: ['tenant_not_found'],
  })
  async erase(
    @Param('tenant_id') tenant_id: string,
    @Context() context: OperatorContext,
  ): Promise<TenantAnswer> {
    const known = isPossibleId(tenant_id) && (await this.erasure.erase(tenant_id, context));
    if (!known) throw errorOf('tenant_not_found');
    return envelope({ tenant_id });
  }

  /** @throws ApiError 422 */
  async #demandPhone(company_id: string, phone: string | null | undefined): Promise<void> {
    if (phone === null || phone === undefined || (await this.phones.mayRecord(company_id, phone))) return;
    throw invalidField('phone', 'not_allowed', FOREIGN_TEST_NUMBER);
  }
}
