import { Get, Param } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { CompanyAdministration, SearchEverywhere, TenantReads } from '#api/operator/index.js';
import { CompanyFrame } from '../frame/company-frame.js';
import { Pages } from '../frame/pages.js';
import { companyPath } from '../links/paths.js';
import { TENANT_COLUMNS, type TenantRow } from '../lists/tenant-columns.js';
import { Page, type StreamedDownload } from '../page/page.js';
import { Section } from '../parts/layout.js';
import { listPage, type ListRange, type RowsPage } from '../parts/list-page.js';

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
    const path = `${companyPath(company_id)}/tenants`;
    const read = async (range: ListRange): Promise<RowsPage<TenantRow>> => {
      const { tenants, next_cursor } = await this.reads.findTenants({ company_id, ...range }, principal);
      return { rows: tenants, next_cursor };
    };
    return listPage({
      caption: 'Tenants',
      name: 'tenants',
      path,
      file: `${path}.csv`,
      columns: TENANT_COLUMNS,
      keyOf: ({ tenant_id }) => tenant_id,
      read: async (range) => {
        const { rows, next_cursor } = await read(range);
        return { rows: await this.everywhere.withUnits(rows), next_cursor };
      },
      readFile: read,
      empty: 'No tenant yet. Tenants appear when your PMS moves them in.',
    });
  }
}
