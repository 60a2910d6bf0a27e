import { Injectable } from '@nestjs/common';
import { CompanyDirectory } from '#domain/companies/index.js';
import { LocationDirectory } from '#domain/locations/index.js';
import { toTimestamp } from '#kernel/timestamp.js';
import { type BegunSession, nameToOwner, type TenantAccount } from '#domain/tenants/index.js';
import type { LoginAnswer } from './login.schemas.js';

/** Makes the API's answers of login outcomes. */
@Injectable()
export class LoginAnswers {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly locations: LocationDirectory,
  ) {}

  loggedIn({ token, expires_at }: BegunSession, account: TenantAccount): LoginAnswer {
    const { tenant_id, email, phone } = account;
    return {
      token,
      expires_at: toTimestamp(expires_at),
      user: { id: tenant_id, name: nameToOwner(account), email, phone: phone ?? '' },
    };
  }

  /** @throws StoreUnavailableError */
  async several(accounts: readonly TenantAccount[]): Promise<LoginAnswer> {
    const locations = await this.locations.locations(accounts.map(({ location_id }) => location_id));
    const company_ids = [...new Set(accounts.map(({ company_id }) => company_id))];
    const companies = await Promise.all(company_ids.map((company_id) => this.companies.company(company_id)));
    const companyNames = new Map(companies.map((company) => [company?._id, company?.name]));
    const shown = accounts.map((account, index) => ({
      tenant_id: account.tenant_id,
      name: nameToOwner(account),
      location: locations[index]?.name ?? '',
      company: companyNames.get(account.company_id) ?? '',
    }));
    return { token: null, accounts: shown };
  }
}
