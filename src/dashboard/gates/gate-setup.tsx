import { gatePath } from '../links/paths.js';
import type { EntryPoint } from '#domain/locations/index.js';
import type { Refused } from '../page/page.js';
import type { ListedZone } from '../locations/equipment-lists.js';
import { KeyFormatField } from '../locations/key-format-field.js';
import { Choices } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { Section } from '../parts/layout.js';

interface GateSetupProps {
  readonly gate: EntryPoint;
  /** All zones of its location. */
  readonly zones: readonly ListedZone[];
  readonly refused: Refused | undefined;
}

/** The form that changes a gate. */
export function GateSetup({ gate, zones, refused }: GateSetupProps) {
  return (
    <Section title="Set-up">
      <Form
        name="gate"
        action={`${gatePath(gate.entry_point_id)}/setup`}
        submit="Save"
        refused={refused}
        withInitial
      >
        <Field name="name" label="Name" value={gate.name} required maxLength={255} />
        <Choices
          name="zone_ids"
          legend="Zones it leads to"
          options={zones.map(({ zone_id, name }) => [zone_id, name] as const)}
          chosen={gate.zone_ids}
        />
        <KeyFormatField of="gate" value={gate.key_format} />
      </Form>
    </Section>
  );
}
