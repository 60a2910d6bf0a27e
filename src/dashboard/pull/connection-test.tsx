import { type FoundField, MAPPED_FIELDS } from '../../pull/index.js';
import { Kept } from '../parts/form.js';
import { initialName } from '../parts/initial-values.js';
import { capitalized, feedFieldText, rejectionText } from '../parts/labels.js';
import { Empty, Table } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { countText } from '../parts/words.js';
import { choicesOf, type Mapping, type Shown } from './chosen-mapping.js';
import { rejectedText } from './sync-mark.js';

const FOUND = 'found-fields';

interface ConnectionTestProps {
  /** The result, or the choices of a refused form. */
  readonly tested: Shown | undefined;
  /** Undefined: the source is not saved yet. */
  readonly mapping: Mapping | null | undefined;
}

/** The result of a test, with a choice for each field, inside the form of a source. */
export function ConnectionTest({ tested, mapping }: ConnectionTestProps) {
  const isSaved = mapping !== undefined;
  const shown = tested ?? (mapping ? choicesOf(mapping) : undefined);
  return (
    <>
      <p id="testing">Testing…</p>
      <div id={FOUND} aria-live="polite">
        {shown === undefined ? null : (
          <>
            <Outcome of={shown} />
            {shown.fields.length === 0 ? null : (
              <>
                {isSaved ? null : <Kept name="tested_url" value="" />}
                <FieldChoices of={shown} areSaved={tested === undefined} />
                <p class="hint">
                  {tested === undefined
                    ? 'Test the connection to see samples and other fields.'
                    : 'After a change, test the connection again.'}
                </p>
              </>
            )}
            {isSaved ? null : (
              <noscript>
                <p class="hint">Type the authorization again before you add the source.</p>
              </noscript>
            )}
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

interface FieldChoicesProps {
  readonly of: Shown;
  /** Choices that are not saved have no first values, so that saving the form saves them. */
  readonly areSaved: boolean;
}

function FieldChoices({ of: { fields }, areSaved }: FieldChoicesProps) {
  return (
    <Table
      caption="Choose what each field is. The likeliest is chosen already."
      head={['Their field', 'Sample', 'Is']}
      rows={fields.map((field) => ({ key: field.name, cells: cellsOf(field, areSaved) }))}
    />
  );
}

function cellsOf({ name, sample, is_masked, field }: FoundField, isSaved: boolean) {
  return [
    <>
      <code>{name}</code>
      <input type="hidden" name="from" value={name} />
      {isSaved ? (
        <>
          <input type="hidden" name={initialName('from')} value={name} />
          <input type="hidden" name={initialName('to')} value={field ?? ''} />
        </>
      ) : null}
    </>,
    isSaved ? null : (sample ?? <span class="none">{is_masked ? 'hidden' : 'none'}</span>),
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
