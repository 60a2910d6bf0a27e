import type { EntryPoint } from '../../locations/index.js';
import type { Refused } from '../frame/page.js';
import type { Zone } from '../locations/equipment-lists.js';
import { Choices, Field, Form } from '../parts/form.js';
import { Section } from '../parts/layout.js';

interface GateSetupProps {
  readonly gate: EntryPoint;
  /** All zones of its location. */
  readonly zones: readonly Zone[];
  readonly mayChange: boolean;
  readonly refused: Refused | undefined;
}

/** The zones that a gate leads to, with the form that changes them. */
export function GateSetup({ gate, zones, mayChange, refused }: GateSetupProps) {
  const names = zones.filter(({ zone_id }) => gate.zone_ids.includes(zone_id)).map(({ name }) => name);
  return (
    <Section title="Set-up">
      <p>
        {names.length === 0 ? 'Leads to no zone: it opens for nobody.' : `Leads to: ${names.join(', ')}.`}
      </p>
      {mayChange ? (
        <Form
          name="gate"
          action={`/dashboard/entry-points/${gate.entry_point_id}/setup`}
          submit="Save"
          refused={refused}
        >
          <Field name="name" label="Name" value={gate.name} required maxLength={255} />
          <Choices
            name="zone_ids"
            legend="Zones it leads to"
            options={zones.map(({ zone_id, name }) => [zone_id, name] as const)}
            chosen={gate.zone_ids}
          />
        </Form>
      ) : null}
    </Section>
  );
}
