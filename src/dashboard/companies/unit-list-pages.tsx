import { Get, Param } from '@nestjs/common';
import { ForOperators } from '../../http/operator-access.js';
import { Context, type OperatorContext } from '../../http/request-context.js';
import { Costly } from '../../http/route-options.js';
import { PlainQuery, validQuery } from '../../http/validation/valid.js';
import { CompaniesController, OperatorUnitSearch, UnitSearchQuery } from '../../operator/index.js';
import { Page, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { Section } from '../parts/layout.js';
import { listPage } from '../parts/list-page.js';
import { shownStateText } from '../parts/states.js';
import { reasonText } from '../parts/labels.js';
import { filterIn, NOT_YET, searchOf } from '../site/unit-filter.js';
import { COLUMNS_WITH_SINCE } from '../units/unit-list.js';
import { UnitTenants } from '../units/unit-tenants.js';
import { CompanyFrame, companyPath } from './company-frame.js';

/** As the address gives it: not yet validated. */
interface UnitsQuery {
  readonly state?: string | undefined;
  readonly reason?: string | undefined;
  readonly cursor?: string | undefined;
}

/** The units of a company, all or those in a state, for a reason. */
@ForOperators('auditor')
@Pages('dashboard/companies/:company_id')
export class CompanyUnitPages {
  constructor(
    private readonly companies: CompaniesController,
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
    const company = (await this.companies.one(company_id)).data;
    const list = this.#list(company_id, query, context);
    const { view } = await list.show(query.cursor);
    const content = (
      <CompanyFrame company={company} role={context.principal.role} current="/units">
        <Section title={list.title}>{view}</Section>
      </CompanyFrame>
    );
    return new Page(company.name, content, 200, { tab: list.title, company_id });
  }

  @Costly()
  @Get('units.csv')
  async csv(
    @Param('company_id') company_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    await this.companies.one(company_id);
    return this.#list(company_id, query, context).csv();
  }

  /** @throws ApiError 422 for a state or a reason that does not exist */
  #list(company_id: string, { state, reason }: UnitsQuery, { principal }: OperatorContext) {
    const given = validQuery(UnitSearchQuery, { company_id, reason });
    const wanted = { company_id, ...searchOf(filterIn(state), given.reason) };
    const path = `${companyPath(company_id)}/units`;
    const title = titleOf(wanted);
    const list = listPage({
      ...{ caption: title, name: 'units', path, file: `${path}.csv`, query: { state, reason } },
      columns: COLUMNS_WITH_SINCE,
      keyOf: ({ unit_id }) => unit_id,
      read: async (range) => {
        const { units, next_cursor } = await this.units.page({ ...wanted, ...range }, principal);
        return { rows: await this.tenants.of(units), next_cursor };
      },
      empty: 'No units. Units appear when your PMS syncs.',
    });
    return { ...list, title };
  }
}

function titleOf({ state, reason }: UnitSearchQuery): string {
  if (reason === NOT_YET) return `Units: ${shownStateText('early')}`;
  const texts = [...(state ? [shownStateText(state)] : []), ...(reason ? [reasonText(reason)] : [])];
  return texts.length === 0 ? 'Units' : `Units: ${texts.join(', ')}`;
}
