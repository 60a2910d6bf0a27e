import { Get, Param } from '@nestjs/common';
import { ACCESS_REASONS, ACCESS_STATES } from '../../access/index.js';
import {
  Context,
  Costly,
  ForOperators,
  type OperatorContext,
  PlainQuery,
  validQuery,
} from '../../http/index.js';
import { CompaniesController, OperatorUnitsController, UnitSearchQuery } from '../../operator/index.js';
import { Page, type StreamedDownload } from '../frame/page.js';
import { Pages } from '../frame/pages.js';
import { csvOfPages } from '../parts/csv.js';
import { Empty, ListEnd, Section } from '../parts/layout.js';
import { STATE_TEXTS } from '../parts/states.js';
import { nameText } from '../parts/words.js';
import { UNIT_COLUMNS, unitRows, UnitTable } from '../units/unit-list.js';
import { CompanyFrame, companyPath } from './company-frame.js';

interface UnitsQuery {
  readonly state?: string;
  readonly reason?: string;
  readonly cursor?: string | undefined;
}

const PAGE_OF_UNITS = '100';
const LARGEST_PAGE = '500';

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
    const company = (await this.companies.one(company_id)).data!;
    const { units, next_cursor } = await this.#units(company_id, query, PAGE_OF_UNITS, context);
    const path = `${companyPath(company_id)}/units`;
    const content = (
      <CompanyFrame company={company} role={context.principal.role} current="/units">
        <Section title={titleOf(query)}>
          {units.length > 0 ? (
            <UnitTable caption={titleOf(query)} units={units} />
          ) : (
            <Empty>
              {next_cursor === null
                ? 'None. The PMS makes units by writing of them; others are added at their location.'
                : 'None on this page.'}
            </Empty>
          )}
          <ListEnd path={path} file={`${path}.csv`} query={chosen(query)} cursor={next_cursor} />
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
    const read = (cursor?: string) =>
      this.#units(company_id, { ...chosen(query), cursor }, LARGEST_PAGE, context);
    return csvOfPages('units', UNIT_COLUMNS, { read, rows: unitRows });
  }

  async #units(company_id: string, query: UnitsQuery, limit: string, context: OperatorContext) {
    const { cursor } = query;
    const wanted = { company_id, ...chosen(query), limit, ...(cursor ? { cursor } : {}) };
    return (await this.units.list(validQuery(UnitSearchQuery, wanted), context)).data!;
  }
}

/** What of an address's query is known. */
function chosen({ state, reason }: UnitsQuery) {
  const states = ACCESS_STATES.filter((one) => one === state).map((one) => ({ state: one }));
  const reasons = ACCESS_REASONS.filter((one) => one === reason).map((one) => ({ reason: one }));
  return { ...states[0], ...reasons[0] };
}

function titleOf(query: UnitsQuery): string {
  const { state, reason } = chosen(query);
  if (state === undefined) return reason === undefined ? 'Units' : `Units: ${nameText(reason)}`;
  return `Units: ${STATE_TEXTS[state]}${reason === undefined ? '' : `, ${nameText(reason)}`}`;
}
