import { Injectable } from '@nestjs/common';
import { CompanyDirectory } from '../companies/index.js';
import { LocationDirectory } from '../locations/index.js';
import { toTimestamp } from '../config/clock.js';
import type { BegunSession } from './tenant-sessions.js';
import type { TenantAccount } from './tenant-accounts.js';

/** The signed-in tenant (specification §2.3). */
interface ShownUser {
  readonly id: string;
  readonly name: string;
  readonly email: string | null;
  readonly phone: string;
}

/** One of several accounts to choose from; `location` and `company` are names. */
interface ShownAccount {
  readonly tenant_id: string;
  readonly name: string;
  readonly location: string;
  readonly company: string;
}

export type LoginAnswer =
  | { readonly token: string; readonly expires_at: string; readonly user: ShownUser }
  | { readonly token: null; readonly accounts: readonly ShownAccount[] };

/** Makes the API's answers of login outcomes. */
@Injectable()
export class LoginAnswers {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly locations: LocationDirectory,
  ) {}

  loggedIn({ token, expires_at }: BegunSession, account: TenantAccount): LoginAnswer {
    const { tenant_id, name, email, phone } = account;
    return {
      token,
      expires_at: toTimestamp(expires_at),
      user: { id: tenant_id, name: name ?? '', email, phone: phone ?? '' },
    };
  }

  /** @throws StoreUnavailableError */
  async several(accounts: readonly TenantAccount[]): Promise<LoginAnswer> {
    const locations = await this.locations.locations(accounts.map(({ location_id }) => location_id));
    const company_ids = [...new Set(accounts.map(({ company_id }) => company_id))];
    const companies = await Promise.all(company_ids.map((company_id) => this.companies.company(company_id)));
    const companyNames = new Map(companies.map((company) => [company?._id, company?.name]));
    const shown = accounts.map(({ tenant_id, name, company_id }, index) => ({
      tenant_id,
      name: name ?? '',
      location: locations[index]?.name ?? '',
      company: companyNames.get(company_id) ?? '',
    }));
    return { token: null, accounts: shown };
  }
}
