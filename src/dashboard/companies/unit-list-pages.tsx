import { Get, Param } from '@nestjs/common';
import type { ResultOf } from '#kernel/result-of.js';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { validQuery } from '#web/validation/read-query.js';
import { CompanyAdministration, OperatorUnitSearch, UnitSearchQuery } from '#api/operator/index.js';
import { Page, type StreamedDownload } from '../page/page.js';
import { Pages } from '../frame/pages.js';
import { Section } from '../parts/layout.js';
import { listPage } from '../parts/list-page.js';
import { shownStateText } from '../parts/states.js';
import { reasonText } from '../parts/labels.js';
import { filterIn, NOT_YET, searchOf } from '../site/unit-filter.js';
import { COLUMNS_WITH_SINCE } from '../lists/unit-list.js';
import { UnitTenants } from '../lists/unit-tenants.js';
import { CompanyFrame } from '../frame/company-frame.js';
import { companyPath } from '../links/paths.js';

type Company = ResultOf<CompanyAdministration['readCompany']>;

/** As the address gives it: not yet validated. */
interface UnitsQuery {
  readonly state?: string | undefined;
  readonly reason?: string | undefined;
  readonly location_id?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The units of a company: all, or those of a location, in a state, for a reason. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class CompanyUnitPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly units: OperatorUnitSearch,
    private readonly tenants: UnitTenants,
  ) {}

  @Costly()
  @Get('units')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = await this.companies.readCompany(company_id, context.principal);
    const list = this.#list(company, query, context);
    const { view } = await list.show(query.cursor);
    const content = (
      <CompanyFrame company={company}>
        <Section title={list.title}>{view}</Section>
      </CompanyFrame>
    );
    return new Page(company.name, content, 200, {
      tab: list.title,
      heading: 'Units',
      company_id,
    });
  }

  @Costly()
  @Get('units.csv')
  async csv(
    @Param('company_id') company_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    return this.#list(await this.companies.readCompany(company_id, context.principal), query, context).csv();
  }

  /** @throws ApiError 422 for a state or a reason that does not exist */
  #list(
    { company_id, locations }: Company,
    { state, reason, location_id }: UnitsQuery,
    { principal }: OperatorContext,
  ) {
    const given = validQuery(UnitSearchQuery, { company_id, reason, location_id });
    const wanted = { ...given, ...searchOf(filterIn(state), given.reason) };
    const path = `${companyPath(company_id)}/units`;
    const title = titleOf(wanted, locations.find((one) => one.location_id === location_id)?.name);
    const list = listPage({
      caption: title,
      name: 'units',
      path,
      file: `${path}.csv`,
      query: { state, reason, location_id },
      columns: COLUMNS_WITH_SINCE,
      keyOf: ({ unit_id }) => unit_id,
      read: async (range) => {
        const { units, next_cursor } = await this.units.page({ ...wanted, ...range }, principal);
        return { rows: await this.tenants.withTenants(units), next_cursor };
      },
      empty: 'No units. Units appear when your PMS syncs.',
    });
    return { ...list, title };
  }
}

function titleOf({ state, reason }: UnitSearchQuery, location_name: string | undefined): string {
  const units = location_name === undefined ? 'Units' : `Units at ${location_name}`;
  if (reason === NOT_YET) return `${units}: ${shownStateText('early')}`;
  const texts = [...(state ? [shownStateText(state)] : []), ...(reason ? [reasonText(reason)] : [])];
  return texts.length === 0 ? units : `${units}: ${texts.join(', ')}`;
}
