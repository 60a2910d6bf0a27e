import type { Mapping } from '#pull/index.js';
import { Checkbox } from '../parts/choices.js';
import { Kept } from '../parts/form.js';
import { choicesOf, type ShownTest } from './chosen-mapping.js';
import { FieldChoices, type OfferedLocations } from './field-choices.js';
import { TestOutcome } from './test-outcome.js';

interface ConnectionTestProps {
  /** The result, or the choices of a refused form. */
  readonly tested: ShownTest | undefined;
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
  const isSourceSaved = mapping !== undefined;
  const shown = tested ?? (mapping ? choicesOf(mapping) : undefined);
  return (
    <>
      <p id="testing">Testing…</p>
      <div id="found-fields" aria-live="polite">
        {shown === undefined ? null : (
          <>
            <TestOutcome of={shown} isAdmin={isAdmin} />
            {shown.fields.length === 0 ? null : (
              <>
                {isSourceSaved ? null : <Kept name="tested_url" value="" />}
                <FieldChoices of={shown} locations={locations} areSaved={tested === undefined} />
                <p class="hint">
                  {tested === undefined
                    ? 'Test the connection to see samples and other fields.'
                    : 'After a change, test the connection again.'}
                </p>
              </>
            )}
            {isSourceSaved ? null : <AddAnyway of={shown} isWarned={isWarned} />}
          </>
        )}
      </div>
    </>
  );
}

/** Attributes of a button that replaces the form, except for fields that are kept, such as a typed secret. */
export function testingInPlace(action: string, form: string) {
  return {
    'hx-post': action,
    'hx-target': form,
    'hx-select': form,
    'hx-swap': 'outerHTML',
    'hx-indicator': '#testing',
    // Instead of a disabled button, which would lose the focus.
    'hx-sync': 'this:drop',
    // A test needs no name.
    formnovalidate: '',
  };
}

/** True if a run would reject every row. */
export function rejectsAll({ entries, checked, error_count }: ShownTest, isWarned = false): boolean {
  return entries === null ? isWarned : checked > 0 && error_count === checked;
}

function AddAnyway({ of, isWarned }: { readonly of: ShownTest; readonly isWarned: boolean }) {
  return rejectsAll(of, isWarned) ? (
    <Checkbox name="add_anyway" label="Add it although a run would reject every row" />
  ) : null;
}
