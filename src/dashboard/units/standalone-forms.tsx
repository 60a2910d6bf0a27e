import { ActionDialog } from '../parts/action-dialog.js';
import { Checkbox } from '../parts/choices.js';
import { Field, Form } from '../parts/form.js';
import { factOf, WRITABLE_FACTS, type WritableFact } from '#domain/units/index.js';
import type { FormsProps } from './override-forms.js';
import type { UnitDetail } from './unit-detail.js';

/** Forms of a unit without a PMS: an operator writes its data. */
export function MoveOut({ path, refused }: FormsProps) {
  return (
    <ActionDialog form="move-out" label="Move out" refused={refused} hasButton={false}>
      <p>The tenancy, its shares, the balance, every flag and what staff set end. The history stays.</p>
      <Form
        name="move-out"
        action={`${path}/tenancy/end`}
        submit="Move the tenant out"
        tone="danger"
        refused={refused}
      />
    </ActionDialog>
  );
}

export function FactsForm({ path, refused, facts }: FormsProps & { readonly facts: UnitDetail['facts'] }) {
  return (
    <ActionDialog form="facts" label="Change balance and flags" short="Change" refused={refused}>
      <Form name="facts" action={`${path}/facts`} submit="Save" refused={refused} withInitial>
        {WRITABLE_FACTS.map((name, place) => factField(name, facts, place === 0))}
      </Form>
    </ActionDialog>
  );
}

/** A field for a fact, by its kind. It is a function so that the form finds the label. */
function factField(name: WritableFact, facts: UnitDetail['facts'], autofocus: boolean) {
  const { kind, label, longest } = factOf(name);
  const value = facts[name];
  if (typeof value === 'boolean') return <Checkbox key={name} name={name} label={label} checked={value} />;
  const field = { name, label, value, autofocus };
  if (kind === 'amount') return <Field key={name} {...field} type="number" step="0.01" />;
  if (kind === 'date') return <Field key={name} {...field} type="date" />;
  return <Field key={name} {...field} maxLength={longest ?? 255} />;
}
