import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { errorOf } from '#kernel/errors/api-error.js';
import { type OperatorScope, placesOf, seesSite } from '#kernel/principals.js';
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

  /** An operator of some companies or sites gets their companies on one page: they are few enough. */
  async listCompanies({ cursor, limit = USUAL_PAGE }: PageQuery, scope: OperatorScope) {
    const { companies } = placesOf(scope);
    const { documents, next_cursor } =
      companies === null
        ? await this.directory.companies({ cursor, limit })
        : { documents: await this.#readAll(companies), next_cursor: null };
    return { companies: documents.map((company) => companyAnswer(company, this.clocks)), next_cursor };
  }

  async #readAll(company_ids: readonly string[]): Promise<CompanyDocument[]> {
    const read = await Promise.all([...company_ids].sort().map((id) => this.directory.company(id)));
    return read.filter((company) => company !== undefined);
  }

  /** All locations that the operator sees, in the order they were added. */
  async listLocations(scope: OperatorScope) {
    const { companies } = placesOf(scope);
    const all = await this.locations.locationsOfCompanies(companies ?? 'all');
    return all
      .map(({ _id, company_id, name, policy: { timezone } }) => ({
        company_id,
        location_id: _id,
        name,
        timezone,
      }))
      .filter((location) => seesSite(scope, location));
  }

  /** Without its locations. @throws ApiError 404 */
  async readCompanyAlone(company_id: string) {
    return companyAnswer(found(await this.directory.company(company_id), 'company_not_found'), this.clocks);
  }

  /** With all its locations that the operator sees. @throws ApiError 404 */
  async readCompany(company_id: string, scope: OperatorScope) {
    const company = await this.readWholeCompany(company_id);
    const isSeen = ({ location_id }: { location_id: string }) => seesSite(scope, { company_id, location_id });
    return { ...company, locations: company.locations.filter(isSeen) };
  }

  /** With all its locations, for what operators of sites are refused. @throws ApiError 404 */
  async readWholeCompany(company_id: string) {
    const company = await this.readCompanyAlone(company_id);
    const locations = await this.locations.locationsOfCompany(company_id);
    return { ...company, locations: locations.map(locationAnswer) };
  }

  /** @throws ApiError 404, 422 */
  async addLocation(company_id: string, body: NewLocationBody, context: RequestContext) {
    const { pms_location_code, name } = body;
    const policy = { ...DEFAULT_POLICY, ...policyOf(body) };
    const outcome = await this.opening.openLocation(company_id, { pms_location_code, name, policy }, context);
    return locationAnswer(doneOf(outcome).result);
  }
}
