import type { DataOf } from '../../http/pipeline/answer.js';
import { type FoundField, MAPPED_FIELDS, type PullSourcesController } from '../../pull/index.js';
import type { Refused } from '../frame/page.js';
import { Form } from '../parts/form.js';
import { capitalized, fieldText } from '../parts/labels.js';
import { Empty, Section, Table } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { countText } from '../parts/words.js';

type Tested = DataOf<PullSourcesController['test']>;

interface ConnectionTestProps {
  readonly path: string;
  /** The entries are null where the choices of a refused form are shown again. */
  readonly tested: (Omit<Tested, 'entries'> & { readonly entries: number | null }) | undefined;
  readonly refused: Refused | undefined;
}

/** The result of a test, with the fields that it found to choose a mapping from. */
export function ConnectionTest({ path, tested, refused }: ConnectionTestProps) {
  if (tested === undefined) return null;
  const { failure, entries, has_more_pages, fields } = tested;
  if (failure !== null) {
    return (
      <Section title="Connection test">
        <p role="status">
          <Mark tone="bad">Failed</Mark> {failure.message}
        </p>
      </Section>
    );
  }
  return (
    <Section title="Connection test">
      {entries === null ? null : (
        <p role="status">
          <Mark tone="good">Works</Mark> {countText(entries, 'unit')} on the first page
          {has_more_pages ? '. More pages follow.' : '.'}
        </p>
      )}
      {fields.length === 0 ? (
        <Empty>No fields found.</Empty>
      ) : (
        <Form name="mapping" action={`${path}/mapping`} submit="Save mapping" refused={refused}>
          <Table
            caption="Choose what each field is. The likeliest is chosen already."
            head={['Their field', 'Sample', 'Is']}
            rows={fields.map((field) => ({ key: field.name, cells: cellsOf(field) }))}
          />
        </Form>
      )}
    </Section>
  );
}

function cellsOf({ name, sample, is_masked, field }: FoundField) {
  return [
    <>
      <code>{name}</code>
      <input type="hidden" name="from" value={name} />
    </>,
    sample ?? <span class="none">{is_masked ? 'hidden' : 'none'}</span>,
    <select name="to" aria-label={`${name} is`}>
      <option value="">Leave out</option>
      {MAPPED_FIELDS.map((one) => (
        <option key={one} value={one} selected={one === field}>
          {mappedText(one)}
        </option>
      ))}
    </select>,
  ];
}

const MAPPED_TEXTS: Readonly<Record<string, string>> = {
  unit_name: 'Unit name',
  pms_location_code: 'Location code',
  tenant: 'Tenant, all details',
  'tenant.pms_tenant_id': 'Tenant in the PMS, in details',
  'tenant.first_name': 'First name',
  'tenant.last_name': 'Last name',
  'tenant.email': 'E-mail',
  'tenant.phone': 'Phone',
};

/** A field of a bulk entry, in words. */
function mappedText(field: string): string {
  return capitalized(MAPPED_TEXTS[field] ?? fieldText(field));
}
