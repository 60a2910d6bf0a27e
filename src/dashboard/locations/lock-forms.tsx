import type { UnitPeople } from '#api/operator/index.js';
import type { LockDocument } from '#domain/locations/index.js';
import { lockPath, unitPath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Field, Form } from '../parts/form.js';
import { MenuButton, PageMenu } from '../parts/more-menu.js';
import { KeyFormatField } from './key-format-field.js';

type Lock = Pick<LockDocument, 'lock_id' | 'name' | 'key_format'>;
/** Null: the lock is on no unit. */
type UnitOfLock = Pick<UnitPeople, 'unit_id' | 'unit_name'> | null;

interface LockActsProps {
  readonly lock: Lock;
  readonly unit: UnitOfLock;
}

/** The menu of a lock, and beside it what is done most. */
export function LockActs({ lock: { name }, unit }: LockActsProps) {
  return (
    <>
      <PageMenu id="lock" of={name}>
        <MenuButton icon="pencil" form="name">
          Rename, format of its keys…
        </MenuButton>
        {unit === null ? null : (
          <MenuButton icon="key-off" form="take-off">
            Take off {unit.unit_name}…
          </MenuButton>
        )}
        <hr />
        <MenuButton icon="trash" form="remove" tone="danger">
          Remove…
        </MenuButton>
      </PageMenu>
      <button
        class="button primary"
        type="button"
        popovertarget={`dialog-${unit === null ? 'unit' : 'replace'}`}
      >
        {unit === null ? 'Put on a unit…' : 'Replace…'}
      </button>
    </>
  );
}

interface LockFormsProps extends LockActsProps {
  readonly refused: Refused | undefined;
}

/** The forms that change a lock, each in a dialog. */
export function LockForms({ lock, unit, refused }: LockFormsProps) {
  const { lock_id, name, key_format } = lock;
  const path = lockPath(lock_id);
  return (
    <>
      <ActionDialog form="name" label={`Change ${name}`} refused={refused} hasButton={false}>
        <Form name="name" action={`${path}/name`} submit="Save" refused={refused} withInitial>
          <Field name="name" label="Name" value={name} required maxLength={255} autofocus />
          <KeyFormatField of="lock" value={key_format} />
        </Form>
      </ActionDialog>
      {unit === null ? <SpareForms {...{ lock, refused }} /> : <FormsOnUnit lock={lock} unit={unit} />}
    </>
  );
}

function SpareForms({ lock: { lock_id, name }, refused }: Omit<LockFormsProps, 'unit'>) {
  const path = lockPath(lock_id);
  return (
    <>
      <ActionDialog form="unit" label={`Put ${name} on a unit`} refused={refused} hasButton={false}>
        <Form name="unit" action={`${path}/unit`} submit="Put on" refused={refused}>
          <Field name="unit" label="Unit" required maxLength={255} autofocus />
        </Form>
      </ActionDialog>
      <ActionDialog form="remove" label={`Remove ${name}?`} refused={refused} hasButton={false}>
        <p>Its history stays; a key already given out opens an offline lock until it expires.</p>
        <Form name="remove" action={`${path}/remove`} submit="Remove lock" tone="danger" refused={refused} />
      </ActionDialog>
    </>
  );
}

interface FormsOnUnitProps {
  readonly lock: Lock;
  readonly unit: NonNullable<UnitOfLock>;
}

/** The unit's page answers: it shows the locks that are on it then. */
function FormsOnUnit({ lock: { lock_id, name }, unit: { unit_id, unit_name } }: FormsOnUnitProps) {
  const path = `${unitPath(unit_id)}/locks/${lock_id}`;
  return (
    <>
      <ActionDialog form="replace" label={`Replace on ${unit_name}`} refused={undefined} hasButton={false}>
        <p>
          The tenant gets keys to the other lock alone. A key already given out opens {name} offline until it
          expires.
        </p>
        <Form name="replace" action={`${path}/replace`} submit="Replace it">
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
      <ActionDialog
        form="take-off"
        label={`Take ${name} off ${unit_name}?`}
        refused={undefined}
        hasButton={false}
      >
        <p>
          The lock is a spare one then. Nobody gets a new key to it; a key already given out opens it offline
          until it expires.
        </p>
        <Form name="take-off" action={`${path}/remove`} submit="Take off" tone="danger" />
      </ActionDialog>
      <ActionDialog form="remove" label={`Remove ${name}?`} refused={undefined} hasButton={false}>
        <p>First take it off {unit_name}. The same menu does that.</p>
      </ActionDialog>
    </>
  );
}
