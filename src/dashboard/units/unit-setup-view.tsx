import type { Refused } from '../page/page.js';
import { addPath } from '../parts/drawer.js';
import { equipmentPath, unitPath } from '../links/paths.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Select } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { SOURCE_TEXTS } from '../parts/labels.js';
import { Empty, Facts, Section } from '../parts/layout.js';
import type { FormsProps } from './override-forms.js';
import { BatteryMark } from '../parts/battery-mark.js';
import { isStandalone } from './sentence.js';
import type { UnitDetail } from './unit-detail.js';
import type { LowBatteries } from './unit-location.reader.js';

/** Some of the locks of a location that are on no unit. */
export interface FreeLocks {
  readonly offered: readonly {
    readonly lock_id: string;
    readonly name: string;
    readonly serial: string | null;
  }[];
  readonly hasMore: boolean;
}

interface UnitSetupProps {
  readonly unit: UnitDetail;
  /** Absent for an operator who may not put one on. */
  readonly freeLocks: FreeLocks | undefined;
  readonly batteries: LowBatteries;
  readonly otherZones: readonly { readonly zone_id: string; readonly name: string }[];
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** The parts of a unit that stay when the tenant changes: locks, zones, name. */
export function UnitSetupView(props: UnitSetupProps) {
  return (
    <div class="grid">
      <Locks {...props} />
      <Zones {...props} />
      <Identity {...props} />
    </div>
  );
}

function Locks({ unit: { unit_id, locks, location }, freeLocks, batteries, refused }: UnitSetupProps) {
  const path = unitPath(unit_id);
  return (
    <Section title="Locks">
      {locks.length === 0 ? <Empty>No lock is on it: nobody is given a key to it.</Empty> : null}
      <ul class="plain">
        {locks.map(({ lock_id, name, serial }) => (
          <li key={lock_id}>
            {name}
            {serial === null ? '' : ` (${serial})`}{' '}
            {batteries.has(lock_id) ? <BatteryMark percent={batteries.get(lock_id)!} /> : null}{' '}
            {freeLocks === undefined ? null : (
              <ActionDialog form={`lock-${lock_id}`} label={`Take ${name} off`} refused={refused}>
                <p>
                  The tenant gets no key to it any more. A key already given out opens an offline lock until
                  it expires.
                </p>
                <Form
                  name={`lock-${lock_id}`}
                  action={`${path}/locks/${lock_id}/remove`}
                  submit="Take it off"
                  tone="danger"
                  refused={refused}
                />
              </ActionDialog>
            )}{' '}
            {freeLocks === undefined ? null : (
              <ReplaceLock {...{ path, lock_id, name, refused }} free={freeLocks} />
            )}
          </li>
        ))}
      </ul>
      {freeLocks === undefined ? null : (
        <div class="acts">
          <AssignLock {...{ path, refused }} free={freeLocks} location_id={location.id} />
        </div>
      )}
    </Section>
  );
}

interface ReplaceLockProps extends FormsProps {
  readonly lock_id: string;
  readonly name: string;
  readonly free: FreeLocks;
}

/** Puts a spare lock in the place of another one, or a new one that has its name. */
function ReplaceLock({ path, lock_id, name, refused, free: { offered } }: ReplaceLockProps) {
  const form = `replace-${lock_id}`;
  return (
    <ActionDialog form={form} label={`Replace ${name}`} refused={refused}>
      <p>
        The tenant gets keys to the other lock alone. A key already given out opens the old one offline until
        it expires.
      </p>
      <Form name={form} action={`${path}/locks/${lock_id}/replace`} submit="Replace it" refused={refused}>
        <Field
          name="lock"
          label="Spare lock"
          hint="Its name or its serial number. Leave it empty for a new lock."
          suggestions={suggestionsOf(offered)}
          maxLength={255}
          autofocus
        />
        <Field name="serial" label="Serial number of a new lock" maxLength={255} />
      </Form>
    </ActionDialog>
  );
}

function suggestionsOf(offered: FreeLocks['offered']) {
  const names = offered.map(({ name }) => name);
  return offered.map(({ lock_id, name, serial }) => ({
    value: names.filter((one) => one === name).length === 1 ? name : (serial ?? lock_id),
    text: serial === null ? name : `${name} (${serial})`,
  }));
}

function AssignLock({
  path,
  refused,
  free: { offered, hasMore },
  location_id,
}: FormsProps & { readonly free: FreeLocks; readonly location_id: string }) {
  const equipment = equipmentPath(location_id);
  if (offered.length === 0) {
    return (
      <p class="hint">
        No spare locks. <a href={addPath(equipment, 'lock')}>Add one</a>, then assign it here.
      </p>
    );
  }
  const suggestions = suggestionsOf(offered);
  return (
    <ActionDialog form="lock" label="Assign lock" refused={refused}>
      <Form name="lock" action={`${path}/locks`} submit="Assign lock" refused={refused}>
        <Field
          name="lock"
          label="Spare lock"
          hint="Its name or its serial number."
          value={offered.length === 1 ? suggestions[0]!.value : undefined}
          suggestions={suggestions}
          required
          autofocus
          maxLength={255}
        />
      </Form>
      {hasMore ? (
        <p class="hint">
          The first {offered.length} are offered; any other can be typed.{' '}
          <a href={`${equipment}?free=true`}>All spare locks</a>
        </p>
      ) : null}
    </ActionDialog>
  );
}

function Zones({ unit: { unit_id, zones }, otherZones, mayChange, refused }: UnitSetupProps) {
  const path = unitPath(unit_id);
  return (
    <Section title="Zones">
      {zones.length === 0 ? <Empty>In no zone.</Empty> : null}
      <ul class="plain">
        {zones.map(({ zone_id, name }) => (
          <li key={zone_id}>
            {name ?? zone_id}{' '}
            {mayChange ? (
              <ActionDialog
                form={`zone-${zone_id}`}
                label={`Remove from ${name ?? zone_id}`}
                refused={refused}
              >
                <p>
                  Tenants of the unit get no key any more to the gates and doors of the zone, unless by
                  another unit there.
                </p>
                <Form
                  name={`zone-${zone_id}`}
                  action={`${path}/zones/${zone_id}/remove`}
                  submit="Remove from zone"
                  refused={refused}
                  tone="danger"
                />
              </ActionDialog>
            ) : null}
          </li>
        ))}
      </ul>
      {mayChange && otherZones.length > 0 ? (
        <div class="acts">
          <ActionDialog form="zone" label="Add to zone" refused={refused}>
            <Form name="zone" action={`${path}/zones`} submit="Add to zone" refused={refused}>
              <Select
                name="zone_id"
                label="Zone"
                autofocus
                options={otherZones.map(({ zone_id, name }) => [zone_id, name] as const)}
              />
            </Form>
          </ActionDialog>
        </div>
      ) : null}
    </Section>
  );
}

function Identity({ unit, mayChange, refused }: UnitSetupProps) {
  const path = unitPath(unit.unit_id);
  return (
    <Section title="Unit">
      <Facts
        of={[
          ['Name', unit.unit_name],
          [isStandalone(unit) ? 'Unit number' : 'PMS id', unit.crm_unit_id],
          ['Site', unit.location.name],
          ['Data from', SOURCE_TEXTS[unit.source_type]],
          ['Gates', unit.round_the_clock ? 'round the clock' : 'by their hours'],
        ]}
      />
      {mayChange ? (
        <div class="acts">
          {/* The name is the operator's, whatever the unit's source (decisions §3). */}
          <ActionDialog form="name" label="Rename" refused={refused}>
            <Form name="name" action={`${path}/name`} submit="Rename" refused={refused}>
              <Field
                name="unit_name"
                label="Name of the unit"
                value={unit.unit_name}
                required
                autofocus
                maxLength={255}
              />
            </Form>
          </ActionDialog>
          <RoundTheClock {...{ path, refused }} isOn={unit.round_the_clock} occupied={unit.facts.occupied} />
          <Retire {...{ path, refused }} retired={unit.retired} occupied={unit.facts.occupied} />
        </div>
      ) : null}
    </Section>
  );
}

/** Ends with the tenancy. */
function RoundTheClock({
  path,
  refused,
  isOn,
  occupied,
}: FormsProps & { readonly isOn: boolean; readonly occupied: boolean }) {
  if (isOn)
    return (
      <Form
        name="round-the-clock-end"
        action={`${path}/round-the-clock/end`}
        submit="Let in by the hours of gates"
        tone="quiet"
        refused={refused}
      />
    );
  if (!occupied) return null;
  return (
    <Form
      name="round-the-clock"
      action={`${path}/round-the-clock`}
      submit="Let in at any hour"
      tone="quiet"
      refused={refused}
    />
  );
}

function Retire({
  path,
  refused,
  retired,
  occupied,
}: FormsProps & { readonly retired: boolean; readonly occupied: boolean }) {
  if (retired)
    return <Form name="revive" action={`${path}/revive`} submit="Bring it back" refused={refused} />;
  if (occupied) return null;
  return (
    <ActionDialog form="retire" label="Retire" refused={refused}>
      <p>
        For a unit that was made by mistake. Lists and integrators no longer see it. Its history stays; a
        write of its PMS brings it back.
      </p>
      <Form name="retire" action={`${path}/retire`} submit="Retire it" tone="danger" refused={refused} />
    </ActionDialog>
  );
}
