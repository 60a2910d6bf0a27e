import { addPath } from '../parts/drawer.js';
import { Empty, Tabs } from '../parts/layout.js';
import { Icon } from '../parts/icon.js';
import { stateText } from '../parts/states.js';
import { withQuery } from '../links/with-query.js';
import { amountText, countText } from '../parts/words.js';
import { peekPath } from '../peek/peek.js';
import { FILLS_PEEK } from '../peek/peek-parts.js';
import {
  byZone,
  kindOf,
  kindOfFilter,
  type MapGroup,
  type MappedUnit,
  type StateCounts,
  type TileKind,
  type UnitFilter,
} from './site-map.js';
import type { SiteMap } from './site-map.reader.js';
import { filterText, UNIT_FILTERS } from './unit-filter.js';

/** Each exception has its own sign, because colour alone is not enough. */
const SIGNS: Readonly<Record<TileKind, string>> = {
  fine: '',
  empty: '',
  denied: '✕',
  auction: '⚑',
  unrentable: '⊘',
  exempt: '★',
  early: '→',
};

interface SiteMapProps {
  readonly map: SiteMap;
  /** The page of the map with its filters, to which a tile adds the panel of its unit. */
  readonly path: string;
  /** The `crm_unit_id` of the unit in the panel. */
  readonly peeked: string | undefined;
}

export function SiteMapView({ map: { units, zones }, ...tiles }: SiteMapProps) {
  const groups = byZone(units, zones);
  const hasZones = groups.some(({ zone_name }) => zone_name !== null);
  return (
    <div data-map {...FILLS_PEEK}>
      {groups.map((group) => (
        <Group key={group.zone_name ?? ''} group={group} hasZones={hasZones} {...tiles} />
      ))}
    </div>
  );
}

interface GroupProps extends Omit<SiteMapProps, 'map'> {
  readonly group: MapGroup;
  readonly hasZones: boolean;
}

function Group({ group: { zone_name, units }, hasZones, path, peeked }: GroupProps) {
  const exceptions = units.filter((unit) => kindOf(unit) === 'denied').length;
  return (
    <>
      {hasZones ? (
        <h3 class="zone-head">
          {zone_name ?? 'In no zone'}{' '}
          <span class="hint">
            {countText(units.length, 'unit')}
            {exceptions === 0 ? '' : `, ${exceptions} locked out`}
          </span>
        </h3>
      ) : null}
      <ul class="map">
        {units.map((unit) => (
          <li key={unit.unit_id}>
            <UnitTile unit={unit} href={peekPath(path, unit)} isPeeked={unit.crm_unit_id === peeked} />
          </li>
        ))}
      </ul>
    </>
  );
}

interface TileProps {
  readonly unit: MappedUnit;
  readonly href: string;
  readonly isPeeked?: boolean;
}

/** A unit by its state; the tip shows the rest. */
export function UnitTile({ unit, href, isPeeked = false }: TileProps) {
  const kind = kindOf(unit);
  return (
    <a class={`tile ${kind}`} href={href} aria-current={isPeeked ? 'true' : undefined}>
      <span class="tile-name">{shortName(unit.unit_name)}</span>
      {SIGNS[kind] === '' ? null : <span aria-hidden="true">{SIGNS[kind]}</span>}
      <span class="tip">
        {' '}
        <strong>{unit.unit_name}</strong> <span>{stateText(unit)}</span>{' '}
        <span>{unit.tenant ?? 'No tenant'}</span>{' '}
        {unit.tenant === null ? null : <span>{balanceText(unit)}</span>}
      </span>
    </a>
  );
}

/** A tile is narrow: it leaves out text in brackets and after a comma, which its tooltip shows. */
function shortName(unit_name: string): string {
  return /^[^(,]+/.exec(unit_name)?.[0].trim() || unit_name;
}

function balanceText({ balance_due, currency }: MappedUnit): string {
  return balance_due > 0 ? `Owes ${amountText(balance_due, currency)}` : 'Owes nothing';
}

interface MapOrTableProps {
  readonly path: string;
  readonly shown: 'map' | 'table';
  /** The filter, which both keep. */
  readonly state: string | undefined;
}

export function MapOrTable({ path, shown, state }: MapOrTableProps) {
  const map = withQuery(path, { state });
  const table = withQuery(`${path}/table`, { state });
  return (
    <Tabs
      kind="segments"
      label="Map or table"
      of={[
        [
          map,
          <>
            <Icon name="layout-grid" />
            Map
          </>,
        ],
        [
          table,
          <>
            <Icon name="list" />
            Table
          </>,
        ],
      ]}
      current={shown === 'map' ? map : table}
    />
  );
}

interface StatesProps {
  /** May have a query, which the links keep. */
  readonly path: string;
  readonly current: string | undefined;
  /** Undefined: not counted. */
  readonly counts: StateCounts | undefined;
}

/** Filters with their counts, and with the signs of the map: its legend. */
export function StateFilter({ path, current, counts }: StatesProps) {
  const pathOf = (state: string | undefined) => withQuery(path, { state });
  const total = counts && [...counts.values()].reduce((sum, count) => sum + count, 0);
  // Most locations have no leases to come, and nobody let in.
  const isRare = (one: UnitFilter) => one === 'early' || one === 'exempt';
  const shown = UNIT_FILTERS.filter(
    (one) => !isRare(one) || current === one || counts === undefined || counts.has(one),
  );
  const states = shown.map(
    (one) => [pathOf(one), <Chip filter={one} count={counts && (counts.get(one) ?? 0)} />] as const,
  );
  return (
    <div class="bar">
      <Tabs
        kind="chips"
        label="Units by state"
        of={[[pathOf(undefined), <Chip filter={undefined} count={total} />], ...states]}
        current={pathOf(current)}
      />
    </div>
  );
}

interface ChipProps {
  /** Undefined: all units. */
  readonly filter: UnitFilter | undefined;
  readonly count: number | undefined;
}

function Chip({ filter, count }: ChipProps) {
  const kind = filter && kindOfFilter(filter);
  return (
    <>
      {kind === undefined ? null : (
        <span class={`sign ${kind}`} aria-hidden="true">
          {SIGNS[kind]}
        </span>
      )}
      {filter === undefined ? 'All' : filterText(filter)}
      {count === undefined ? null : <b> {count.toLocaleString('en-US')}</b>}
    </>
  );
}

interface GatesProps extends Pick<StatesProps, 'path' | 'current'> {
  readonly gates: SiteMap['entry_points'];
}

/** A menu of gates: a location may have 200. */
export function GateFilter({ path, current, gates }: GatesProps) {
  if (gates.length === 0) return null;
  const chosen = gates.find(({ entry_point_id }) => entry_point_id === current);
  const links = gates.map(({ entry_point_id, name }) => [withQuery(path, { gate: entry_point_id }), name]);
  const shown = withQuery(path, { gate: current });
  return (
    <>
      <button class="button" type="button" popovertarget="gate-menu">
        {chosen?.name ?? 'Any gate'}
        <Icon name="chevron-down" kind="s" />
      </button>
      <nav class="menu" id="gate-menu" popover="auto" aria-label="Units by gate">
        {[[path, 'Any gate'], ...links].map(([href, name]) => (
          <a key={href} href={href} aria-current={href === shown ? 'true' : undefined}>
            {name}
          </a>
        ))}
      </nav>
    </>
  );
}

interface NoUnitProps {
  readonly isFiltered: boolean;
  readonly isLast?: boolean;
  /** The page whose form adds a unit. Absent for one who may not. */
  readonly form: string | undefined;
}

/** The text of an empty map or table. */
export function NoUnit({ isFiltered, isLast = true, form }: NoUnitProps) {
  if (isFiltered) return <Empty>{isLast ? 'No match.' : 'No match on this page.'}</Empty>;
  return (
    <Empty>
      No unit yet. Units appear when your PMS syncs
      {form === undefined ? null : (
        <>
          ; or <a href={addPath(form, 'unit')}>add one</a>
        </>
      )}
      .
    </Empty>
  );
}
