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
import { inMemory } from '../parts/in-memory.js';
import { listPage, type ListRange } from '../parts/list-page.js';
import { searchText } from '../parts/search-text.js';
import { orderOf, SortChoice, type SortColumns, sortLinks } from '../parts/sorting.js';
import { KNOWN_SINCE } from '../parts/times.js';
import { withQuery } from '../links/with-query.js';
import { reasonText } from '../parts/labels.js';
import { StateFilter } from '../site/site-map-view.js';
import type { StateCounts, UnitFilter } from '../site/site-map.js';
import { filterIn, filterText, NOT_YET, searchOf } from '../site/unit-filter.js';
import { type Sort, SORTS } from '../site/unit-table.js';
import { COLUMNS_WITH_SINCE, type LockedUnit } from '../lists/unit-list.js';
import { UnitTenants } from '../lists/unit-tenants.js';
import { CompanyFrame } from '../frame/company-frame.js';
import { companyPath } from '../links/paths.js';
import { CompanyUnitsReader } from './company-units.reader.js';

type Company = ResultOf<CompanyAdministration['readCompany']>;

/** As the address gives it: not yet validated. */
interface UnitsQuery {
  readonly state?: string | undefined;
  readonly reason?: string | undefined;
  readonly location_id?: string | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly cursor?: string | undefined;
}

/** Sites whose units are read whole. Of more, one is chosen first; until then their units are listed as they stand. */
const MOST_SITES = 50;

const COLUMNS: SortColumns<Sort> = [
  ['Unit', 'unit'],
  ['Tenant', 'tenant'],
  ['Access', 'state'],
  ['Balance', 'balance'],
  [KNOWN_SINCE, 'since'],
];

/** The units of a company: all, or those of a location, in a state, for a reason. */
@ForOperators('auditor')
@ForSiteOperators('narrowed')
@Pages('dashboard/companies/:company_id')
export class CompanyUnitPages {
  constructor(
    private readonly companies: CompanyAdministration,
    private readonly units: OperatorUnitSearch,
    private readonly tenants: UnitTenants,
    private readonly reader: CompanyUnitsReader,
  ) {}

  @Costly()
  @Get('units')
  async show(
    @Param('company_id') company_id: string,
    @PlainQuery() query: UnitsQuery,
    @Context() context: OperatorContext,
  ): Promise<Page> {
    const company = await this.companies.readCompany(company_id, context.principal);
    const asked = askedIn(company, query);
    const list = await this.#list(company, asked, context);
    const { view } = await list.show(query.cursor);
    const content = (
      <CompanyFrame company={company}>
        <UnitFilters company={company} asked={asked} counts={list.counts} />
        <Section title={asked.title}>{view}</Section>
      </CompanyFrame>
    );
    return new Page(company.name, content, 200, {
      tab: asked.title,
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
    const company = await this.companies.readCompany(company_id, context.principal);
    return (await this.#list(company, askedIn(company, query), context)).csv();
  }

  async #list({ company_id }: Company, asked: Asked, context: OperatorContext) {
    const { sites, filter, given, q, order, query } = asked;
    const whole =
      sites.length > MOST_SITES
        ? undefined
        : await this.reader.read(company_id, sites, { filter, reason: given.reason, q, order }, context);
    const path = `${companyPath(company_id)}/units`;
    const list = listPage<LockedUnit>({
      caption: asked.title,
      name: 'units',
      path,
      file: `${path}.csv`,
      query,
      columns: COLUMNS_WITH_SINCE,
      keyOf: ({ unit_id }) => unit_id,
      read: async (range) => {
        if (whole === undefined) return this.#pageOf(asked, range, context);
        const page = await inMemory(whole.units, ({ unit_id }) => unit_id)(range);
        return { ...page, rows: await this.reader.toRows(company_id, page.rows, context) };
      },
      sortOf: whole && sortLinks(COLUMNS, order, (sort) => withQuery(path, { ...query, sort })),
      empty: Object.values(query).some((one) => one !== undefined)
        ? 'No match.'
        : 'No units. Units appear when your PMS syncs.',
    });
    return { ...list, counts: whole?.counts };
  }

  /** Of too many sites to read them whole: in no order. */
  async #pageOf({ filter, given }: Asked, range: ListRange, { principal }: OperatorContext) {
    const wanted = { ...given, ...searchOf(filter, given.reason) };
    const { units, next_cursor } = await this.units.page({ ...wanted, ...range }, principal);
    return { rows: await this.tenants.withTenants(units), next_cursor };
  }
}

/** What an address asks for. @throws ApiError 422 for a state or a reason that does not exist */
function askedIn({ company_id, locations }: Company, { state, reason, location_id, q, sort }: UnitsQuery) {
  const given = validQuery(UnitSearchQuery, { company_id, reason, location_id: location_id || undefined });
  const filter = filterIn(state);
  const found = searchText({ q }) || undefined;
  const order = orderOf(sort, SORTS);
  const site = locations.find((one) => one.location_id === given.location_id);
  return {
    filter,
    given,
    order,
    q: found,
    sites: given.location_id === undefined ? locations : site === undefined ? [] : [site],
    title: titleOf({ ...given, ...searchOf(filter, given.reason) }, filter, site?.name),
    /** Without the page. */
    query: { state, reason, location_id: given.location_id, q: found, sort: sort || undefined },
  };
}

type Asked = ReturnType<typeof askedIn>;

interface FiltersProps {
  readonly company: Company;
  readonly asked: Asked;
  /** Undefined: there are too many sites to count their units. */
  readonly counts: StateCounts | undefined;
}

function UnitFilters({ company: { company_id, locations }, asked, counts }: FiltersProps) {
  const path = `${companyPath(company_id)}/units`;
  const { query, order } = asked;
  const { q, sort, location_id, state, reason } = query;
  return (
    <>
      <StateFilter path={withQuery(path, { q, sort, location_id })} current={state} counts={counts} />
      <form class="form line" method="get" action={path} id="form-filter" role="search" aria-label="Units">
        {counts === undefined ? null : (
          <div class="field">
            <label for="filter-q">Unit or tenant</label>
            <input type="search" id="filter-q" name="q" value={q ?? ''} maxLength={255} />
          </div>
        )}
        {locations.length < 2 ? null : (
          <div class="field">
            <label for="filter-site">Site</label>
            <select id="filter-site" name="location_id">
              <option value="">All sites</option>
              {locations.map((one) => (
                <option
                  key={one.location_id}
                  value={one.location_id}
                  selected={one.location_id === location_id}
                >
                  {one.name}
                </option>
              ))}
            </select>
          </div>
        )}
        {state === undefined ? null : <input type="hidden" name="state" value={state} />}
        {reason === undefined ? null : <input type="hidden" name="reason" value={reason} />}
        {counts === undefined ? null : <SortChoice columns={COLUMNS} order={order} />}
        <button class="quiet">Filter</button>
      </form>
      {counts === undefined ? (
        <p class="hint">Choose a site to search and sort its units: there are over {MOST_SITES} sites.</p>
      ) : null}
    </>
  );
}

function titleOf(
  { reason }: UnitSearchQuery,
  filter: UnitFilter | undefined,
  location_name: string | undefined,
): string {
  const units = location_name === undefined ? 'Units' : `Units at ${location_name}`;
  if (reason === NOT_YET) return `${units}: ${filterText('early')}`;
  const texts = [filter === undefined ? [] : filterText(filter), reason ? reasonText(reason) : []].flat();
  return texts.length === 0 ? units : `${units}: ${texts.join(', ')}`;
}
