import { Get, Param } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { CompanyAdministration, SearchEverywhere, TenantReads } from '#api/operator/index.js';
import { CompanyFrame } from '../frame/company-frame.js';
import { Pages } from '../frame/pages.js';
import { companyPath } from '../links/paths.js';
import { tenantList } from '../lists/tenant-list.js';
import { Page, type StreamedDownload } from '../page/page.js';
import { Section } from '../parts/layout.js';

interface TenantsQuery {
  readonly cursor?: string;
}

/** The tenants of a company. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class CompanyTenantPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly reads: TenantReads,
    private readonly everywhere: SearchEverywhere,
  ) {}

  @Costly()
  @Get('tenants')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: TenantsQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = await this.companies.readCompany(company_id, context.principal);
    const { view } = await this.#list(company_id, context).show(query.cursor);
    const content = (
      <CompanyFrame company={company}>
        <Section title="All tenants">{view}</Section>
      </CompanyFrame>
    );
    return new Page(company.name, content, 200, { tab: 'Tenants', heading: 'Tenants', company_id });
  }

  @Costly()
  @Get('tenants.csv')
  async csv(
    @Param('company_id') company_id: string,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    await this.companies.readCompany(company_id, context.principal);
    return this.#list(company_id, context).csv();
  }

  #list(company_id: string, { principal }: OperatorContext) {
    const { reads, everywhere } = this;
    return tenantList(
      { reads, everywhere },
      { page: companyPath(company_id), place: { company_id }, principal },
    );
  }
}
