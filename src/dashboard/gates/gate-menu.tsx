import type { EntryPoint } from '#domain/locations/index.js';
import { gatePath } from '../links/paths.js';
import type { Refused } from '../page/page.js';
import { ActionDialog } from '../parts/action-dialog.js';
import { Field, Form } from '../parts/form.js';
import { MenuAct, MenuButton, PageMenu } from '../parts/more-menu.js';

type Gate = Pick<EntryPoint, 'entry_point_id' | 'name' | 'in_service' | 'zone_ids'>;

/** What a manager does with a gate. */
export function GateMenu({ gate: { entry_point_id, name, in_service } }: { readonly gate: Gate }) {
  return (
    <PageMenu id="gate" of={name}>
      <MenuButton icon="pencil" form="gate-name">
        Rename…
      </MenuButton>
      {in_service ? (
        <MenuButton icon="ban" form="service">
          Take out of service…
        </MenuButton>
      ) : (
        <MenuAct
          icon="check"
          form="service"
          action={`${gatePath(entry_point_id)}/service`}
          values={{ in_service: 'true' }}
        >
          Put into service
        </MenuAct>
      )}
      <hr />
      <MenuButton icon="trash" form="gate-remove" tone="danger">
        Remove…
      </MenuButton>
    </PageMenu>
  );
}

interface GateDialogsProps {
  readonly gate: Gate;
  readonly refused: Refused | undefined;
}

/** The forms behind the menu. */
export function GateDialogs({ gate, refused }: GateDialogsProps) {
  const { entry_point_id, name, in_service, zone_ids } = gate;
  const path = gatePath(entry_point_id);
  const isInUse = in_service && zone_ids.length > 0;
  return (
    <>
      <ActionDialog form="gate-name" label={`Rename ${name}`} refused={refused} hasButton={false}>
        <Form name="gate-name" action={`${path}/name`} submit="Rename" refused={refused}>
          <Field name="name" label="Name" value={name} required maxLength={255} autofocus />
        </Form>
      </ActionDialog>
      {in_service ? (
        <ActionDialog
          form="service"
          label={`Take ${name} out of service?`}
          refused={refused}
          hasButton={false}
        >
          <p>
            Nobody is given a key to it until it is put into service again; keys given out open until they
            expire.
          </p>
          <Form
            name="service"
            action={`${path}/service`}
            submit="Take out of service"
            tone="danger"
            refused={refused}
          >
            <input type="hidden" name="in_service" value="false" />
          </Form>
        </ActionDialog>
      ) : null}
      <ActionDialog form="gate-remove" label={`Remove ${name}?`} refused={refused} hasButton={false}>
        <p>
          {isInUse
            ? 'Take it out of service first: units may be behind it.'
            : 'It is listed no more. Its history stays; keys given out open it until they expire.'}
        </p>
        <Form
          name="gate-remove"
          action={`${path}/remove`}
          submit="Remove gate"
          tone="danger"
          refused={refused}
        />
      </ActionDialog>
    </>
  );
}
