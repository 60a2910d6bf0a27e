import { constantIn, type FoundField, type Mapping, messagesIn } from '#pull/index.js';
import { Checkbox } from '../parts/choices.js';
import { Kept } from '../parts/form.js';
import { initialName } from '../parts/initial-values.js';
import { capitalized, feedFieldText, NO_LOCATION_CODE, rejectionText } from '../parts/labels.js';
import { Empty, Table } from '../parts/layout.js';
import { Mark } from '../parts/states.js';
import { countText } from '../parts/words.js';
import { choicesOf, LOCATION_CODE, type Shown } from './chosen-mapping.js';
import { OFFERED_FIELDS } from './mapping-text.js';
import { rejectedText } from './sync-mark.js';

export type OfferedLocations = readonly { readonly pms_location_code: string; readonly name: string }[];

interface ConnectionTestProps {
  /** The result, or the choices of a refused form. */
  readonly tested: Shown | undefined;
  /** Undefined: the source is not saved yet. */
  readonly mapping: Mapping | null | undefined;
  readonly isAdmin: boolean;
  /** The locations of the company. */
  readonly locations: OfferedLocations;
  /** The operator was warned that a run would reject all rows. */
  readonly isWarned: boolean;
}

/** The result of a test, with a choice for each field, inside the form of a source. */
export function ConnectionTest({ tested, mapping, isAdmin, locations, isWarned }: ConnectionTestProps) {
  const isSaved = mapping !== undefined;
  const shown = tested ?? (mapping ? choicesOf(mapping) : undefined);
  return (
    <>
      <p id="testing">Testing…</p>
      <div id="found-fields" aria-live="polite">
        {shown === undefined ? null : (
          <>
            <Outcome of={shown} isAdmin={isAdmin} />
            {shown.fields.length === 0 ? null : (
              <>
                {isSaved ? null : <Kept name="tested_url" value="" />}
                <FieldChoices of={shown} locations={locations} areSaved={tested === undefined} />
                <p class="hint">
                  {tested === undefined
                    ? 'Test the connection to see samples and other fields.'
                    : 'After a change, test the connection again.'}
                </p>
              </>
            )}
            {isSaved ? null : <AddAnyway of={shown} isWarned={isWarned} />}
          </>
        )}
      </div>
    </>
  );
}

/** Attributes of a button that replaces the form, except for fields that are kept, such as a typed secret. */
export function testingInPlace(action: string, form: string) {
  const swap = { 'hx-post': action, 'hx-target': form, 'hx-select': form, 'hx-swap': 'outerHTML' };
  // A disabled button would lose the focus.
  return { ...swap, 'hx-indicator': '#testing', 'hx-sync': 'this:drop' };
}

/** True if a run would reject every row. */
export function rejectsAll({ entries, checked, error_count }: Shown, isWarned = false): boolean {
  return entries === null ? isWarned : checked > 0 && error_count === checked;
}

function AddAnyway({ of, isWarned }: { readonly of: Shown; readonly isWarned: boolean }) {
  return rejectsAll(of, isWarned) ? (
    <Checkbox name="add_anyway" label="Add it although a run would reject every row" />
  ) : null;
}

function Outcome({ of, isAdmin }: { readonly of: Shown; readonly isAdmin: boolean }) {
  const { failure, entries, has_more_pages, fields, checked, error_count } = of;
  if (failure !== null)
    return (
      <p role="status">
        <Mark tone="bad">Failed</Mark> {failure.message}
        {!isAdmin && failure.message.includes('credential') ? ' Only an admin sets it.' : null}
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
      <Rejected of={of} />
      {fields.length === 0 ? <Empty>No fields found.</Empty> : null}
    </>
  );
}

/** Each reason with a row as an example, then every row. */
function Rejected({ of: { reasons, rejected } }: { readonly of: Shown }) {
  if (rejected.length === 0) return null;
  const hasNoCode = reasons.some((reason) => rejectionText(reason) === NO_LOCATION_CODE);
  return (
    <>
      <ul>
        {reasons.map((reason) => (
          <RejectedLine key={reason} of={{ ...exampleOf(reason, rejected), error: reason }} />
        ))}
      </ul>
      {hasNoCode ? (
        <p>
          Each row must tell its location, because the company has several. Choose “Location code” for the
          field that holds it. If no field does, and all rows are of one location, choose it as “Location of
          all rows”.
        </p>
      ) : null}
      {rejected.length > reasons.length ? (
        <details>
          <summary>See all {countText(rejected.length, 'rejected row')}</summary>
          <ul>
            {rejected.map((row, index) => (
              <RejectedLine key={index} of={row} />
            ))}
          </ul>
        </details>
      ) : null}
    </>
  );
}

type RejectedRow = Shown['rejected'][number];

/** A reason begins with the message of the row, and may go on with what can be done. */
function exampleOf(reason: string, rejected: readonly RejectedRow[]): Omit<RejectedRow, 'error'> {
  const found = rejected.find(({ error }) => messagesIn(error).some((message) => reason.startsWith(message)));
  return found ?? { crm_unit_id: '', sample: null };
}

function RejectedLine({ of: { crm_unit_id, error, sample } }: { readonly of: RejectedRow }) {
  return (
    <li>
      {crm_unit_id === '' ? '' : `${crm_unit_id}: `}
      {rejectionText(error)}
      {sample === null ? '' : ` It is “${sample}”.`}
    </li>
  );
}

interface FieldChoicesProps {
  readonly of: Shown;
  readonly locations: OfferedLocations;
  /** Choices that are not saved have no first values, so that saving the form saves them. */
  readonly areSaved: boolean;
}

function FieldChoices({ of, locations, areSaved }: FieldChoicesProps) {
  const offersLocation = locations.length > 1;
  const isLocation = ({ name, field }: FoundField) =>
    offersLocation && field === LOCATION_CODE && constantIn(name) !== undefined;
  const fields = of.fields.filter((one) => !isLocation(one));
  return (
    <>
      <Table
        caption="Choose what each field is. The likeliest is chosen already."
        head={['Their field', 'Sample', 'Is']}
        rows={fields.map((field) => ({ key: field.name, cells: cellsOf(field, areSaved) }))}
      />
      {offersLocation ? (
        <LocationOfAll chosen={of.fields.find(isLocation)?.name ?? ''} {...{ locations, areSaved }} />
      ) : null}
    </>
  );
}

interface LocationOfAllProps extends Omit<FieldChoicesProps, 'of'> {
  /** `=MAIN` for the location with that code; empty if rows tell theirs. */
  readonly chosen: string;
}

/** For a feed without location codes. */
function LocationOfAll({ chosen, locations, areSaved }: LocationOfAllProps) {
  const options = locations.map(({ pms_location_code, name }) => [`=${pms_location_code}`, name] as const);
  const isUnknown = chosen !== '' && options.every(([value]) => value !== chosen);
  return (
    <div class="field">
      <label for="source-location">Location of all rows</label>
      {areSaved ? <input type="hidden" name={initialName('location')} value={chosen} /> : null}
      <select id="source-location" name="location">
        <option value="">Each row tells its own</option>
        {[...options, ...(isUnknown ? [[chosen, chosen.slice(1)] as const] : [])].map(([value, text]) => (
          <option key={value} value={value} selected={value === chosen}>
            {text}
          </option>
        ))}
      </select>
    </div>
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
    isSaved ? null : (sample ?? <span class="none">{is_masked ? 'hidden, may be personal' : 'none'}</span>),
    <select name="to" aria-label={`${name} is`}>
      <option value="">Leave out</option>
      {(field === null || OFFERED_FIELDS.includes(field) ? OFFERED_FIELDS : [...OFFERED_FIELDS, field]).map(
        (one) => (
          <option key={one} value={one} selected={one === field}>
            {capitalized(feedFieldText(one))}
          </option>
        ),
      )}
    </select>,
  ];
}
