import { isLockedOut } from '#domain/access/index.js';
import { CsvLink, None, Table } from '../parts/layout.js';
import { Field, Form } from '../parts/form.js';
import type { Refused } from '../page/page.js';
import { type Order, SortChoice, type SortColumns, sortLinks } from '../parts/sorting.js';
import { RoundTheClockMark, StateMark } from '../parts/states.js';
import { KNOWN_SINCE, LockedOutSince } from '../parts/times.js';
import { withQuery } from '../links/with-query.js';
import { amountText, countText, dateText } from '../parts/words.js';
import { PhoneLink } from '../parts/tenant-links.js';
import { UnitLink } from '../parts/unit-link.js';
import { NoUnit } from './site-map-view.js';
import type { Sort, TableUnit } from './unit-table.js';
import { tenantPath } from '../links/paths.js';

/** The query of the table's address. Undefined: as usual. */
export interface TableQuery {
  readonly state: string | undefined;
  readonly q: string | undefined;
  readonly sort: string | undefined;
  readonly page: string | undefined;
}

interface UnitTableProps {
  readonly path: string;
  /** Address of the map. */
  readonly map: string;
  readonly query: TableQuery;
  readonly zone: string;
  readonly currency: string;
  readonly order: Order<Sort>;
  /** The units of this page. */
  readonly units: readonly TableUnit[];
  /** Totals of all pages. */
  readonly total: { readonly units: number; readonly owed: number; readonly pages: number };
  readonly page: number;
  /** Absent: the viewer may not put units into zones. */
  readonly zones?: readonly { readonly name: string }[] | undefined;
  readonly refused?: Refused | undefined;
}

const COLUMNS: SortColumns<Sort> = [
  ['Unit', 'unit'],
  ['Tenant', 'tenant'],
  ['Access', 'state'],
  ['Balance', 'balance'],
  ['Paid through', 'paid'],
  [KNOWN_SINCE, 'since'],
];
const SELECT = 'Select';

export function UnitTableView(props: UnitTableProps) {
  const { path, query, units, total, order, zones, currency } = props;
  return (
    <>
      <form class="form line" method="get" action={path} id="form-filter" role="search" aria-label="Units">
        <div class="field">
          <label for="filter-q">Unit or tenant</label>
          <input type="search" id="filter-q" name="q" value={query.q ?? ''} maxLength={255} />
        </div>
        {query.state === undefined ? null : <input type="hidden" name="state" value={query.state} />}
        <SortChoice columns={COLUMNS} order={order} />
        <button class="quiet">Filter</button>
      </form>
      <p role="status">
        {countText(total.units, 'unit')}
        {total.owed > 0 ? `, ${amountText(total.owed, currency)} owed` : ''}
      </p>
      {units.length === 0 ? (
        <NoUnit isFiltered={(query.q ?? query.state) !== undefined} form={zones && props.map} />
      ) : (
        <Selected {...props} />
      )}
      <Pages {...props} />
      <CsvLink path={withQuery(`${path}/units.csv`, { ...query, page: undefined })} />
    </>
  );
}

function Selected(props: UnitTableProps) {
  const { path, query, zones, refused } = props;
  if (zones === undefined) return <Rows {...props} />;
  return (
    <Form
      name="zone-units"
      action={withQuery(`${path}/zone`, { ...query })}
      submit="Add selected units to zone"
      refused={refused}
    >
      <p hidden>
        <label>
          <input type="checkbox" data-ticks="unit_ids" /> Select all on this page
        </label>
      </p>
      <Rows {...props} />
      <Field
        name="name"
        label="Zone"
        hint="A zone of another name is made."
        required
        maxLength={255}
        suggestions={zones.map(({ name }) => ({ value: name, text: name }))}
      />
    </Form>
  );
}

function Rows({ path, query, zone, currency, order, units, zones, refused }: UnitTableProps) {
  const chosen = [refused?.values['unit_ids'] ?? []].flat();
  const box = ({ unit_id, unit_name }: TableUnit) => (
    <input
      type="checkbox"
      name="unit_ids"
      value={unit_id}
      checked={chosen.includes(unit_id)}
      aria-label={`Select ${unit_name}`}
    />
  );
  return (
    <Table
      caption="Units"
      head={[...(zones === undefined ? [] : [SELECT]), ...COLUMNS.map(([title]) => title)]}
      sortOf={sortLinks(COLUMNS, order, (sort) => withQuery(path, { ...query, page: undefined, sort }))}
      rows={units.map((unit) => ({
        key: unit.unit_id,
        cells: [...(zones === undefined ? [] : [box(unit)]), ...cellsOf(unit, zone, currency)],
      }))}
    />
  );
}

function cellsOf(unit: TableUnit, zone: string, currency: string) {
  const { tenant_id, tenant, phone, state, reason, round_the_clock, balance_due, paid_through_date } = unit;
  return [
    <UnitLink unit={unit} />,
    tenant_id === null ? (
      <None />
    ) : (
      <>
        <a href={tenantPath(tenant_id)}>{tenant ?? 'Unknown'}</a>
        {isLockedOut({ state, reason }) && phone ? (
          <>
            {' '}
            <PhoneLink phone={phone} />
          </>
        ) : null}
      </>
    ),
    <>
      <StateMark state={state} reason={reason} />
      <RoundTheClockMark isOn={round_the_clock} />
    </>,
    tenant_id === null ? <None /> : amountText(balance_due, currency),
    paid_through_date === null ? <None /> : dateText(paid_through_date),
    <LockedOutSince access={unit} at={unit.locked_out_since} zone={zone} />,
  ];
}

function Pages({ path, query, page, total: { pages } }: UnitTableProps) {
  if (pages < 2) return null;
  const to = (number: number) => withQuery(path, { ...query, page: String(number) });
  return (
    <p class="next">
      {page > 1 ? (
        <a href={to(page - 1)} rel="prev">
          Previous page
        </a>
      ) : null}{' '}
      Page {page} of {pages}{' '}
      {page < pages ? (
        <a href={to(page + 1)} rel="next">
          Next page
        </a>
      ) : null}
    </p>
  );
}
