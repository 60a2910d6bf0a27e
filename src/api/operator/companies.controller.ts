import { Controller, Get, Param, Post } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { envelope } from '#web/envelope.js';
import { Answers } from '#web/openapi/answers.js';
import { Context, type OperatorContext, type RequestContext } from '#web/request-context.js';
import { Creates } from '#web/route-options.js';
import { PageQuery } from '#web/validation/page-query.js';
import { ValidBody, ValidQuery } from '#web/validation/parameters.js';
import { NewCompanyBody, NewLocationBody } from './facility.dto.js';
import {
  COMPANIES_SCHEMA,
  OPERATOR_COMPANY_SCHEMA,
  COMPANY_WITH_LOCATIONS_SCHEMA,
  LOCATION_SCHEMA,
} from './facility.schemas.js';
import { CompanyAdministration } from './company-administration.js';

/** Companies and their locations (decisions §6). */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Controller('api/operator/companies')
export class CompaniesController {
  constructor(private readonly companies: CompanyAdministration) {}

  @ForOperators('manager')
  @ForSiteOperators('refused')
  @Post()
  @Creates('/api/operator/companies/{company_id}')
  @Answers({
    id: 'createCompany',
    description:
      'Only for an operator of all companies (403 otherwise). A sandbox stays one. Names may repeat.',
    summary: 'Register a company',
    data: OPERATOR_COMPANY_SCHEMA,
  })
  async register(@ValidBody(NewCompanyBody) body: NewCompanyBody, @Context() context: OperatorContext) {
    return envelope(await this.companies.addCompany(body, context));
  }

  @Get()
  @Answers({
    id: 'listCompanies',
    description:
      'An operator of some companies or locations gets their companies on one page. Others get all companies, by pages.',
    summary: 'List companies',
    data: COMPANIES_SCHEMA,
  })
  async list(@ValidQuery(PageQuery) query: PageQuery, @Context() { principal }: OperatorContext) {
    return envelope(await this.companies.listCompanies(query, principal));
  }

  @Get(':company_id')
  @Answers({
    id: 'getCompanyById',
    description:
      'All locations are listed at once, each with its policy. An operator of some locations sees these alone.',
    summary: 'Read a company with its locations',
    data: COMPANY_WITH_LOCATIONS_SCHEMA,
    errors: ['company_not_found'],
  })
  async one(@Param('company_id') company_id: string, @Context() { principal }: OperatorContext) {
    return envelope(await this.companies.readCompany(company_id, principal));
  }

  @ForOperators('manager')
  @ForSiteOperators('refused')
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
    return envelope(await this.companies.addLocation(company_id, body, context));
  }
}
