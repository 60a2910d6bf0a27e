import type { UnitPeople } from '#api/operator/index.js';
import type { ActivityEntry } from '#domain/history/index.js';
import type { LockDocument } from '#domain/locations/index.js';
import { TapResult } from '../activity/tap-result.js';
import { tenantPath, unitPath } from '../links/paths.js';
import type { NamesById } from '../names/thing-names.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Field, Form } from '../parts/form.js';
import { Happened } from '../parts/happened.js';
import { Empty, Facts, None, Section, Table } from '../parts/layout.js';
import { StateMark } from '../parts/states.js';
import { Instant } from '../parts/times.js';
import { UnitLink } from '../parts/unit-link.js';
import { keyFormatText } from './key-format-field.js';
import { ChargeOf } from './lock-charge.js';

interface Charge {
  readonly percent: number;
  /** Milliseconds. */
  readonly at: number;
}

interface LockViewProps {
  readonly lock: Pick<LockDocument, 'lock_id' | 'name' | 'serial' | 'key_format'>;
  /** Undefined where no app has reported it. */
  readonly battery: Charge | undefined;
  /** Newest first. */
  readonly taps: readonly ActivityEntry[];
  readonly names: NamesById;
  /** Null: the lock is on no unit. */
  readonly people: UnitPeople | null;
  readonly zone: string;
  readonly mayChange: boolean;
}

/** What a lock is, who may open it, and who did. */
export function LockView({ lock, battery, taps, names, people, zone, mayChange }: LockViewProps) {
  const { serial, key_format } = lock;
  return (
    <>
      <Section title="Lock">
        <Facts
          of={[
            ['Unit', people === null ? 'Spare: on no unit' : <UnitLink unit={people} />],
            ['Serial number', serial ?? <None />],
            ['Battery', <ChargeOf battery={battery} zone={zone} />],
            ['Key format', keyFormatText(key_format)],
          ]}
        />
        {people === null || !mayChange ? null : <ReplaceLock lock={lock} unit={people} />}
      </Section>
      <Section title="Who may open it">
        <LockPeople of={people} zone={zone} />
      </Section>
      <Section title="Last taps">
        <Taps {...{ taps, names, zone }} />
      </Section>
    </>
  );
}

interface ReplaceLockProps {
  readonly lock: Pick<LockDocument, 'lock_id' | 'name'>;
  readonly unit: Pick<UnitPeople, 'unit_id' | 'unit_name'>;
}

/** The unit's page answers: it shows the lock that is on it then. */
function ReplaceLock({ lock: { lock_id, name }, unit: { unit_id, unit_name } }: ReplaceLockProps) {
  return (
    <ActionDialog form="replace" label={`Replace on ${unit_name}`} refused={undefined}>
      <p>
        The tenant gets keys to the other lock alone. A key already given out opens {name} offline until it
        expires.
      </p>
      <Form name="replace" action={`${unitPath(unit_id)}/locks/${lock_id}/replace`} submit="Replace it">
        <Field
          name="lock"
          label="Spare lock"
          hint="Its name or its serial number. Leave it empty for a new lock."
          maxLength={255}
          autofocus
        />
        <Field name="serial" label="Serial number of a new lock" maxLength={255} />
      </Form>
    </ActionDialog>
  );
}

const RIGHTS = {
  tenant: 'Tenant',
  share: 'Shares the unit',
  pass: 'Pass',
  invitation: 'Invited',
  locked_invitation: 'Invited, closed by five wrong codes',
  key_holder: 'A key from before, without a right',
} as const;

function LockPeople({ of, zone }: { readonly of: UnitPeople | null; readonly zone: string }) {
  if (of === null) return <Empty>Nobody: it is on no unit.</Empty>;
  const { people, state, reason } = of;
  if (people.length === 0) return <Empty>Nobody: nobody rents {of.unit_name}.</Empty>;
  const rows = people.map((one, index) => ({
    key: String(index),
    cells: [
      <a href={tenantPath(one.tenant_id)}>{one.name ?? 'tenant'}</a>,
      RIGHTS[one.kind],
      'opens' in one ? one.opens ? 'Opens' : <StateMark state={state} reason={reason} /> : 'No new key',
      'key_expires_at' in one ? <Instant at={one.key_expires_at} zone={zone} none="none" /> : <None />,
    ],
  }));
  return <Table caption="Who may open it" head={['Who', 'By', 'Now', 'Has a key until']} rows={rows} />;
}

function Taps({ taps, names, zone }: Pick<LockViewProps, 'taps' | 'names' | 'zone'>) {
  if (taps.length === 0) return <Empty>No taps yet. Tenants’ apps report them.</Empty>;
  const rows = taps.map((one) => ({
    key: one.log_id,
    cells: [
      <Happened of={one} zone={zone} />,
      <a href={tenantPath(one.tenant_id)}>{names.get(one.tenant_id) ?? 'tenant'}</a>,
      <TapResult of={one} />,
    ],
  }));
  return <Table caption="Taps, newest first" head={['When', 'Who', 'Result']} rows={rows} />;
}
