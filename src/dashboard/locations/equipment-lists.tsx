import { ALWAYS, type EntryPoint } from '#domain/locations/index.js';
import type { StreamedDownload } from '../page/page.js';
import { GateNow } from '../hours/gate-hours.js';
import type { GatePassage } from '../hours/gate-passages.js';
import { Danger, Form } from '../parts/form.js';
import { inMemory } from '../parts/in-memory.js';
import { Mark } from '../parts/states.js';
import { capitalized } from '../parts/labels.js';
import { type Column, listPage } from '../parts/list-page.js';
import { gatePath, locationPath, zonePath } from '../links/paths.js';

export interface ListedZone {
  readonly zone_id: string;
  readonly name: string;
}

export interface ListedEntryPoint {
  readonly entry_point_id: string;
  readonly name: string;
  readonly kind: string;
  readonly zone_ids: readonly string[];
  readonly in_service: boolean;
  readonly hours: EntryPoint['hours'];
}

export function zoneList(
  location_id: string,
  zones: readonly ListedZone[],
  entryPoints: readonly ListedEntryPoint[],
  mayChange = false,
) {
  const path = locationPath(location_id);
  const keyOf = ({ zone_id }: ListedZone) => zone_id;
  const columns: readonly Column<ListedZone>[] = [
    { name: 'zone_id' },
    {
      title: 'Name',
      name: 'name',
      cell: ({ zone_id, name }) => (mayChange ? <a href={zonePath(zone_id)}>{name}</a> : name),
    },
    { title: 'Gates', cell: (zone) => gatesText(zone, entryPoints) },
  ];
  return listPage({
    caption: 'Zones',
    name: 'zones',
    path: `${path}/equipment`,
    file: `${path}/zones.csv`,
    columns,
    keyOf,
    read: inMemory(zones, keyOf),
    cursorName: 'zones',
    empty: 'No zone yet. Tenants of a zone’s units may open its gates and doors.',
  });
}

/** The file names no gates: only the table does. */
export function zonesFile(location_id: string, zones: readonly ListedZone[]): Promise<StreamedDownload> {
  return zoneList(location_id, zones, []).csv();
}

function gatesText({ zone_id }: ListedZone, entryPoints: readonly ListedEntryPoint[]): string {
  const names = entryPoints.filter(({ zone_ids }) => zone_ids.includes(zone_id)).map(({ name }) => name);
  return names.length === 0 ? 'None: its units open no gate.' : names.join(', ');
}

interface EntryPointSettings {
  /** The location's zones, for their names. */
  readonly zones: readonly ListedZone[];
  readonly mayChange: boolean;
  /** Time zone of the location. */
  readonly zone: string;
  /** Whether a gate's hours let somebody pass now. */
  readonly passageOf: (gate: ListedEntryPoint) => GatePassage;
}

export function entryPointList(
  location_id: string,
  entryPoints: readonly ListedEntryPoint[],
  { zones, mayChange, zone, passageOf }: EntryPointSettings,
) {
  const path = locationPath(location_id);
  const keyOf = ({ entry_point_id }: ListedEntryPoint) => entry_point_id;
  const nameOf = (zone_id: string) => zones.find((zone) => zone.zone_id === zone_id)?.name ?? zone_id;
  const columns: readonly Column<ListedEntryPoint>[] = [
    { name: 'entry_point_id' },
    {
      title: 'Name',
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
    {
      title: 'Hours',
      name: 'hours',
      cell: (gate) => (
        <a href={`${gatePath(gate.entry_point_id)}/hours`}>
          <GateNow passage={passageOf(gate)} inService={gate.in_service} zone={zone} />
        </a>
      ),
    },
    { title: 'Service', cell: (one) => <Service of={one} mayChange={mayChange} /> },
  ];
  return listPage({
    caption: 'Entry points',
    name: 'entry-points',
    path: `${path}/equipment`,
    columns,
    keyOf,
    file: `${path}/entry-points.csv`,
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
  const unused = { zones: [], mayChange: false, zone: 'UTC', passageOf: () => ALWAYS };
  return entryPointList(location_id, entryPoints, unused).csv();
}

/** Whether an entry point is in service, with the form that changes it. */
function Service({
  of: { entry_point_id, name, in_service },
  mayChange,
}: {
  of: ListedEntryPoint;
  mayChange: boolean;
}) {
  const text = in_service ? 'In service' : 'Out of service: opens for nobody';
  if (!mayChange) return <>{text}</>;
  const form = (
    <Form
      name={`service-${entry_point_id}`}
      action={gatePath(entry_point_id)}
      submit={in_service ? `Take ${name} out of service` : `Put ${name} into service`}
      tone={in_service ? 'danger' : 'quiet'}
    >
      <input type="hidden" name="in_service" value={String(!in_service)} />
    </Form>
  );
  if (!in_service)
    return (
      <>
        {text}
        {form}
      </>
    );
  return (
    <>
      {text}
      <Danger summary="Take it out of service">
        <p>
          Nobody is given a key to it until it is put into service again; keys given out open until they
          expire.
        </p>
        {form}
      </Danger>
    </>
  );
}
