import type { LockDocument } from '#domain/locations/index.js';
import { lockPath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Field, Form } from '../parts/form.js';
import { MenuButton, PageMenu } from '../parts/more-menu.js';
import { KeyFormatField } from './key-format-field.js';

type Lock = Pick<LockDocument, 'lock_id' | 'name' | 'key_format'>;

interface LockActsProps {
  readonly lock: Lock;
  readonly isOnUnit: boolean;
}

export function LockActs({ lock: { name }, isOnUnit }: LockActsProps) {
  return (
    <PageMenu id="lock" of={name}>
      <MenuButton icon="pencil" form="name">
        Rename, format of its keys…
      </MenuButton>
      {isOnUnit ? (
        <MenuButton icon="transfer" form="replace">
          Replace…
        </MenuButton>
      ) : null}
      <hr />
      <MenuButton icon="trash" form="remove" tone="danger">
        Remove…
      </MenuButton>
    </PageMenu>
  );
}

interface LockFormsProps {
  readonly lock: Lock;
  readonly refused: Refused | undefined;
}

/** The forms that rename and remove a lock. */
export function LockForms({ lock: { lock_id, name, key_format }, refused }: LockFormsProps) {
  const path = lockPath(lock_id);
  return (
    <>
      <ActionDialog form="name" label={`Change ${name}`} refused={refused} hasButton={false}>
        <Form name="name" action={`${path}/name`} submit="Save" refused={refused} withInitial>
          <Field name="name" label="Name" value={name} required maxLength={255} autofocus />
          <KeyFormatField of="lock" value={key_format} />
        </Form>
      </ActionDialog>
      <ActionDialog form="remove" label={`Remove ${name}?`} refused={refused} hasButton={false}>
        <p>
          It must be on no unit. Its history stays; a key already given out opens an offline lock until it
          expires.
        </p>
        <Form name="remove" action={`${path}/remove`} submit="Remove lock" tone="danger" refused={refused} />
      </ActionDialog>
    </>
  );
}
