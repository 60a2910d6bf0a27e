import { ALWAYS, type EntryPoint } from '#domain/locations/index.js';
import { GatePill } from '../hours/gate-state.js';
import type { StreamedDownload } from '../page/page.js';
import type { GatePassage } from '../hours/gate-passages.js';
import { inMemory } from '../parts/in-memory.js';
import { Mark } from '../parts/states.js';
import { capitalized } from '../parts/labels.js';
import { type Column, listPage } from '../parts/list-page.js';
import { equipmentPath, gatePath, locationPath, zonePath } from '../links/paths.js';

export interface ListedZone {
  readonly zone_id: string;
  readonly name: string;
}

/** A zone with the number of units in it. */
interface CountedZone extends ListedZone {
  readonly units: number;
}

export interface ListedEntryPoint {
  readonly entry_point_id: string;
  readonly name: string;
  readonly kind: string;
  readonly zone_ids: readonly string[];
  readonly in_service: boolean;
  readonly hours: EntryPoint['hours'];
}

interface ZoneListSettings {
  readonly entryPoints: readonly ListedEntryPoint[];
  /** In the order of the zones. */
  readonly countUnits: (zones: readonly ListedZone[]) => Promise<readonly number[]>;
}

export function zoneList(
  location_id: string,
  zones: readonly ListedZone[],
  { entryPoints, countUnits }: ZoneListSettings,
) {
  const keyOf = ({ zone_id }: ListedZone) => zone_id;
  const columns: readonly Column<CountedZone>[] = [
    { name: 'zone_id' },
    {
      title: 'Zone',
      name: 'name',
      cell: ({ zone_id, name }) => <a href={zonePath(zone_id)}>{name}</a>,
    },
    { title: 'Units', cell: ({ units }) => units.toLocaleString('en-US') },
    { title: 'Gates that lead to it', cell: (zone) => <Leading of={zone} among={entryPoints} /> },
  ];
  const page = inMemory(zones, keyOf);
  return listPage({
    caption: 'Zones',
    name: 'zones',
    path: equipmentPath(location_id, 'zones'),
    file: `${locationPath(location_id)}/zones.csv`,
    hasFileLink: false,
    columns,
    keyOf,
    read: async (range) => {
      const { rows, next_cursor } = await page(range);
      const counts = await countUnits(rows);
      return { rows: rows.map((zone, index) => ({ ...zone, units: counts[index]! })), next_cursor };
    },
    cursorName: 'zones',
    empty: 'No zone yet. Tenants of a zone’s units may open its gates and doors.',
  });
}

/** The file names no gates and counts no units: only the table does. */
export function zonesFile(location_id: string, zones: readonly ListedZone[]): Promise<StreamedDownload> {
  const countUnits = () => Promise.resolve(zones.map(() => 0));
  return zoneList(location_id, zones, { entryPoints: [], countUnits }).csv();
}

interface LeadingProps {
  readonly of: ListedZone;
  readonly among: readonly ListedEntryPoint[];
}

function Leading({ of: { zone_id }, among }: LeadingProps) {
  const names = among.filter(({ zone_ids }) => zone_ids.includes(zone_id)).map(({ name }) => name);
  return names.length === 0 ? <Mark tone="warn">None: its units open no gate</Mark> : <>{names.join(', ')}</>;
}

interface EntryPointSettings {
  /** The location's zones, for their names. */
  readonly zones: readonly ListedZone[];
  readonly mayChange: boolean;
  /** Time zone of the location. */
  readonly zone: string;
  /** By the company's clock, in milliseconds. */
  readonly now: number;
  /** Whether a gate's hours let somebody pass now. */
  readonly passageOf: (gate: ListedEntryPoint) => GatePassage;
}

export function entryPointList(
  location_id: string,
  entryPoints: readonly ListedEntryPoint[],
  { zones, mayChange, zone, now, passageOf }: EntryPointSettings,
) {
  const keyOf = ({ entry_point_id }: ListedEntryPoint) => entry_point_id;
  const nameOf = (zone_id: string) => zones.find((zone) => zone.zone_id === zone_id)?.name ?? zone_id;
  const columns: readonly Column<ListedEntryPoint>[] = [
    { name: 'entry_point_id' },
    {
      title: 'Gate',
      name: 'name',
      cell: ({ entry_point_id, name }) => <a href={gatePath(entry_point_id)}>{name}</a>,
    },
    { title: 'Kind', name: 'kind', cell: ({ kind }) => capitalized(kind) },
    { name: 'in_service' },
    {
      title: 'Zones',
      name: 'zone_ids',
      cell: ({ zone_ids }) =>
        zone_ids.length === 0 ? (
          <Mark tone="warn">None: opens for nobody</Mark>
        ) : (
          zone_ids.map(nameOf).join(', ')
        ),
      value: ({ zone_ids }) => zone_ids.join(' '),
    },
    { title: 'Hours', name: 'hours', fit: 'roomy off', cell: (gate) => <HoursLink of={gate} /> },
    {
      title: 'Now',
      fit: 'top-end',
      cell: (gate) => <GatePill gate={{ ...gate, passage: passageOf(gate) }} zone={zone} now={now} />,
    },
  ];
  return listPage({
    caption: 'Gates',
    name: 'entry-points',
    path: equipmentPath(location_id, 'gates'),
    columns,
    keyOf,
    file: `${locationPath(location_id)}/entry-points.csv`,
    hasFileLink: false,
    read: inMemory(entryPoints, keyOf),
    cursorName: 'entry_points',
    empty: mayChange ? 'None yet. Add a zone first, then its gate.' : 'None yet.',
  });
}

/** The file has none of the cells for which the table needs its settings. */
export function entryPointsFile(
  location_id: string,
  entryPoints: readonly ListedEntryPoint[],
): Promise<StreamedDownload> {
  const unused = { zones: [], mayChange: false, zone: 'UTC', now: 0, passageOf: () => ALWAYS };
  return entryPointList(location_id, entryPoints, unused).csv();
}

function HoursLink({ of: { entry_point_id, hours } }: { readonly of: ListedEntryPoint }) {
  return (
    <a href={`${gatePath(entry_point_id)}/hours`}>{hours === 'always' ? 'Always' : 'Those of the site'}</a>
  );
}
