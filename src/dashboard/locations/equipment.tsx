import type { Refused } from '../frame/page.js';
import type { Names } from '../names/thing-names.js';
import { UnitLink } from '../units/unit-list.js';
import { Choices, Danger, Field, Form, Select } from '../parts/form.js';
import { Empty, ListEnd, Section, Table, Tabs } from '../parts/layout.js';

interface Zone {
  readonly zone_id: string;
  readonly name: string;
}

interface EntryPoint {
  readonly entry_point_id: string;
  readonly name: string;
  readonly kind: string;
  readonly zone_ids: readonly string[];
  readonly in_service: boolean;
}

interface Lock {
  readonly lock_id: string;
  readonly name: string;
  readonly serial: string | null;
  readonly unit_id: string | null;
}

/** A page of a list, and what follows. */
interface Shown<T> {
  readonly shown: readonly T[];
  readonly next_cursor: string | null;
}

interface EquipmentProps {
  readonly path: string;
  readonly mayChange: boolean;
  readonly allZones: readonly Zone[];
  readonly zones: Shown<Zone>;
  readonly entryPoints: Shown<EntryPoint>;
  readonly locks: Shown<Lock>;
  /** Whether they are those alone that are on no unit. */
  readonly onlyFree: boolean;
  /** Of the units that the locks are on. */
  readonly unitNames: Names;
  readonly refused: Refused | undefined;
}

/** Zones, entry points and locks, each with the form that adds one. */
export function Equipment(props: EquipmentProps) {
  return (
    <>
      <Zones {...props} />
      <EntryPoints {...props} />
      <Locks {...props} />
    </>
  );
}

function Zones({ path, mayChange, zones: { shown, next_cursor }, refused }: EquipmentProps) {
  return (
    <Section title="Zones">
      {shown.length === 0 ? (
        <Empty>No zone yet. Who may open a unit of a zone may open the zone’s gates and doors, too.</Empty>
      ) : (
        <>
          <ul>
            {shown.map(({ zone_id, name }) => (
              <li key={zone_id}>{name}</li>
            ))}
          </ul>
          <ListEnd path={`${path}/equipment`} file={`${path}/zones.csv`} cursor={next_cursor} of="zones" />
        </>
      )}
      {mayChange ? (
        <Form name="zone" action={`${path}/zones`} submit="Add the zone" refused={refused}>
          <Field name="name" label="Name of a new zone" required maxLength={255} />
        </Form>
      ) : null}
    </Section>
  );
}

const KINDS = [
  ['gate', 'Gate'],
  ['door', 'Door'],
  ['elevator', 'Elevator'],
] as const;

function EntryPoints({ path, mayChange, allZones, entryPoints, refused }: EquipmentProps) {
  const nameOf = (zone_id: string) => allZones.find((zone) => zone.zone_id === zone_id)?.name ?? zone_id;
  const rows = entryPoints.shown.map((one) => ({
    key: one.entry_point_id,
    cells: [
      one.name,
      one.kind,
      one.zone_ids.map(nameOf).join(', '),
      <Service of={one} mayChange={mayChange} />,
    ],
  }));
  const options = allZones.map(({ zone_id, name }) => [zone_id, name] as const);
  return (
    <Section title="Gates, doors and elevators">
      {rows.length === 0 ? (
        <Empty>None yet.{mayChange ? ' Make a zone first, then the gate that it lies behind.' : ''}</Empty>
      ) : (
        <>
          <Table caption="Entry points" head={['Name', 'Kind', 'Zones', 'Service']} rows={rows} />
          <ListEnd
            path={`${path}/equipment`}
            file={`${path}/entry-points.csv`}
            cursor={entryPoints.next_cursor}
            of="entry_points"
          />
        </>
      )}
      {mayChange ? (
        <Form name="entry-point" action={`${path}/entry-points`} submit="Add it" refused={refused}>
          <Field name="name" label="Name of a new one" required maxLength={255} />
          <Select name="kind" label="Kind" options={KINDS} />
          <Choices name="zone_ids" legend="Leads to the zones" options={options} />
        </Form>
      ) : null}
    </Section>
  );
}

function Service({
  of: { entry_point_id, name, in_service },
  mayChange,
}: {
  of: EntryPoint;
  mayChange: boolean;
}) {
  const text = in_service ? 'in service' : 'out of service: opens for nobody';
  if (!mayChange) return <>{text}</>;
  const form = (
    <Form
      name={`service-${entry_point_id}`}
      action={`/dashboard/entry-points/${entry_point_id}`}
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

function Locks({ path, mayChange, locks, onlyFree, unitNames, refused }: EquipmentProps) {
  const rows = locks.shown.map(({ lock_id, name, serial, unit_id }) => ({
    key: lock_id,
    cells: [
      name,
      serial ?? '',
      unit_id === null ? (
        'on no unit'
      ) : (
        <UnitLink unit={{ unit_id, unit_name: unitNames.get(unit_id) ?? unit_id }} />
      ),
      <code>{lock_id}</code>,
    ],
  }));
  const all = `${path}/equipment`;
  const free = `${all}?free=true`;
  return (
    <Section title="Locks">
      <Tabs
        label="Which locks"
        of={[
          [all, 'All'],
          [free, 'On no unit'],
        ]}
        current={onlyFree ? free : all}
      />
      {rows.length === 0 ? (
        <NoLock onlyFree={onlyFree} mayAdd={mayChange} />
      ) : (
        <>
          <Table caption="Locks" head={['Name', 'Serial number', 'Unit', 'Identifier']} rows={rows} />
          <ListEnd
            path={all}
            file={`${path}/locks.csv`}
            query={onlyFree ? { free: 'true' } : {}}
            cursor={locks.next_cursor}
            of="locks"
          />
        </>
      )}
      {mayChange ? (
        <Form name="lock" action={`${path}/locks`} submit="Add the lock" refused={refused}>
          <Field name="name" label="Name of a new lock" required maxLength={255} />
          <Field name="serial" label="Serial number" maxLength={255} />
        </Form>
      ) : null}
    </Section>
  );
}

function NoLock({ onlyFree, mayAdd }: { readonly onlyFree: boolean; readonly mayAdd: boolean }) {
  if (onlyFree) return <Empty>Every lock is on a unit.</Empty>;
  return (
    <Empty>No lock yet.{mayAdd ? ' Add it here; then put it on a unit, on the unit’s page.' : ''}</Empty>
  );
}
