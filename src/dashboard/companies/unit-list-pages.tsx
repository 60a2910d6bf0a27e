import { Get, Param } from '@nestjs/common';
import {
  Context,
  Costly,
  ForOperators,
  LARGEST_PAGE,
  type OperatorContext,
  PlainQuery,
  validQuery,
} from '../../http/index.js';
import { CompaniesController, OperatorUnitsController, UnitSearchQuery } from '../../operator/index.js';
import { Page, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { csvOfPages } from '../parts/csv.js';
import { Empty, ListEnd, Section } from '../parts/layout.js';
import { mayDo } from '../parts/roles.js';
import { STATE_TEXTS } from '../parts/states.js';
import { nameText } from '../parts/words.js';
import { UNIT_COLUMNS, unitRows, UnitTable } from '../units/unit-list.js';
import { CompanyFrame, companyPath } from './company-frame.js';

/** Of an address: not yet known to be valid. */
interface UnitsQuery {
  readonly state?: string | undefined;
  readonly reason?: string | undefined;
  readonly cursor?: string | undefined;
}

const PAGE_OF_UNITS = '100';

/** The units of a company, all or those in a state, for a reason. */
@ForOperators('auditor')
@Pages('dashboard/companies/:company_id')
export class CompanyUnitPages {
  constructor(
    private readonly companies: CompaniesController,
    private readonly units: OperatorUnitsController,
  ) {}

  @Costly()
  @Get('units')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = (await this.companies.one(company_id)).data;
    const wanted = searchOf(company_id, query, PAGE_OF_UNITS);
    const { units, next_cursor } = (await this.units.list(wanted, context)).data;
    const { role } = context.principal;
    const { state, reason } = wanted;
    const title = titleOf(wanted);
    const path = `${companyPath(company_id)}/units`;
    const content = (
      <CompanyFrame company={company} role={role} current="/units">
        <Section title={title}>
          {units.length > 0 ? (
            <UnitTable caption={title} units={units} />
          ) : (
            <Empty>
              {next_cursor === null
                ? `None. The PMS makes units by writing of them${mayDo(role, 'manager') ? '; others are added at their location' : ''}.`
                : 'None on this page.'}
            </Empty>
          )}
          <ListEnd path={path} file={`${path}.csv`} query={{ state, reason }} cursor={next_cursor} />
        </Section>
      </CompanyFrame>
    );
    return new Page(company.name, content);
  }

  @Costly()
  @Get('units.csv')
  async csv(
    @Param('company_id') company_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<StreamedDownload> {
    await this.companies.one(company_id);
    const { state, reason } = query;
    const read = async (cursor?: string) => {
      const wanted = searchOf(company_id, { state, reason, cursor }, String(LARGEST_PAGE));
      return (await this.units.list(wanted, context)).data;
    };
    return csvOfPages('units', UNIT_COLUMNS, { read, rows: unitRows });
  }
}

/** @throws ApiError 422 for a state or a reason that there is not: all units would be told instead */
function searchOf(company_id: string, { state, reason, cursor }: UnitsQuery, limit: string): UnitSearchQuery {
  return validQuery(UnitSearchQuery, { company_id, state, reason, limit, ...(cursor ? { cursor } : {}) });
}

function titleOf({ state, reason }: UnitSearchQuery): string {
  if (state === undefined) return reason === undefined ? 'Units' : `Units: ${nameText(reason)}`;
  return `Units: ${STATE_TEXTS[state]}${reason === undefined ? '' : `, ${nameText(reason)}`}`;
}
