import type { ComponentChild } from 'preact';
import { isLockedOut } from '#domain/access/index.js';
import { None, Table } from '../parts/layout.js';
import { peekPath } from '../peek/peek.js';
import { FILLS_PEEK } from '../peek/peek-parts.js';
import { Icon } from '../parts/icon.js';
import { ListCard, PhoneSort } from '../parts/list-card.js';
import { Field, Form } from '../parts/form.js';
import { PageSteps } from '../parts/page-steps.js';
import type { Refused } from '../page/page.js';
import { type Order, type SortColumns, sortLinks } from '../parts/sorting.js';
import { RoundTheClockMark, StateMark } from '../parts/states.js';
import { TableSearch } from '../parts/table-search.js';
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
  /** The `crm_unit_id` of the unit in the panel. */
  readonly peeked: string | undefined;
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
/** The form below the rows, of which their boxes are a part. */
const ZONE_UNITS = 'zone-units';

/** The search of the table. A phone shows no head, so that there the order is chosen beside it. */
export function UnitTableSearch({ path, query, order }: Pick<UnitTableProps, 'path' | 'query' | 'order'>) {
  const { q, state } = query;
  return (
    <TableSearch of="Units" label="Unit or tenant" {...{ path, q }} kept={{ state }}>
      <PhoneSort columns={COLUMNS} order={order} />
    </TableSearch>
  );
}

/** The card of the table. */
export function UnitTableView(props: UnitTableProps) {
  const { query, units, zones } = props;
  return (
    <ListCard
      title="Units"
      empty={
        units.length > 0 ? undefined : (
          <NoUnit isFiltered={(query.q ?? query.state) !== undefined} form={zones && props.map} />
        )
      }
      rows={<Selected {...props} />}
      foot={<Foot {...props} />}
    />
  );
}

/** The rows; for who may, with the form for those that are ticked. */
function Selected(props: UnitTableProps) {
  const { path, query, zones, refused } = props;
  if (zones === undefined) return <Rows {...props} />;
  return (
    <>
      <Rows {...props} />
      <div class="ticked">
        <Form
          name={ZONE_UNITS}
          action={withQuery(`${path}/zone`, { ...query })}
          submit="Add selected units to zone"
          refused={refused}
        >
          <p class="ticks-all" hidden>
            <label>
              <input type="checkbox" data-ticks="unit_ids" /> Select all on this page
            </label>
          </p>
          <Field
            name="name"
            label="Zone: one that is there, or a new name"
            required
            maxLength={255}
            suggestions={zones.map(({ name }) => ({ value: name, text: name }))}
          />
        </Form>
      </div>
    </>
  );
}

function Rows(props: UnitTableProps) {
  const { path, query, zone, currency, order, units, zones, refused, peeked } = props;
  const chosen = [refused?.values['unit_ids'] ?? []].flat();
  const box = ({ unit_id, unit_name }: TableUnit) => (
    <input
      type="checkbox"
      name="unit_ids"
      form={`form-${ZONE_UNITS}`}
      value={unit_id}
      checked={chosen.includes(unit_id)}
      aria-label={`Select ${unit_name}`}
    />
  );
  const look = (unit: TableUnit) => (
    <a
      class="button ghost only small"
      href={peekPath(withQuery(path, { ...query }), unit)}
      data-peeks
      aria-label={`Look at ${unit.unit_name}`}
      aria-current={unit.crm_unit_id === peeked ? 'true' : undefined}
      {...FILLS_PEEK}
    >
      <Icon name="chevron-right" />
    </a>
  );
  return (
    <Table
      caption="Units"
      head={[...(zones === undefined ? [] : [SELECT]), ...COLUMNS.map(([title]) => title)]}
      sortOf={sortLinks(COLUMNS, order, (sort) => withQuery(path, { ...query, page: undefined, sort }))}
      rows={units.map((unit) => ({
        key: unit.unit_id,
        cells: [...(zones === undefined ? [] : [box(unit)]), ...cellsOf(unit, zone, currency, look(unit))],
      }))}
    />
  );
}

function cellsOf(unit: TableUnit, zone: string, currency: string, look: ComponentChild) {
  const { tenant_id, tenant, phone, state, reason, round_the_clock, balance_due, paid_through_date } = unit;
  return [
    <span class="looked">
      <UnitLink unit={unit} /> {look}
    </span>,
    tenant_id === null ? (
      <None>–</None>
    ) : (
      <span class="whom">
        <a href={tenantPath(tenant_id)}>{tenant ?? 'Unknown'}</a>
        {isLockedOut({ state, reason }) && phone ? (
          <>
            {' '}
            <PhoneLink phone={phone} />
          </>
        ) : null}
      </span>
    ),
    <>
      <StateMark state={state} reason={reason} />
      <RoundTheClockMark isOn={round_the_clock} />
    </>,
    tenant_id === null ? <None>–</None> : amountText(balance_due, currency),
    paid_through_date === null ? <None>–</None> : dateText(paid_through_date),
    <LockedOutSince access={unit} at={unit.locked_out_since} zone={zone} />,
  ];
}

function Foot({ path, query, page, total: { units, owed, pages }, currency }: UnitTableProps) {
  return (
    <div class="card-foot">
      <span role="status">
        {countText(units, 'unit')}
        {owed > 0 ? `, ${amountText(owed, currency)} owed` : ''}
      </span>
      {pages < 2 ? null : (
        <PageSteps {...{ page, pages }} pathOf={(to) => withQuery(path, { ...query, page: to })} />
      )}
    </div>
  );
}
