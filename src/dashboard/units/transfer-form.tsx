import { ActionDialog } from '../parts/action-dialog.js';
import { Select } from '../parts/choices.js';
import { Form } from '../parts/form.js';
import { Empty } from '../parts/layout.js';
import type { FormsProps } from './override-forms.js';
import { isStandalone } from './sentence.js';
import type { UnitDetail } from './unit-detail.js';

const FORM = 'transfer';
const LABEL = 'Move the tenant to another unit…';

export interface TransferTarget {
  readonly unit_id: string;
  readonly unit_name: string;
}

interface TransferProps extends FormsProps {
  readonly unit: UnitDetail;
  /** Vacant units of the location. */
  readonly targets: readonly TransferTarget[];
}

/** Moves the tenant. For a unit of a PMS it says what the PMS sends instead. */
export function Transfer({ path, refused, unit, targets }: TransferProps) {
  return (
    <ActionDialog form={FORM} label={LABEL} refused={refused} hasButton={false}>
      {isStandalone(unit) ? <TransferForm {...{ path, refused, targets }} /> : <WritesOfThePms unit={unit} />}
    </ActionDialog>
  );
}

function TransferForm({ path, refused, targets }: Omit<TransferProps, 'unit'>) {
  if (targets.length === 0)
    return <Empty>No vacant unit at this site. Add one, or move another tenant out first.</Empty>;
  const names = new Intl.Collator('en', { numeric: true });
  const sorted = [...targets].sort((a, b) => names.compare(a.unit_name, b.unit_name));
  return (
    <>
      <p>
        Balance, paid-through date, lockout, exemption, shares, what staff set and round-the-clock access go
        along. This unit is then vacant. Keys already given out open its locks until they expire.
      </p>
      <Form name={FORM} action={`${path}/transfer`} submit="Move the tenant" refused={refused}>
        <Select
          name="to_unit_id"
          label="New unit"
          options={[['', 'Choose a vacant unit'], ...sorted.map(optionOf)]}
          autofocus
        />
      </Form>
    </>
  );
}

function optionOf({ unit_id, unit_name }: TransferTarget): readonly [value: string, text: string] {
  return [unit_id, unit_name];
}

function WritesOfThePms({ unit: { crm_unit_id, facts, source_type } }: Pick<TransferProps, 'unit'>) {
  if (source_type === 'pull')
    return <p>Move the tenant in the PMS. The next run of the pull source brings both units.</p>;
  return (
    <>
      <p>Move the tenant in the PMS. It sends two writes, in one bulk or one after the other:</p>
      <ol>
        <li>
          the new unit with <code>pms_tenant_id</code> <code>{facts.pms_tenant_id}</code> and what is owed,
        </li>
        <li>
          <code>{crm_unit_id}</code> as not occupied.
        </li>
      </ol>
      <p class="hint">
        Shares, what staff set and round-the-clock access end. Set them again on the new unit.
      </p>
    </>
  );
}
