import type { DataOf } from '../../http/pipeline/answer.js';
import { type FoundField, MAPPED_FIELDS, type PullSourcesController } from '../../pull/index.js';
import type { Refused } from '../frame/page.js';
import { Form, Kept } from '../parts/form.js';
import { capitalized, feedFieldText, rejectionText } from '../parts/labels.js';
import { Empty, Section, Table } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { countText } from '../parts/words.js';
import { rejectedText } from './sync-mark.js';

type Tested = DataOf<PullSourcesController['test']>;

/** The entries are null where the choices of a refused form are shown again. */
export type Shown = Omit<Tested, 'entries' | 'failure'> & {
  readonly entries: number | null;
  readonly failure: { readonly message: string } | null;
};

interface ConnectionTestProps {
  readonly path: string;
  readonly tested: Shown | undefined;
  readonly refused: Refused | undefined;
}

/** The result of a test, with a form to choose a mapping from the fields that it found. */
export function ConnectionTest({ path, tested, refused }: ConnectionTestProps) {
  if (tested === undefined) return null;
  return (
    <Section title="Connection test">
      <Outcome of={tested} />
      {tested.fields.length === 0 ? null : (
        <Form name="mapping" action={`${path}/mapping`} submit="Save mapping" refused={refused}>
          <p class="hint">Rows are checked with the saved mapping. Save, then test again.</p>
          <FieldChoices of={tested} />
        </Form>
      )}
    </Section>
  );
}

const FOUND = 'found-fields';

/** The result of a test inside the form of a source that is not saved yet. */
export function TestOfUnsaved({ tested }: { readonly tested: Shown | undefined }) {
  return (
    <>
      <p id="testing">Testing…</p>
      <div id={FOUND} aria-live="polite">
        {tested === undefined ? null : (
          <>
            <Outcome of={tested} />
            {tested.fields.length === 0 ? null : (
              <>
                <Kept name="tested_url" value="" />
                <FieldChoices of={tested} />
                <p class="hint">After a change, test the connection again.</p>
              </>
            )}
            <noscript>
              <p class="hint">Type the authorization again before you add the source.</p>
            </noscript>
          </>
        )}
      </div>
    </>
  );
}

/** Attributes of a button that replaces nothing but this result, so that a typed secret stays in the form. */
export function testingInPlace(action: string) {
  const found = `#${FOUND}`;
  const swap = { 'hx-post': action, 'hx-target': found, 'hx-select': found, 'hx-swap': 'outerHTML' };
  return { ...swap, 'hx-indicator': '#testing', 'hx-disabled-elt': 'this' };
}

function Outcome({ of }: { readonly of: Shown }) {
  const { failure, entries, has_more_pages, fields, checked, error_count, reasons } = of;
  if (failure !== null)
    return (
      <p role="status">
        <Mark tone="bad">Failed</Mark> {failure.message}
      </p>
    );
  return (
    <>
      {entries === null ? null : (
        <p role="status">
          {error_count === 0 ? (
            <Mark tone="good">Works</Mark>
          ) : (
            <Mark tone="warn">{rejectedText(error_count, checked, 'would be rejected')}</Mark>
          )}{' '}
          {countText(entries, 'unit')} on the first page
          {has_more_pages ? '. More pages follow.' : '.'}
        </p>
      )}
      {reasons.length === 0 ? null : <p class="hint">{reasons.map(rejectionText).join(' ')}</p>}
      {fields.length === 0 ? <Empty>No fields found.</Empty> : null}
    </>
  );
}

function FieldChoices({ of: { fields } }: { readonly of: Shown }) {
  return (
    <Table
      caption="Choose what each field is. The likeliest is chosen already."
      head={['Their field', 'Sample', 'Is']}
      rows={fields.map((field) => ({ key: field.name, cells: cellsOf(field) }))}
    />
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
          {capitalized(feedFieldText(one))}
        </option>
      ))}
    </select>,
  ];
}
