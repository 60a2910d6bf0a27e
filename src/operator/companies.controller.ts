import { Controller, Get, Param, Post } from '@nestjs/common';
import { CompanyClocks, CompanyCommands, CompanyDirectory } from '../companies/index.js';
import { errorOf } from '../http/api-error.js';
import { ForOperators } from '../http/operator-access.js';
import { envelope } from '../http/pipeline/answer.js';
import { Answers } from '../http/openapi/answers.js';
import { Context, type OperatorContext, type RequestContext } from '../http/request-context.js';
import { Creates } from '../http/route-options.js';
import { PageQuery, USUAL_PAGE } from '../http/validation/page-query.js';
import { ValidBody, ValidQuery } from '../http/validation/valid.js';
import { DEFAULT_POLICY, LocationCommands, LocationDirectory } from '../locations/index.js';
import { companyAnswer, locationAnswer, policyOf } from './facility.answers.js';
import { NewCompanyBody, NewLocationBody } from './facility.dto.js';
import { doneOf, found } from './facility.refusals.js';
import {
  COMPANIES_SCHEMA,
  OPERATOR_COMPANY_SCHEMA,
  COMPANY_WITH_LOCATIONS_SCHEMA,
  LOCATION_SCHEMA,
} from './facility.schemas.js';

/** Companies and their locations (decisions §6). */
@ForOperators('auditor')
@Controller('api/operator/companies')
export class CompaniesController {
  constructor(
    private readonly companies: CompanyCommands,
    private readonly directory: CompanyDirectory,
    private readonly locationCommands: LocationCommands,
    private readonly locations: LocationDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  @ForOperators('manager')
  @Post()
  @Creates('/api/operator/companies/{company_id}')
  @Answers({
    id: 'createCompany',
    description:
      'Only for an operator of all companies (403 otherwise). A sandbox stays one. Names may repeat.',
    summary: 'Register a company',
    data: OPERATOR_COMPANY_SCHEMA,
  })
  async register(
    @ValidBody(NewCompanyBody) { name, sandbox = false }: NewCompanyBody,
    @Context() context: OperatorContext,
  ) {
    // An operator of some companies could not see the company that they made.
    if (context.principal.companies !== null) throw errorOf('forbidden');
    const { result } = doneOf(await this.companies.registerCompany(name, sandbox, context));
    return envelope(companyAnswer(result, this.clocks));
  }

  @Get()
  @Answers({
    id: 'listCompanies',
    description: 'An operator of some companies gets these on one page. Others get all companies, by pages.',
    summary: 'List companies',
    data: COMPANIES_SCHEMA,
  })
  async list(
    @ValidQuery(PageQuery) { cursor, limit = USUAL_PAGE }: PageQuery,
    @Context() { principal }: OperatorContext,
  ) {
    if (principal.companies !== null) return envelope(await this.#listOf(principal.companies));
    const { documents, next_cursor } = await this.directory.companies({ cursor, limit });
    return envelope({
      companies: documents.map((company) => companyAnswer(company, this.clocks)),
      next_cursor,
    });
  }

  /** The companies of one operator are few enough for one page. */
  async #listOf(company_ids: readonly string[]) {
    const found = await Promise.all([...company_ids].sort().map((id) => this.directory.company(id)));
    const companies = found.filter((company) => company !== undefined);
    return { companies: companies.map((company) => companyAnswer(company, this.clocks)), next_cursor: null };
  }

  @Get(':company_id')
  @Answers({
    id: 'getCompanyById',
    description: 'All locations are listed at once, each with its policy.',
    summary: 'Read a company with its locations',
    data: COMPANY_WITH_LOCATIONS_SCHEMA,
    errors: ['company_not_found'],
  })
  async one(@Param('company_id') company_id: string) {
    const company = found(await this.directory.company(company_id), 'company_not_found');
    const locations = await this.locations.locationsOfCompany(company_id);
    return envelope({
      ...companyAnswer(company, this.clocks),
      locations: locations.map(locationAnswer),
    });
  }

  @ForOperators('manager')
  @Post(':company_id/locations')
  @Creates('/api/operator/locations/{location_id}')
  @Answers({
    id: 'createLocation',
    description: 'Policy fields left out have their defaults.',
    summary: 'Add a location',
    data: LOCATION_SCHEMA,
    errors: ['company_not_found'],
  })
  async addLocation(
    @Param('company_id') company_id: string,
    @ValidBody(NewLocationBody) body: NewLocationBody,
    @Context() context: RequestContext,
  ) {
    const { pms_location_code, name } = body;
    const policy = { ...DEFAULT_POLICY, ...policyOf(body) };
    const outcome = await this.locationCommands.addLocation(
      company_id,
      { pms_location_code, name, policy },
      context,
    );
    return envelope(locationAnswer(doneOf(outcome).result));
  }
}
