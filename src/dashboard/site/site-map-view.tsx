import { addPath } from '../parts/drawer.js';
import { Empty, Tabs } from '../parts/layout.js';
import { type ShownState, shownStateText, stateText } from '../parts/states.js';
import { withQuery } from '../links/with-query.js';
import { amountText, countText } from '../parts/words.js';
import { unitPath } from '../links/paths.js';
import {
  byZone,
  kindOf,
  type MapGroup,
  type MappedUnit,
  type StateCounts,
  type TileKind,
} from './site-map.js';
import type { SiteMap } from './site-map.reader.js';
import { UNIT_FILTERS } from './unit-filter.js';

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

const LEGEND: readonly (readonly [TileKind, string])[] = [
  ['fine', 'Open'],
  ['denied', 'Locked out'],
  ['early', 'Not moved in yet'],
  ['exempt', 'Let in or exempt'],
  ['auction', 'Auction'],
  ['unrentable', 'Not for rent'],
  ['empty', 'Vacant'],
];

export function SiteMapView({ map: { units, zones } }: { readonly map: SiteMap }) {
  const groups = byZone(units, zones);
  const hasZones = groups.some(({ zone_name }) => zone_name !== null);
  return (
    <>
      {groups.map((group) => (
        <Group key={group.zone_name ?? ''} group={group} hasZones={hasZones} />
      ))}
    </>
  );
}

function Group({
  group: { zone_name, units },
  hasZones,
}: {
  readonly group: MapGroup;
  readonly hasZones: boolean;
}) {
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
            <Tile unit={unit} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Tile({ unit }: { readonly unit: MappedUnit }) {
  const kind = kindOf(unit);
  return (
    <a class={`tile ${kind}`} href={unitPath(unit.unit_id)}>
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
        [map, 'Map'],
        [table, 'Table'],
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

export function StateFilter({ path, current, counts }: StatesProps) {
  const pathOf = (state: string | undefined) => withQuery(path, { state });
  const link = (state: ShownState | undefined, text: string, count: number | undefined) =>
    [
      pathOf(state),
      <>
        {text}
        {count === undefined ? null : <span class="count"> {count.toLocaleString('en-US')}</span>}
      </>,
    ] as const;
  const total = counts && [...counts.values()].reduce((sum, count) => sum + count, 0);
  // Most locations have no leases to come.
  const shown = UNIT_FILTERS.filter(
    (one) => one !== 'early' || current === one || counts === undefined || counts.has(one),
  );
  const states = shown.map((one) => link(one, shownStateText(one), counts && (counts.get(one) ?? 0)));
  return (
    <Tabs
      kind="chips"
      label="Units by state"
      of={[link(undefined, 'All', total), ...states]}
      current={pathOf(current)}
    />
  );
}

interface GatesProps extends Pick<StatesProps, 'path' | 'current'> {
  readonly gates: SiteMap['entry_points'];
}

export function GateFilter({ path, current, gates }: GatesProps) {
  if (gates.length === 0) return null;
  const pathOf = (gate: string | undefined) => withQuery(path, { gate });
  const links = gates.map(({ entry_point_id, name }) => [pathOf(entry_point_id), name] as const);
  return (
    <Tabs kind="chips" label="Units by gate" of={[[path, 'Any gate'], ...links]} current={pathOf(current)} />
  );
}

export function MapLegend() {
  return (
    <ul class="legend" aria-label="Signs on the map">
      {LEGEND.map(([kind, text]) => (
        <li key={kind}>
          <span class={`sign ${kind}`} aria-hidden="true">
            {SIGNS[kind]}
          </span>{' '}
          {text}
        </li>
      ))}
    </ul>
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
