import type { KeyFormat } from '#domain/locations/index.js';
import type { Refused } from '../page/page.js';
import { Danger, Field, Form } from '../parts/form.js';
import { Section } from '../parts/layout.js';
import { Removed } from '../parts/times.js';
import { KeyFormatField } from './key-format-field.js';

/** A zone or a lock of a location. */
export type Item = ItemDetails &
  ({ readonly kind: 'zone' } | { readonly kind: 'lock'; readonly key_format: KeyFormat });

interface ItemDetails {
  readonly path: string;
  readonly location_id: string;
  readonly name: string;
  /** Milliseconds. Absent while the location has it. */
  readonly removed_at?: number;
}

const BEFORE_REMOVAL = {
  zone: 'Its units must be out of it, and no gate may lead to it. Its history stays.',
  lock: 'It must be on no unit. Its history stays; a key already given out opens an offline lock until it expires.',
} as const;

interface ItemProps {
  readonly item: Item;
  /** Time zone of the location. */
  readonly zone: string;
  readonly refused: Refused | undefined;
}

/** The forms that rename and remove a zone or a lock. */
export function EquipmentItem({ item, zone, refused }: ItemProps) {
  const { kind, path, name, removed_at } = item;
  if (removed_at !== undefined)
    return (
      <p>
        <Removed at={removed_at} zone={zone} />
      </p>
    );
  return (
    <Section title={kind === 'zone' ? 'Zone' : 'Lock'}>
      <Form
        name="name"
        action={`${path}/name`}
        submit={kind === 'zone' ? 'Rename' : 'Save'}
        refused={refused}
        withInitial={kind === 'lock'}
      >
        <Field name="name" label="Name" value={name} required maxLength={255} />
        {item.kind === 'lock' ? <KeyFormatField of="lock" value={item.key_format} /> : null}
      </Form>
      <Danger summary="Remove it">
        <p>{BEFORE_REMOVAL[kind]}</p>
        <Form
          name="remove"
          action={`${path}/remove`}
          submit={`Remove ${name}`}
          tone="danger"
          refused={refused}
        />
      </Danger>
    </Section>
  );
}
