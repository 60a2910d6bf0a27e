import { Get, Headers, Param } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { CompanyAdministration } from '#api/operator/index.js';
import { CompanyFrame } from '../frame/company-frame.js';
import { Pages } from '../frame/pages.js';
import { companyPath, locationPath } from '../links/paths.js';
import type { TenantSite } from '../tenant-list/tenant-table.js';
import { MOST_SITES, TenantListReader } from '../tenant-list/tenant-list.reader.js';
import { TenantLists } from '../tenant-list/tenant-lists.js';
import { askedTenants, type TenantsQuery } from '../tenant-list/tenant-list-view.js';
import { Fragment, Page, type StreamedDownload } from '../page/page.js';
import { asksForPeek } from '../peek/asks-for-peek.js';
import { addPath } from '../parts/drawer.js';
import { Icon } from '../parts/icon.js';
import { mayDo } from '../parts/roles.js';
import { countText } from '../parts/words.js';

/** The tenants of a company. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class CompanyTenantPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly tenants: TenantListReader,
    private readonly lists: TenantLists,
  ) {}

  @Costly()
  @Get('tenants')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: TenantsQuery,
    @Headers('hx-target') target: string | undefined,
    @Context() context: OperatorContext,
  ): Promise<Page | Fragment> {
    const company = await this.companies.readCompany(company_id, context.principal);
    const { locations } = company;
    const asked = askedTenants(company_id, locations, query);
    const place = { path: `${companyPath(company_id)}/tenants`, sites: locations, peeked: query.peek };
    const { view, panel, renting } = await this.lists.show(asked, place, context);
    if (asksForPeek(target)) return new Fragment(panel);
    return new Page(company.name, <CompanyFrame company={company}>{view}</CompanyFrame>, 200, {
      tab: 'Tenants',
      heading: 'Tenants',
      sub:
        renting === undefined
          ? undefined
          : `${renting.toLocaleString('en-US')} renting at ${countText(asked.sites.length, 'site')}`,
      acts: mayDo(context.principal.role, 'manager') && <AddTenant sites={asked.sites} />,
      company_id,
      peek: panel,
    });
  }

  @Costly()
  @Get('tenants.csv')
  async csv(
    @Param('company_id') company_id: string,
    @PlainQuery() query: TenantsQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    const { locations } = await this.companies.readCompany(company_id, context.principal);
    return this.tenants.csv(askedTenants(company_id, locations, query), context);
  }
}

/** A tenant belongs to a site, whose page has the form. */
function AddTenant({ sites }: { readonly sites: readonly TenantSite[] }) {
  const pathOf = (location_id: string) => addPath(`${locationPath(location_id)}/tenants`, 'tenant');
  const [first, ...others] = sites;
  if (first === undefined || sites.length > MOST_SITES) return null;
  const content = (
    <>
      <Icon name="user-plus" />
      Add tenant
    </>
  );
  if (others.length === 0)
    return (
      <a class="button primary" href={pathOf(first.location_id)}>
        {content}
      </a>
    );
  return (
    <>
      <button type="button" class="button primary" popovertarget="add-tenant-menu">
        {content}
      </button>
      <nav class="menu" id="add-tenant-menu" popover="auto" aria-label="Add tenant at">
        {sites.map(({ location_id, name }) => (
          <a key={location_id} href={pathOf(location_id)}>
            <Icon name="map-pin" />
            {name}
          </a>
        ))}
      </nav>
    </>
  );
}
