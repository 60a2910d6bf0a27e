import type { VNode } from 'preact';
import { type EquipmentKind, equipmentPath, locationPath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { Choices, Select } from '../parts/choices.js';
import { Drawer, DrawerButton } from '../parts/drawer.js';
import { Field, Form } from '../parts/form.js';
import { Counted, CsvLink, Tabs } from '../parts/layout.js';
import type { ListedZone } from './equipment-lists.js';

export const EQUIPMENT_KINDS = ['locks', 'zones', 'gates'] as const satisfies readonly EquipmentKind[];

const TITLES: Readonly<Record<EquipmentKind, string>> = { locks: 'Locks', zones: 'Zones', gates: 'Gates' };

/** The form that adds one. */
export const ADD_FORMS: Readonly<Record<EquipmentKind, { readonly name: string; readonly title: string }>> = {
  locks: { name: 'lock', title: 'Add lock' },
  zones: { name: 'zone', title: 'Add zone' },
  gates: { name: 'entry-point', title: 'Add gate' },
};

export function AddEquipment({ kind }: { readonly kind: EquipmentKind }) {
  const { name, title } = ADD_FORMS[kind];
  return <DrawerButton form={name}>{title}</DrawerButton>;
}

interface EquipmentProps {
  readonly location_id: string;
  readonly kind: EquipmentKind;
  readonly counts: Readonly<Record<EquipmentKind, number | undefined>>;
  readonly mayChange: boolean;
  readonly zones: readonly ListedZone[];
  readonly list: {
    /** Above the card. */
    readonly filter?: VNode;
    /** A page of the list. */
    readonly view: VNode;
    /** The address of the whole list as a file. */
    readonly file: string;
  };
  readonly refused: Refused | undefined;
  /** The form in the address: its drawer is open. */
  readonly add: unknown;
}

/** Locks, zones or gates of a location, with the form that adds one in a drawer. */
export function Equipment(props: EquipmentProps) {
  const { location_id, kind, counts, mayChange, list } = props;
  const of = EQUIPMENT_KINDS.map((one) => {
    const text = <Counted text={TITLES[one]} count={counts[one]} />;
    return [equipmentPath(location_id, one), text] as const;
  });
  return (
    <>
      <div class="bar">
        <Tabs kind="segments" label="Equipment" of={of} current={equipmentPath(location_id, kind)} />
        {mayChange ? (
          <a class="button ghost small" href={`${locationPath(location_id)}/setup`}>
            Set up many units at once
          </a>
        ) : null}
        {counts[kind] === 0 ? null : <CsvLink path={list.file} />}
      </div>
      {list.filter}
      <div class="card">{list.view}</div>
      {mayChange ? <AddDrawer {...props} /> : null}
    </>
  );
}

function AddDrawer({ location_id, kind, zones, refused, add }: EquipmentProps) {
  const { name, title } = ADD_FORMS[kind];
  return (
    <Drawer
      form={name}
      title={title}
      path={equipmentPath(location_id, kind)}
      refused={refused}
      isOpen={add === name}
    >
      {kind === 'locks' ? <LockForm {...{ location_id, refused }} /> : null}
      {kind === 'zones' ? <ZoneForm {...{ location_id, refused }} /> : null}
      {kind === 'gates' ? <GateForm {...{ location_id, refused, zones }} /> : null}
    </Drawer>
  );
}

type FormsProps = Pick<EquipmentProps, 'location_id' | 'refused'>;

function LockForm({ location_id, refused }: FormsProps) {
  return (
    <Form name="lock" action={`${locationPath(location_id)}/locks`} submit="Add lock" refused={refused}>
      <Field name="serial" label="Serial number" maxLength={255} autofocus />
      <Field name="unit" label="Unit" hint="Blank: a spare lock." maxLength={255} />
      <Field
        name="name"
        label="Name"
        hint="Blank: named after its unit or its serial number."
        maxLength={255}
      />
    </Form>
  );
}

function ZoneForm({ location_id, refused }: FormsProps) {
  return (
    <Form name="zone" action={`${locationPath(location_id)}/zones`} submit="Add zone" refused={refused}>
      <Field
        name="name"
        label="Name"
        hint="Like Building A. Its page adds units, and leads gates to it."
        required
        maxLength={255}
        autofocus
      />
    </Form>
  );
}

const KINDS = [
  ['gate', 'Gate'],
  ['door', 'Door'],
  ['elevator', 'Elevator'],
] as const;

function GateForm({ location_id, refused, zones }: FormsProps & Pick<EquipmentProps, 'zones'>) {
  const options = zones.map(({ zone_id, name }) => [zone_id, name] as const);
  return (
    <Form
      name="entry-point"
      action={`${locationPath(location_id)}/entry-points`}
      submit="Add gate"
      refused={refused}
    >
      <Field name="name" label="Name" required maxLength={255} autofocus />
      <Select name="kind" label="Kind" options={KINDS} />
      {zones.length === 0 ? (
        <>
          <p class="hint">This site has no zone yet: the gate opens for nobody until it leads to one.</p>
          <input type="hidden" name="zone_ids" value="" />
        </>
      ) : (
        <Choices name="zone_ids" legend="Zones it leads to" options={options} />
      )}
    </Form>
  );
}
