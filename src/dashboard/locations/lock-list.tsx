import { Injectable } from '@nestjs/common';
import { matcherOf } from '#kernel/core/search.js';
import { timestampOrNull } from '#kernel/timestamp.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { LocationDirectory, type LockDocument } from '#domain/locations/index.js';
import { Conditions, LOW_BATTERY } from '#domain/locks/index.js';
import { ThingNames } from '../names/thing-names.js';
import { inMemory } from '../parts/in-memory.js';
import { None, Tabs } from '../parts/layout.js';
import { type Column, listPage, type ListPage, type ListRange, type RowsPage } from '../parts/list-page.js';
import { searchText } from '../parts/search-text.js';
import {
  byText,
  inOrder,
  type Order,
  orderOf,
  SortChoice,
  type SortColumns,
  sortLinks,
} from '../parts/sorting.js';
import { Instant } from '../parts/times.js';
import { withQuery } from '../links/with-query.js';
import { BatteryMark } from '../parts/battery-mark.js';
import { UnitLink } from '../parts/unit-link.js';
import { equipmentPath, locationPath, lockPath } from '../links/paths.js';

/** Which locks are listed, and in which order. */
export interface LocksQuery {
  /** `true`: only locks on no unit. */
  readonly free?: string | undefined;
  readonly q?: unknown;
  readonly sort?: unknown;
}

interface Lock extends Pick<LockDocument, 'lock_id' | 'name' | 'serial' | 'unit_id'> {
  readonly unit_name: string | null;
  readonly battery_percent: number | null;
  /** ISO 8601. */
  readonly battery_reported_at: string | null;
}

interface LocationTime {
  readonly location_id: string;
  readonly timezone: string;
}

const SORTS = ['name', 'serial', 'unit', 'battery'] as const;
type Sort = (typeof SORTS)[number];
const COLUMNS: SortColumns<Sort> = [
  ['Name', 'name'],
  ['Serial number', 'serial'],
  ['Unit', 'unit'],
  ['Battery', 'battery'],
];

const keyOf = ({ lock_id }: Pick<Lock, 'lock_id'>) => lock_id;
const byName = byText(({ name }: Pick<Lock, 'name'>) => name);
const COMPARES = {
  name: byName,
  serial: byText(({ serial }: Pick<Lock, 'serial'>) => serial),
  unit: byText(({ unit_name }: Lock) => unit_name),
  battery: (one: Lock, other: Lock) =>
    (one.battery_percent ?? Infinity) - (other.battery_percent ?? Infinity) || 0,
};

const columnsIn = (zone: string, mayChange: boolean): readonly Column<Lock>[] => [
  { name: 'lock_id' },
  {
    title: 'Name',
    name: 'name',
    cell: ({ lock_id, name }) => (mayChange ? <a href={lockPath(lock_id)}>{name}</a> : name),
  },
  { title: 'Serial number', name: 'serial' },
  {
    title: 'Unit',
    name: 'unit_id',
    cell: ({ unit_id, unit_name }) =>
      unit_id === null ? 'Unassigned' : <UnitLink unit={{ unit_id, unit_name: unit_name ?? unit_id }} />,
  },
  { title: 'Battery', name: 'battery_percent', cell: (lock) => <Charge of={lock} zone={zone} /> },
  { name: 'battery_reported_at' },
];

interface ChargeProps {
  readonly of: Pick<Lock, 'battery_percent' | 'battery_reported_at'>;
  readonly zone: string;
}

function Charge({ of: { battery_percent: percent, battery_reported_at: at }, zone }: ChargeProps) {
  if (percent === null) return <None>not reported</None>;
  return (
    <>
      {percent < LOW_BATTERY ? <BatteryMark percent={percent} /> : `${percent} %`},{' '}
      <Instant at={at} zone={zone} precision="day" />
    </>
  );
}

/** The locks of a location with their last reported charge. Every method throws StoreUnavailableError. */
@Injectable()
export class LockList {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly conditions: Conditions,
    private readonly names: ThingNames,
  ) {}

  /** A page of them below their filter. @throws ApiError 422 for a filter that does not exist */
  async show(
    location: LocationTime,
    query: LocksQuery,
    { cursor, mayChange }: { readonly cursor: string | undefined; readonly mayChange: boolean },
  ) {
    const { list, order } = await this.#list(location, query, mayChange);
    const { view } = await list.show(cursor);
    return (
      <>
        <LockFilter path={equipmentPath(location.location_id)} query={queryOf(query)} order={order} />
        {view}
      </>
    );
  }

  /** All pages. @throws ApiError 422 for a filter that does not exist */
  async csv(location: LocationTime, query: LocksQuery) {
    return (await this.#list(location, query)).list.csv();
  }

  async #list(location: LocationTime, given: LocksQuery, mayChange = false) {
    const query = queryOf(given);
    const { free, q } = query;
    if (free !== undefined && free !== 'true')
      throw invalidField('free', 'unknown_value', 'The selected free is invalid.');
    const order = orderOf(query.sort, SORTS);
    const matches = q === undefined ? undefined : matcherOf(q);
    const locks = (await this.locations.locksOfLocation(location.location_id)).filter(
      (lock) => (free === undefined || lock.unit_id === null) && (matches?.(lock.search_names) ?? true),
    );
    const path = equipmentPath(location.location_id);
    const list: ListPage<RowsPage<Lock>> = listPage({
      caption: 'Locks',
      name: 'locks',
      path,
      file: `${locationPath(location.location_id)}/locks.csv`,
      query,
      columns: columnsIn(location.timezone, mayChange),
      keyOf,
      read: await this.#pagesOf(locks, order),
      cursorName: 'locks',
      sortOf: sortLinks(COLUMNS, order, (sort) => `${withQuery(path, { ...query, sort })}#locks`),
      empty: q !== undefined ? 'No match.' : free === undefined ? 'No lock yet.' : 'No spare locks.',
    });
    return { list, order };
  }

  /** Reads the units and charges of a page only, unless they decide the order. */
  async #pagesOf(locks: readonly LockDocument[], order: Order<Sort>) {
    const { sort } = order;
    if (sort === 'unit' || sort === 'battery')
      return inMemory(inOrder(await this.#described(locks), order, COMPARES, byName), keyOf);
    const read = inMemory(inOrder(locks, { ...order, sort }, COMPARES, byName), keyOf);
    return async (range: ListRange) => {
      const { rows, next_cursor } = await read(range);
      return { rows: await this.#described(rows), next_cursor };
    };
  }

  async #described(locks: readonly LockDocument[]): Promise<Lock[]> {
    const [names, batteries] = await Promise.all([
      this.names.findUnits(locks.flatMap(({ unit_id }) => unit_id ?? [])),
      this.conditions.batteriesOf(locks.map(({ lock_id }) => lock_id)),
    ]);
    return locks.map(({ lock_id, name, serial, unit_id }) => {
      const battery = batteries.get(lock_id);
      return {
        lock_id,
        name,
        serial,
        unit_id,
        unit_name: names.get(unit_id ?? '') ?? null,
        battery_percent: battery?.percent ?? null,
        battery_reported_at: timestampOrNull(battery?.at ?? null),
      };
    });
  }
}

function queryOf({ free, sort, ...query }: LocksQuery) {
  return {
    free,
    q: searchText(query) || undefined,
    sort: typeof sort === 'string' && sort !== '' ? sort : undefined,
  };
}

interface LockFilterProps {
  readonly path: string;
  readonly query: ReturnType<typeof queryOf>;
  readonly order: Order<Sort>;
}

function LockFilter({ path, query, order }: LockFilterProps) {
  const { free, q } = query;
  const linkTo = (wanted: string | undefined) => `${withQuery(path, { ...query, free: wanted })}#locks`;
  return (
    <>
      <Tabs
        kind="chips"
        label="Which locks"
        of={[
          [linkTo(undefined), 'All'],
          [linkTo('true'), 'Unassigned'],
        ]}
        current={linkTo(free)}
      />
      <form
        class="form line"
        method="get"
        action={`${path}#locks`}
        id="form-filter"
        role="search"
        aria-label="Locks"
      >
        <div class="field">
          <label for="filter-q">Name or serial number</label>
          <input type="search" id="filter-q" name="q" value={q ?? ''} maxLength={255} />
        </div>
        {free === undefined ? null : <input type="hidden" name="free" value={free} />}
        <SortChoice columns={COLUMNS} order={order} />
        <button class="quiet">Filter</button>
      </form>
    </>
  );
}
