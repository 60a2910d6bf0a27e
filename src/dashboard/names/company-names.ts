import { Injectable } from '@nestjs/common';
import { CompanyDirectory } from '#domain/companies/index.js';
import { Operators } from '#domain/operators/index.js';
import { PullSources } from '#pull/index.js';
import type { NamesById } from './thing-names.js';

/** Finds the names of what belongs to companies as a whole. @throws StoreUnavailableError from every method */
@Injectable()
export class CompanyNames {
  constructor(
    private readonly companies: CompanyDirectory,
    private readonly operators: Operators,
    private readonly sources: PullSources,
  ) {}

  async findCompanies(company_ids: readonly string[]): Promise<NamesById> {
    const companies = await this.companies.named([...new Set(company_ids)]);
    return new Map(companies.flatMap((one) => (one === undefined ? [] : [[one._id, one.name]])));
  }

  /** E-mails. An operator who was removed is absent. */
  findOperators(operator_ids: readonly string[]): Promise<NamesById> {
    return this.operators.namesOf([...new Set(operator_ids)]);
  }

  /** Those that were deleted, too. */
  async findTokens(company_id: string): Promise<NamesById> {
    const company = await this.companies.company(company_id);
    return new Map(company?.api_tokens.map(({ token_id, name }) => [token_id, name]));
  }

  findPullSources(pull_source_ids: readonly string[]): Promise<NamesById> {
    return this.sources.namesOf([...new Set(pull_source_ids)]);
  }
}
