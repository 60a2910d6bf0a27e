import { Injectable } from '@nestjs/common';
import { CompanyClocks } from '#domain/companies/index.js';
import { matcherOf } from '#kernel/core/search.js';
import { timestampOrNull } from '#kernel/timestamp.js';
import { invalidField } from '#kernel/errors/api-error.js';
import { LocationDirectory, type LockDocument } from '#domain/locations/index.js';
import { Conditions, type LastReport } from '#domain/locks/index.js';
import { ThingNames } from '../names/thing-names.js';
import { Icon } from '../parts/icon.js';
import { PhoneSort } from '../parts/list-card.js';
import { inMemory } from '../parts/in-memory.js';
import { None, Tabs } from '../parts/layout.js';
import { type Column, listPage, type ListPage, type ListRange, type RowsPage } from '../parts/list-page.js';
import { searchText } from '../parts/search-text.js';
import { byText, inOrder, type Order, orderOf, type SortColumns, sortLinks } from '../parts/sorting.js';
import { TableSearch } from '../parts/table-search.js';
import { Recent } from '../parts/times.js';
import { BatteryBar } from './battery-bar.js';
import { LOCK_NEEDS, type LockNeed, needOf } from './lock-need.js';
import { lockPeekPath } from './lock-peek.js';
import { NEED_TEXTS, NeedPill } from './lock-state.js';
import { FILLS_PEEK } from '../peek/peek-parts.js';
import { withQuery } from '../links/with-query.js';
import { UnitLink } from '../parts/unit-link.js';
import { equipmentPath, locationPath, lockPath } from '../links/paths.js';

/** Which locks are listed, and in which order. */
export interface LocksQuery {
  /** `true`: only locks on no unit. */
  readonly free?: string | undefined;
  /** `battery` or `silent`: only locks that need that. */
  readonly need?: string | undefined;
  readonly q?: unknown;
  readonly sort?: unknown;
  /** The id of the lock in the panel. */
  readonly peek?: unknown;
}

/** A lock with what apps reported of it. */
type ReportedLock = Pick<LockDocument, 'lock_id' | 'name' | 'serial' | 'unit_id' | 'search_names'> & {
  readonly report: LastReport | undefined;
  readonly need: LockNeed;
};

interface Lock extends Pick<LockDocument, 'lock_id' | 'name' | 'serial' | 'unit_id'> {
  readonly need: LockNeed;
  /** ISO 8601. */
  readonly last_report_at: string | null;
  readonly unit_name: string | null;
  readonly battery_percent: number | null;
  /** ISO 8601. */
  readonly battery_reported_at: string | null;
}

interface PlacedLock extends Lock {
  /** The names of the zones of its unit. */
  readonly zones: readonly string[];
}

interface LocationTime {
  readonly location_id: string;
  readonly company_id: string;
  readonly timezone: string;
}

const SORTS = ['need', 'name', 'serial', 'unit', 'battery'] as const;
type Sort = (typeof SORTS)[number];
/** What a lock and its reports are sorted by. */
type OwnSort = Exclude<Sort, 'unit'>;
const COLUMNS: SortColumns<Sort> = [
  ['State', 'need'],
  ['Lock', 'name'],
  ['Serial', 'serial'],
  ['Unit', 'unit'],
  ['Battery', 'battery'],
];

const keyOf = ({ lock_id }: Pick<Lock, 'lock_id'>) => lock_id;
const byName = byText(({ name }: Pick<Lock, 'name'>) => name);
const COMPARES: Readonly<Record<OwnSort, (one: ReportedLock, other: ReportedLock) => number>> = {
  need: (one, other) => LOCK_NEEDS.indexOf(one.need) - LOCK_NEEDS.indexOf(other.need),
  name: byName,
  serial: byText(({ serial }) => serial),
  battery: (one, other) => percentOf(one) - percentOf(other) || 0,
};
const BY_UNIT = { unit: byText(({ unit_name }: Pick<Lock, 'unit_name'>) => unit_name) };

/** Without a known charge: behind all others. */
function percentOf({ report }: ReportedLock): number {
  return report?.battery?.percent ?? Infinity;
}

interface Shown {
  /** The address of the list without the panel. */
  readonly path: string;
  /** The id of the lock in the panel. */
  readonly peeked: string | undefined;
}

const columnsIn = (zone: string, now: number, shown: Shown): readonly Column<PlacedLock>[] => [
  { name: 'lock_id' },
  {
    title: 'Lock',
    name: 'name',
    cell: (lock) => (
      <span class="looked">
        <a href={lockPath(lock.lock_id)}>{lock.name}</a> <Look at={lock} {...shown} />
      </span>
    ),
  },
  { title: 'Serial', name: 'serial', fit: 'wide off', cell: ({ serial }) => serial ?? <None>–</None> },
  {
    title: 'Unit',
    name: 'unit_id',
    cell: ({ unit_id, unit_name }) =>
      unit_id === null ? <None>–</None> : <UnitLink unit={{ unit_id, unit_name: unit_name ?? unit_id }} />,
  },
  {
    title: 'Zone',
    fit: 'roomy off',
    cell: ({ zones }) => (zones.length === 0 ? <None>–</None> : <span class="soft">{zones.join(', ')}</span>),
  },
  {
    title: 'Battery',
    name: 'battery_percent',
    cell: (lock) => <BatteryBar percent={lock.battery_percent} at={lock.battery_reported_at} zone={zone} />,
  },
  { name: 'battery_reported_at' },
  {
    title: 'Last report',
    name: 'last_report_at',
    fit: 'off',
    cell: ({ last_report_at: at }) =>
      at === null ? <None>none yet</None> : <Recent {...{ at, zone, now }} />,
  },
  {
    title: 'State',
    name: 'state',
    fit: 'top-end',
    cell: ({ need }) => <NeedPill need={need} />,
    value: ({ need }) => NEED_TEXTS[need],
  },
];

function Look({ at, path, peeked }: Shown & { readonly at: Pick<Lock, 'lock_id' | 'name'> }) {
  return (
    <a
      class="button ghost only small"
      href={lockPeekPath(path, at)}
      data-peeks
      aria-label={`Look at ${at.name}`}
      aria-current={at.lock_id === peeked ? 'true' : undefined}
      {...FILLS_PEEK}
    >
      <Icon name="chevron-right" />
    </a>
  );
}

/** The locks of a location with their last reported charge. Every method throws StoreUnavailableError. */
@Injectable()
export class LockList {
  constructor(
    private readonly locations: LocationDirectory,
    private readonly conditions: Conditions,
    private readonly names: ThingNames,
    private readonly clocks: CompanyClocks,
  ) {}

  /** A page of them, their filter, and the address of their file. @throws ApiError 422 for a filter that does not exist */
  async show(location: LocationTime, query: LocksQuery, cursor: string | undefined) {
    const { list, order, counts, file, shown } = await this.#list(location, query, cursor);
    const { page, view } = await list.show(cursor);
    const path = equipmentPath(location.location_id);
    return {
      view,
      rows: page.rows,
      /** The address of this page of the list. */
      path: shown.path,
      filter: <LockFilter path={path} query={queryOf(query)} order={order} counts={counts} />,
      file,
      count: counts.all,
    };
  }

  /** All pages. @throws ApiError 422 for a filter that does not exist */
  async csv(location: LocationTime, query: LocksQuery) {
    return (await this.#list(location, query)).list.csv();
  }

  async #list(location: LocationTime, given: LocksQuery, cursor?: string) {
    const query = queryOf(given);
    const { free, need, q } = query;
    if (free !== undefined && free !== 'true')
      throw invalidField('free', 'unknown_value', 'The selected free is invalid.');
    if (need !== undefined && need !== 'battery' && need !== 'silent')
      throw invalidField('need', 'unknown_value', 'The selected need is invalid.');
    const order = orderOf(query.sort, SORTS);
    const matches = q === undefined ? undefined : matcherOf(q);
    const now = await this.clocks.now(location.company_id);
    const all = await this.#reported(location, now);
    const wanted = free === undefined ? need : 'spare';
    const locks = all.filter(
      (lock) => (wanted === undefined || lock.need === wanted) && (matches?.(lock.search_names) ?? true),
    );
    const counts = (one: LockNeed) => all.filter((lock) => lock.need === one).length;
    const path = equipmentPath(location.location_id);
    const shown = { path: withQuery(path, { ...query, locks: cursor }), peeked: peekedIn(given) };
    const file = `${locationPath(location.location_id)}/locks.csv`;
    const list: ListPage<RowsPage<PlacedLock>> = listPage({
      caption: 'Locks',
      name: 'locks',
      path,
      file,
      hasFileLink: false,
      query,
      columns: columnsIn(location.timezone, now, shown),
      keyOf,
      read: await this.#pagesOf(location.location_id, locks, order),
      cursorName: 'locks',
      sortOf: sortLinks(COLUMNS, order, (sort) => withQuery(path, { ...query, sort })),
      empty: q !== undefined ? 'No match.' : EMPTY[wanted ?? 'none'],
    });
    const counted = { all: all.length, of: counts };
    return { list, order, counts: counted, file: withQuery(file, query), shown };
  }

  /** @param now milliseconds */
  async #reported({ location_id }: LocationTime, now: number): Promise<ReportedLock[]> {
    const locks = await this.locations.locksOfLocation(location_id);
    const reports = await this.conditions.lastReportsOf(locks.map(({ lock_id }) => lock_id));
    return locks.map((lock) => {
      const report = reports.get(lock.lock_id);
      const { lock_id, name, serial, unit_id, search_names } = lock;
      // Field by field: a spread of thousands costs milliseconds.
      return { lock_id, name, serial, unit_id, search_names, report, need: needOf(lock, report, now) };
    });
  }

  /** Reads the units of a page only, unless they decide the order; the zones of a page always. */
  async #pagesOf(location_id: string, locks: readonly ReportedLock[], order: Order<Sort>) {
    const read = inMemory(await this.#sorted(location_id, locks, order), keyOf);
    return async (range: ListRange) => {
      const { rows, next_cursor } = await read(range);
      return this.#placed(location_id, { rows: await this.#described(rows), next_cursor });
    };
  }

  async #sorted(
    location_id: string,
    locks: readonly ReportedLock[],
    { sort, isDescending }: Order<Sort>,
  ): Promise<readonly ReportedLock[]> {
    if (sort !== 'unit') return inOrder(locks, { sort, isDescending }, COMPARES, byName);
    const names = await this.names.findUnitsOfLocation(location_id);
    const named = locks.map((lock) => ({
      lock,
      name: lock.name,
      unit_name: names.get(lock.unit_id ?? '') ?? null,
    }));
    return inOrder(named, { sort, isDescending }, BY_UNIT, byName).map(({ lock }) => lock);
  }

  /** With the zones of the locks' units. */
  async #placed(location_id: string, { rows, next_cursor }: RowsPage<Lock>): Promise<RowsPage<PlacedLock>> {
    const unit_ids = rows.flatMap(({ unit_id }) => unit_id ?? []);
    const [location, units] = await Promise.all([
      this.locations.location(location_id),
      this.locations.zonesAndLocks(unit_ids),
    ]);
    const nameOf = new Map(location?.zones.map(({ zone_id, name }) => [zone_id, name]));
    const zonesOf = new Map(units.map((unit, index) => [unit_ids[index], unit?.zone_ids ?? []]));
    const placed = rows.map((lock) => ({
      ...lock,
      zones: (zonesOf.get(lock.unit_id ?? '') ?? []).flatMap((zone_id) => nameOf.get(zone_id) ?? []),
    }));
    return { rows: placed, next_cursor };
  }

  async #described(locks: readonly ReportedLock[]): Promise<Lock[]> {
    const names = await this.names.findUnits(locks.flatMap(({ unit_id }) => unit_id ?? []));
    return locks.map(({ lock_id, name, serial, unit_id, need, report }) => ({
      lock_id,
      name,
      serial,
      unit_id,
      need,
      unit_name: names.get(unit_id ?? '') ?? null,
      ...toldBy(report),
    }));
  }
}

function toldBy(report: LastReport | undefined) {
  const { at = null, battery = null } = report ?? {};
  return {
    last_report_at: timestampOrNull(at),
    battery_percent: battery === null ? null : battery.percent,
    battery_reported_at: battery === null ? null : timestampOrNull(battery.at),
  };
}

const EMPTY: Readonly<Record<LockNeed, string>> = {
  battery: 'No lock with a low battery.',
  silent: 'No lock has been silent for a day.',
  spare: 'No spare locks.',
  none: 'No lock yet.',
};

/** The id of the lock that an address looks at. */
export function peekedIn({ peek }: LocksQuery): string | undefined {
  return typeof peek === 'string' ? peek : undefined;
}

function queryOf({ free, need, sort, ...query }: LocksQuery) {
  return {
    free,
    need: need === '' ? undefined : need,
    q: searchText(query) || undefined,
    sort: typeof sort === 'string' && sort !== '' ? sort : undefined,
  };
}

interface LockFilterProps {
  readonly path: string;
  readonly query: ReturnType<typeof queryOf>;
  readonly order: Order<Sort>;
  /** Of all locks of the location. */
  readonly counts: { readonly all: number; readonly of: (need: LockNeed) => number };
}

function LockFilter({ path, query, order, counts }: LockFilterProps) {
  const { free, need, q } = query;
  const linkTo = (which: { readonly free?: string | undefined; readonly need?: string | undefined }) =>
    withQuery(path, { ...query, free: undefined, need: undefined, ...which });
  const chip = (text: string, count: number, tone?: 'bad' | 'warn') => (
    <>
      {tone === undefined ? null : <span class={`dot ${tone}`} />}
      {text} <b>{count.toLocaleString('en-US')}</b>
    </>
  );
  return (
    <div class="bar">
      <Tabs
        kind="chips"
        label="Which locks"
        of={[
          [linkTo({}), chip('All', counts.all)],
          [linkTo({ need: 'battery' }), chip('Battery low', counts.of('battery'), 'bad')],
          [linkTo({ need: 'silent' }), chip('Silent for a day', counts.of('silent'), 'warn')],
          [linkTo({ free: 'true' }), chip('Spare', counts.of('spare'))],
        ]}
        current={linkTo({ free, need })}
      />
      <TableSearch of="Locks" label="Name or serial number" {...{ path, q }} kept={{ free, need }}>
        <PhoneSort columns={COLUMNS} order={order} />
      </TableSearch>
    </div>
  );
}
