import { Get, Param } from '@nestjs/common';
import { ForOperators, ForSiteOperators } from '#web/operator-access.js';
import { Context, type OperatorContext } from '#web/request-context.js';
import { Costly } from '#web/route-options.js';
import { PlainQuery } from '#web/validation/parameters.js';
import { CompanyAdministration } from '#api/operator/index.js';
import { CompanyFrame } from '../frame/company-frame.js';
import { Pages } from '../frame/pages.js';
import { companyPath } from '../links/paths.js';
import { Page, type StreamedDownload } from '../page/page.js';
import { countText } from '../parts/words.js';
import { rentedText } from '../site/unit-filter.js';
import { type AskedUnits, CompanyUnitsReader, type UnitListPage } from './company-units.reader.js';
import { askedUnits, titleOf, UnitList, type UnitsQuery } from './unit-list.js';

/** The units of a company: all, or those of a location, in a state, for a reason. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class CompanyUnitPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly units: CompanyUnitsReader,
  ) {}

  @Costly()
  @Get('units')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = await this.companies.readCompany(company_id, context.principal);
    const asked = askedUnits(company, query);
    const list = await this.units.read(asked, context);
    const content = (
      <CompanyFrame company={company}>
        <UnitList {...{ list, asked }} sites={company.locations} path={`${companyPath(company_id)}/units`} />
      </CompanyFrame>
    );
    return new Page(company.name, content, 200, {
      tab: titleOf(asked, company.locations),
      heading: 'Units',
      sub: rentedAt(list, asked),
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
    const company = await this.companies.readCompany(company_id, context.principal);
    return this.units.csv(askedUnits(company, query), context);
  }
}

/** `470 of 530 rented at 3 sites`. Undefined: the units are not counted, or a search narrows them. */
function rentedAt({ whole }: UnitListPage, { q, sites }: AskedUnits): string | undefined {
  const rented = q === undefined && whole !== undefined ? rentedText(whole.counts) : undefined;
  return rented && `${rented} at ${countText(sites.length, 'site')}`;
}
