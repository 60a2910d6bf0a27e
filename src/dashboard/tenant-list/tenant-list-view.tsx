import { Icon } from '../parts/icon.js';
import { Empty, None, Tabs } from '../parts/layout.js';
import { ExportCsv, ListCard, ListFoot, PhoneSort } from '../parts/list-card.js';
import { type Column, RowTable } from '../parts/list-page.js';
import { pageNumberIn } from '../parts/numbered-pages.js';
import { searchText } from '../parts/search-text.js';
import { SiteMenu } from '../parts/site-menu.js';
import { type Order, orderOf, type SortColumns, sortLinks } from '../parts/sorting.js';
import { ReasonMark } from '../parts/states.js';
import { TableSearch } from '../parts/table-search.js';
import { nameOf, PhoneLink, TenantLink } from '../parts/tenant-links.js';
import { Recent } from '../parts/times.js';
import { UnitLink } from '../parts/unit-link.js';
import { amountText, countText } from '../parts/words.js';
import { locationPath } from '../links/paths.js';
import { FILLS_PEEK } from '../peek/peek-parts.js';
import { withQuery } from '../links/with-query.js';
import { type AskedTenants, MOST_SITES, type TenantListPage, type TenantRow } from './tenant-list.reader.js';
import { TenantMenu } from './tenant-menu.js';
import { tenantPeekPath } from './tenant-peek.js';
import {
  TENANT_FILTERS,
  TENANT_SORTS,
  type TenantCounts,
  type TenantFilter,
  type TenantSite,
  type TenantSort,
} from './tenant-table.js';

/** As the address gives it: not yet validated. */
export interface TenantsQuery {
  /** A filter. */
  readonly state?: string | undefined;
  readonly q?: string | undefined;
  readonly sort?: string | undefined;
  readonly page?: string | undefined;
  readonly cursor?: string | undefined;
  /** On the page of a company: the only site. */
  readonly location_id?: string | undefined;
  /** The tenant in the panel. */
  readonly peek?: string | undefined;
}

/** Who owes most comes first. */
const USUAL_ORDER: Order<TenantSort> = { sort: 'owed', isDescending: true };

/** What an address asks for. An unknown filter or order means the usual one. @param sites that the list may show */
export function askedTenants(
  company_id: string,
  sites: readonly TenantSite[],
  { state, q, sort, page, cursor, location_id }: TenantsQuery,
): AskedTenants {
  const isChosen = location_id !== undefined && location_id !== '';
  return {
    company_id,
    sites: isChosen ? sites.filter((site) => site.location_id === location_id) : sites,
    filter: TENANT_FILTERS.find((one) => one === state),
    q: searchText({ q }) || undefined,
    order: orderOf(sort, TENANT_SORTS, USUAL_ORDER),
    page: pageNumberIn(page),
    cursor: cursor || undefined,
  };
}

/** How many rent. Undefined: the list is not read whole, or a search narrows it. */
export function rentingIn({ whole }: TenantListPage, { q }: AskedTenants): number | undefined {
  return q === undefined ? whole?.counts.get('renting') : undefined;
}

const FILTER_TEXTS: Readonly<Record<TenantFilter, string>> = {
  renting: 'Renting',
  locked_out: 'Locked out',
  late: 'Late, not locked yet',
  let_in: 'Let in by staff',
  auction: 'In auction',
  no_phone: 'No phone',
  no_unit: 'No unit',
  guest: 'Guests',
  pass_holder: 'Pass holders',
};

const DOTS: Readonly<Partial<Record<TenantFilter, string>>> = {
  locked_out: 'dot bad',
  late: 'dot warn',
  let_in: 'dot good',
};

interface TenantListProps {
  readonly list: TenantListPage;
  readonly asked: AskedTenants;
  /** The page of the list. */
  readonly path: string;
  /** The sites to choose from; undefined on the page of one. */
  readonly sites: readonly TenantSite[] | undefined;
  /** The tenant in the panel. */
  readonly peeked: string | undefined;
  readonly mayChange: boolean;
}

/** A list of tenants with its filters, its search and its file. */
export function TenantList(props: TenantListProps) {
  const { list, path } = props;
  const query = queryOf(props);
  return (
    <>
      {list.whole === undefined ? null : (
        <Filters {...props} counts={list.whole.counts} found={list.whole.found} />
      )}
      <div class="bar">
        <Search {...props} />
        <Sites {...props} />
        {list.rows.length === 0 ? null : <ExportCsv path={withQuery(`${path}.csv`, query)} />}
      </div>
      {list.whole === undefined ? (
        <p class="hint">Choose a site to filter and sort its tenants: there are over {MOST_SITES} sites.</p>
      ) : null}
      <ListCard
        title="Tenants"
        empty={list.rows.length === 0 ? <Empty>{emptyText(props)}</Empty> : undefined}
        rows={<Rows {...props} />}
        foot={<ListFoot list={list} path={withQuery(path, query)} />}
      />
    </>
  );
}

/** Without the page. */
function queryOf({ asked: { filter, q, order, sites }, sites: all }: Pick<Shown, 'asked' | 'sites'>) {
  const isUsual = order.sort === 'owed' && order.isDescending;
  return {
    state: filter,
    q,
    sort: isUsual ? undefined : `${order.isDescending ? '-' : ''}${order.sort}`,
    location_id: all !== undefined && sites.length < all.length ? (sites[0]?.location_id ?? '') : undefined,
  };
}

type Shown = Pick<TenantListProps, 'list' | 'asked' | 'path' | 'sites'>;

/** The address of the part of the list that is shown, to which a row adds its panel. */
export function shownPath(shown: Shown): string {
  const { list, asked, path } = shown;
  const page = list.whole === undefined || asked.page === 1 ? undefined : String(asked.page);
  return withQuery(path, { ...queryOf(shown), page, cursor: asked.cursor });
}

interface FiltersProps extends TenantListProps {
  readonly counts: TenantCounts;
  readonly found: number;
}

function Filters({ counts, found, ...list }: FiltersProps) {
  const { path, asked } = list;
  const pathOf = (state: TenantFilter | undefined) => withQuery(path, { ...queryOf(list), state });
  const shown = TENANT_FILTERS.filter((one) => one === asked.filter || (counts.get(one) ?? 0) > 0);
  const chip = (filter: TenantFilter | undefined, text: string, count: number) =>
    [
      pathOf(filter),
      <>
        {filter === undefined || DOTS[filter] === undefined ? null : <span class={DOTS[filter]} />}
        {text} <b>{count.toLocaleString('en-US')}</b>
      </>,
    ] as const;
  return (
    <div class="bar">
      <Tabs
        kind="chips"
        label="Which tenants"
        of={[
          chip(undefined, 'Everyone', found),
          ...shown.map((one) => chip(one, FILTER_TEXTS[one], counts.get(one) ?? 0)),
        ]}
        current={pathOf(asked.filter)}
      />
    </div>
  );
}

function Search(props: TenantListProps) {
  const { path, list } = props;
  const label = `Name, phone, e-mail${list.whole === undefined ? '' : ', unit'} or PMS id`;
  const { q, ...query } = queryOf(props);
  const kept = { ...query, sort: undefined };
  return (
    <TableSearch of="Tenants" {...{ path, q, label, kept }}>
      {list.whole === undefined ? null : <PhoneSort columns={SORTED} order={props.asked.order} />}
    </TableSearch>
  );
}

function Sites(props: TenantListProps) {
  const { path, asked, sites } = props;
  if (sites === undefined || sites.length < 2) return null;
  return (
    <SiteMenu
      label="Tenants by site"
      sites={sites}
      chosen={asked.sites.length < sites.length ? asked.sites[0]?.location_id : undefined}
      pathOf={(location_id) => withQuery(path, { ...queryOf(props), location_id })}
    />
  );
}

function emptyText({ asked: { q, filter }, list }: TenantListProps): string {
  if (list.next_cursor !== null) return 'No match on this page.';
  if ((q ?? filter) !== undefined) return 'No match.';
  return 'No tenant yet. Tenants appear when your PMS moves them in.';
}

const SORTED: SortColumns<TenantSort> = [
  ['Name', 'name'],
  ['Site', 'site'],
  ['Owed', 'owed'],
  ['Late', 'late'],
];

function Rows(props: TenantListProps) {
  const { list, asked, path, sites = [] } = props;
  const query = queryOf(props);
  // A figure is looked for from its greatest.
  const hrefOf = (sort: string) => {
    const isOther = sort === 'owed' || sort === 'late';
    const turned = isOther && asked.order.sort !== sort ? `-${sort}` : sort;
    return withQuery(path, { ...query, sort: turned === '-owed' ? undefined : turned });
  };
  return (
    <RowTable
      caption="Tenants"
      columns={columnsOf(props, sites.length > 1)}
      keyOf={({ tenant_id }) => tenant_id}
      rows={list.rows}
      sortOf={list.whole === undefined ? undefined : sortLinks(SORTED, asked.order, hrefOf)}
    />
  );
}

function columnsOf(props: TenantListProps, hasSites: boolean): readonly Column<TenantRow>[] {
  const { peeked, mayChange } = props;
  const { now } = props.list;
  const here = shownPath(props);
  const site: Column<TenantRow> = {
    title: 'Site',
    fit: 'wide',
    cell: ({ site: { location_id, name } }) => (
      <a class="soft" href={locationPath(location_id)}>
        {name}
      </a>
    ),
  };
  return [
    {
      title: 'Name',
      cell: (tenant) => <TenantLink tenant={tenant} />,
    },
    { title: 'Phone', cell: ({ phone }) => (phone === null ? <None>–</None> : <PhoneLink phone={phone} />) },
    { title: 'Units', cell: (tenant) => <Units of={tenant} /> },
    ...(hasSites ? [site] : []),
    {
      title: 'Owed',
      fit: 'top-end',
      cell: ({ owed, site: { currency } }) => (owed ? amountText(owed, currency) : <None>–</None>),
    },
    {
      title: 'Late',
      fit: 'wide off',
      cell: ({ days_late }) => (days_late === null ? <None>–</None> : countText(days_late, 'day')),
    },
    {
      title: 'Unit opened',
      fit: 'roomy off',
      cell: ({ last_opened_at: at, site: { timezone } }) =>
        at === null ? <None>–</None> : <Recent at={at} zone={timezone} now={now} />,
    },
    {
      title: 'Look',
      fit: 'acts',
      cell: (tenant) => <Look of={tenant} here={here} isPeeked={tenant.tenant_id === peeked} />,
    },
    { title: 'More', fit: 'acts off', cell: (tenant) => <TenantMenu of={tenant} mayChange={mayChange} /> },
  ];
}

interface LookProps {
  readonly of: TenantRow;
  readonly here: string;
  readonly isPeeked: boolean;
}

function Look({ of, here, isPeeked }: LookProps) {
  return (
    <a
      class="button ghost only small"
      href={tenantPeekPath(here, of)}
      data-peeks
      aria-label={`Look at ${nameOf(of)}`}
      aria-current={isPeeked ? 'true' : undefined}
      {...FILLS_PEEK}
    >
      <Icon name="chevron-right" />
    </a>
  );
}

/** So many units are named. */
const MOST_NAMED = 3;

function Units({ of: { units, unit_count } }: { readonly of: TenantRow }) {
  if (unit_count === 0) return <None>–</None>;
  const named = units.slice(0, MOST_NAMED);
  const more = unit_count - named.length;
  return (
    <ul class="plain unit-chips">
      {named.map((unit) => (
        <li key={unit.unit_id}>
          <UnitLink unit={unit} /> <ReasonMark {...unit.access} />
        </li>
      ))}
      {more > 0 ? <li class="soft">and {more} more</li> : null}
    </ul>
  );
}
