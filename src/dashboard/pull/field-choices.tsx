import { constantIn, type FoundField } from '#pull/index.js';
import { initialName } from '../parts/initial-values.js';
import { capitalized, feedFieldText } from '../parts/labels.js';
import { Table } from '../parts/layout.js';
import { LOCATION_CODE, type ShownTest } from './chosen-mapping.js';
import { OFFERED_FIELDS } from './mapping-text.js';

/** The locations of a company. */
export type OfferedLocations = readonly { readonly pms_location_code: string; readonly name: string }[];

interface FieldChoicesProps {
  readonly of: ShownTest;
  readonly locations: OfferedLocations;
  /** Choices that are not saved have no first values, so that saving the form saves them. */
  readonly areSaved: boolean;
}

/** A choice for each field that a test found, and one for the location of all rows. */
export function FieldChoices({ of, locations, areSaved }: FieldChoicesProps) {
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
  const known = locations.map(({ pms_location_code, name }) => [`=${pms_location_code}`, name] as const);
  const isUnknown = chosen !== '' && known.every(([value]) => value !== chosen);
  const options = isUnknown ? [...known, [chosen, chosen.slice(1)] as const] : known;
  return (
    <div class="field">
      <label for="source-location">Site of all rows</label>
      {areSaved ? <input type="hidden" name={initialName('location')} value={chosen} /> : null}
      <select id="source-location" name="location">
        <option value="">Each row tells its own</option>
        {options.map(([value, text]) => (
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
    <FieldSelect name={name} chosen={field} />,
  ];
}

function FieldSelect({ name, chosen }: { readonly name: string; readonly chosen: string | null }) {
  const isOffered = chosen === null || OFFERED_FIELDS.includes(chosen);
  const fields = isOffered ? OFFERED_FIELDS : [...OFFERED_FIELDS, chosen];
  return (
    <select name="to" aria-label={`${name} is`}>
      <option value="">Leave out</option>
      {fields.map((field) => (
        <option key={field} value={field} selected={field === chosen}>
          {capitalized(feedFieldText(field))}
        </option>
      ))}
    </select>
  );
}
