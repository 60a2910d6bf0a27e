import type { VNode } from 'preact';
import type { Refused } from '../page/page.js';
import { Choices, Select } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { Section } from '../parts/layout.js';
import type { ListedZone } from './equipment-lists.js';

interface EquipmentProps {
  readonly path: string;
  readonly mayChange: boolean;
  readonly zones: readonly ListedZone[];
  /** A page of each list. */
  readonly shown: Readonly<Record<'zones' | 'entryPoints' | 'locks', VNode>>;
  readonly refused: Refused | undefined;
}

/** Zones, entry points and locks, each with the form that adds one. */
export function Equipment(props: EquipmentProps) {
  return (
    <>
      {props.mayChange ? (
        <p>
          <a href={`${props.path}/setup`}>Set up many units at once</a>
        </p>
      ) : null}
      <Zones {...props} />
      <EntryPoints {...props} />
      <Locks {...props} />
    </>
  );
}

function Zones({ path, mayChange, shown, refused }: EquipmentProps) {
  return (
    <Section title="Zones">
      {shown.zones}
      {mayChange ? (
        <Form name="zone" action={`${path}/zones`} submit="Add zone" refused={refused}>
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

function EntryPoints({ path, mayChange, zones, shown, refused }: EquipmentProps) {
  const options = zones.map(({ zone_id, name }) => [zone_id, name] as const);
  return (
    <Section title="Gates, doors and elevators">
      {shown.entryPoints}
      {mayChange ? (
        <Form name="entry-point" action={`${path}/entry-points`} submit="Add entry point" refused={refused}>
          <Field name="name" label="Name of a new entry point" required maxLength={255} />
          <Select name="kind" label="Kind" options={KINDS} />
          <Choices name="zone_ids" legend="Zones it leads to" options={options} />
        </Form>
      ) : null}
    </Section>
  );
}

function Locks({ path, mayChange, shown, refused }: EquipmentProps) {
  return (
    <Section title="Locks" id="locks">
      {shown.locks}
      {mayChange ? (
        <Form name="lock" action={`${path}/locks`} submit="Add lock" refused={refused}>
          <Field name="name" label="Name of a new lock" required maxLength={255} />
          <Field name="serial" label="Serial number" maxLength={255} />
        </Form>
      ) : null}
    </Section>
  );
}
