import { Danger, Form } from '../parts/form.js';
import { inMemory } from '../parts/in-memory.js';
import { Mark } from '../parts/states.js';
import { capitalized } from '../parts/labels.js';
import { type Column, listPage } from '../parts/list-page.js';
import { gatePath, locationPath } from './location-frame.js';

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
}

export function zoneList(
  location_id: string,
  zones: readonly ListedZone[],
  entryPoints: readonly ListedEntryPoint[],
) {
  const path = locationPath(location_id);
  const keyOf = ({ zone_id }: ListedZone) => zone_id;
  const columns: readonly Column<ListedZone>[] = [
    { name: 'zone_id' },
    { title: 'Name', name: 'name' },
    { title: 'Gates', cell: (zone) => gatesText(zone, entryPoints) },
  ];
  return listPage({
    ...{ caption: 'Zones', name: 'zones', path: `${path}/equipment`, file: `${path}/zones.csv` },
    ...{ columns, keyOf, read: inMemory(zones, keyOf), cursorName: 'zones' },
    empty: 'No zone yet. Tenants of a zone’s units may open its gates and doors.',
  });
}

function gatesText({ zone_id }: ListedZone, entryPoints: readonly ListedEntryPoint[]): string {
  const names = entryPoints.filter(({ zone_ids }) => zone_ids.includes(zone_id)).map(({ name }) => name);
  return names.length === 0 ? 'None: its units open no gate.' : names.join(', ');
}

interface EntryPointSettings {
  /** The location's zones, for their names. */
  readonly zones: readonly ListedZone[];
  readonly mayChange: boolean;
}

export function entryPointList(
  location_id: string,
  entryPoints: readonly ListedEntryPoint[],
  { zones, mayChange }: EntryPointSettings,
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
    { title: 'Service', cell: (one) => <Service of={one} mayChange={mayChange} /> },
  ];
  return listPage({
    ...{ caption: 'Entry points', name: 'entry-points', path: `${path}/equipment`, columns, keyOf },
    ...{ file: `${path}/entry-points.csv`, read: inMemory(entryPoints, keyOf), cursorName: 'entry_points' },
    empty: mayChange ? 'None yet. Add a zone first, then its gate.' : 'None yet.',
  });
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
