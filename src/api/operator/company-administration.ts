import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { errorOf } from '#kernel/errors/api-error.js';
import type { OperatorPrincipal } from '#kernel/principals.js';
import type { OperatorContext, RequestContext } from '#web/request-context.js';
import { type PageQuery, USUAL_PAGE } from '#web/validation/page-query.js';
import {
  CompanyClocks,
  CompanyDirectory,
  type CompanyDocument,
  WriteCompany,
} from '#domain/companies/index.js';
import { DEFAULT_POLICY, LocationDirectory, LocationOpening } from '#domain/locations/index.js';
import { companyAnswer, locationAnswer, policyOf } from './facility.answers.js';
import type { NewCompanyBody, NewLocationBody } from './facility.dto.js';
import { doneOf, found } from './facility.refusals.js';

/** Companies with their locations, as operators read and add them (decisions §6). */
@Injectable()
export class CompanyAdministration {
  constructor(
    private readonly commands: CommandBus,
    private readonly directory: CompanyDirectory,
    private readonly opening: LocationOpening,
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  /** @throws ApiError 403 */
  async addCompany({ name, sandbox = false }: NewCompanyBody, context: OperatorContext) {
    // An operator of some companies could not see the company that they made.
    if (context.principal.companies !== null) throw errorOf('forbidden');
    // A repeat of the command names the same company.
    const company_id = context.command_id;
    const command = { type: 'RegisterCompany', company_id, name, sandbox } as const;
    const { result } = doneOf(await this.commands.execute(new WriteCompany(company_id, command, context)));
    return companyAnswer(result, this.clocks);
  }

  /** An operator of some companies gets these on one page: they are few enough. */
  async listCompanies({ cursor, limit = USUAL_PAGE }: PageQuery, principal: OperatorPrincipal) {
    const { documents, next_cursor } =
      principal.companies === null
        ? await this.directory.companies({ cursor, limit })
        : { documents: await this.#readAll(principal.companies), next_cursor: null };
    return { companies: documents.map((company) => companyAnswer(company, this.clocks)), next_cursor };
  }

  async #readAll(company_ids: readonly string[]): Promise<CompanyDocument[]> {
    const read = await Promise.all([...company_ids].sort().map((id) => this.directory.company(id)));
    return read.filter((company) => company !== undefined);
  }

  /** With all its locations. @throws ApiError 404 */
  async readCompany(company_id: string) {
    const company = found(await this.directory.company(company_id), 'company_not_found');
    const locations = await this.locations.locationsOfCompany(company_id);
    return { ...companyAnswer(company, this.clocks), locations: locations.map(locationAnswer) };
  }

  /** @throws ApiError 404, 422 */
  async addLocation(company_id: string, body: NewLocationBody, context: RequestContext) {
    const { pms_location_code, name } = body;
    const policy = { ...DEFAULT_POLICY, ...policyOf(body) };
    const outcome = await this.opening.openLocation(company_id, { pms_location_code, name, policy }, context);
    return locationAnswer(doneOf(outcome).result);
  }
}
