import type { ComponentChild } from 'preact';
import type { ResultOf } from '#kernel/result-of.js';
import { type CompanyAdministration, UnitSearchQuery } from '#api/operator/index.js';
import { validQuery } from '#web/validation/read-query.js';
import { companyPath } from '../links/paths.js';
import { withQuery } from '../links/with-query.js';
import { COLUMNS_WITH_SINCE, type LockedUnit } from '../lists/unit-list.js';
import { ChosenFilter } from '../parts/chosen-filter.js';
import { capitalized, reasonText } from '../parts/labels.js';
import { Empty } from '../parts/layout.js';
import { ExportCsv, ListCard, ListFoot, PhoneSort } from '../parts/list-card.js';
import { type Column, RowTable } from '../parts/list-page.js';
import { pageNumberIn } from '../parts/numbered-pages.js';
import { searchText } from '../parts/search-text.js';
import { SiteMenu } from '../parts/site-menu.js';
import { orderOf, type SortColumns, sortLinks } from '../parts/sorting.js';
import { TableSearch } from '../parts/table-search.js';
import { KNOWN_SINCE } from '../parts/times.js';
import { StateFilter } from '../site/site-map-view.js';
import { filterIn, filterText, NOT_YET } from '../site/unit-filter.js';
import { type Sort, SORTS } from '../site/unit-table.js';
import { type AskedUnits, MOST_SITES, type UnitListPage } from './company-units.reader.js';

type Company = ResultOf<CompanyAdministration['readCompany']>;

/** As the address gives it: not yet validated. */
export interface UnitsQuery {
  readonly state?: string | undefined;
  readonly reason?: string | undefined;
  readonly location_id?: string | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly page?: string | undefined;
  readonly cursor?: string | undefined;
}

/** What an address asks for. @throws ApiError 422 for a state or a reason that does not exist */
export function askedUnits({ company_id, locations }: Company, query: UnitsQuery): AskedUnits {
  const { state, q, sort, page, cursor } = query;
  const { reason, location_id } = validQuery(UnitSearchQuery, {
    company_id,
    reason: query.reason || undefined,
    location_id: query.location_id || undefined,
  });
  return {
    company_id,
    sites: location_id === undefined ? locations : locations.filter((one) => one.location_id === location_id),
    filter: filterIn(state || undefined),
    reason,
    q: searchText({ q }) || undefined,
    order: orderOf(sort, SORTS),
    page: pageNumberIn(page),
    cursor: cursor || undefined,
  };
}

/** `Units at Lake Street: Locked out, past due` */
export function titleOf({ sites, filter, reason }: AskedUnits, all: Company['locations']): string {
  const [site] = sites.length < all.length ? sites : [];
  const units = site === undefined ? 'Units' : `Units at ${site.name}`;
  if (reason === NOT_YET) return `${units}: ${filterText('early')}`;
  const texts = [filter === undefined ? [] : filterText(filter), reason ? reasonText(reason) : []].flat();
  return texts.length === 0 ? units : `${units}: ${texts.join(', ')}`;
}

interface UnitListProps {
  readonly list: UnitListPage;
  readonly asked: AskedUnits;
  /** All sites of the company that the viewer sees. */
  readonly sites: Company['locations'];
  /** The page of the list. */
  readonly path: string;
}

/** The units of a company with their filters, their search and their file. */
export function UnitList(props: UnitListProps) {
  const { list, asked, sites, path } = props;
  const query = queryOf(props);
  const { q, sort, location_id } = query;
  return (
    <>
      <StateFilter
        path={withQuery(path, { q, sort, location_id })}
        current={query.state}
        counts={list.whole?.counts}
      />
      <div class="bar">
        {list.whole === undefined ? null : <Search {...props} />}
        {sites.length < 2 ? null : (
          <SiteMenu
            label="Units by site"
            sites={sites}
            chosen={location_id}
            pathOf={(chosen) => withQuery(path, { ...query, location_id: chosen })}
          />
        )}
        {asked.reason === undefined ? null : (
          <ChosenReason of={asked.reason} href={withQuery(path, { ...query, reason: undefined })} />
        )}
        {list.rows.length === 0 ? null : <ExportCsv path={withQuery(`${path}.csv`, query)} />}
      </div>
      {list.whole === undefined ? (
        <p class="hint">Choose a site to search and sort its units: there are over {MOST_SITES} sites.</p>
      ) : null}
      <ListCard
        title={titleOf(asked, sites)}
        empty={list.rows.length === 0 ? <Empty>{emptyText(props)}</Empty> : undefined}
        rows={<Rows {...props} />}
        foot={<ListFoot list={list} path={withQuery(path, query)} />}
      />
    </>
  );
}

/** The reason that narrows the list, as a button that takes it off. */
function ChosenReason({ of, href }: { readonly of: string; readonly href: string }) {
  return <ChosenFilter text={capitalized(reasonText(of))} without="all reasons" href={href} />;
}

/** Without the page. */
function queryOf({ asked, sites }: Pick<UnitListProps, 'asked' | 'sites'>) {
  const { filter, reason, q, order } = asked;
  const isUsual = order.sort === 'unit' && !order.isDescending;
  return {
    q,
    sort: isUsual ? undefined : `${order.isDescending ? '-' : ''}${order.sort}`,
    location_id: asked.sites.length < sites.length ? (asked.sites[0]?.location_id ?? '') : undefined,
    state: filter,
    reason,
  };
}

const SORTED: SortColumns<Sort> = [
  ['Unit', 'unit'],
  ['Tenant', 'tenant'],
  ['Access', 'state'],
  ['Balance', 'balance'],
  [KNOWN_SINCE, 'since'],
];

function Search(props: UnitListProps) {
  const { q, ...query } = queryOf(props);
  const kept = { ...query, sort: undefined };
  return (
    <TableSearch of="Units" label="Unit or tenant" path={props.path} q={q} kept={kept}>
      <PhoneSort columns={SORTED} order={props.asked.order} />
    </TableSearch>
  );
}

/** A search finds a unit by its identifier of the PMS, which is mostly its name. */
const COLUMNS = COLUMNS_WITH_SINCE.filter(({ title }) => title !== 'PMS id').map(
  (column): Column<LockedUnit> => (column.title === 'Balance' ? { ...column, fit: 'top-end' } : column),
);
const COLUMNS_OF_ONE_SITE = COLUMNS.filter(({ title }) => title !== 'Site');

function Rows(props: UnitListProps) {
  const { list, asked, sites, path } = props;
  return (
    <RowTable
      caption="Units"
      columns={sites.length < 2 ? COLUMNS_OF_ONE_SITE : COLUMNS}
      keyOf={({ unit_id }) => unit_id}
      rows={list.rows}
      sortOf={
        list.whole && sortLinks(SORTED, asked.order, (sort) => withQuery(path, { ...queryOf(props), sort }))
      }
    />
  );
}

function emptyText({ asked: { company_id, q, filter, reason }, list, sites }: UnitListProps): ComponentChild {
  if (sites.length === 0)
    return (
      <>
        No site yet, and units belong to one: see <a href={companyPath(company_id)}>Sites</a>.
      </>
    );
  if (list.next_cursor !== null) return 'No match on this page.';
  if ((q ?? filter ?? reason) !== undefined) return 'No match.';
  return 'No unit yet. Units appear when your PMS syncs.';
}
