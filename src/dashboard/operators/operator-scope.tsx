import { ApiError, validationFailed } from '#kernel/errors/api-error.js';
import type { FieldFault } from '#kernel/errors/field-fault.js';
import { validForm } from '#web/validation/read-form.js';
import { OperatorChangeBody } from '#api/operator/index.js';
import { type FormValues, lastOf } from '../page/page.js';
import { Choices, Radios } from '../parts/choices.js';
import { changedValues } from '../parts/initial-values.js';

export type Choice = readonly [value: string, text: string];

/** What a form grants. Ticked companies and sites count only for their own choice: the page hides the others' boxes. */
const ALL = 'all';
const COMPANIES = 'some';
const SITES = 'sites';

/** A placeholder that passes the check of a body, for forms that grant all companies. */
const UNCHECKED = [ALL];

/** A site as a form offers it. */
export interface OfferedSite {
  readonly company_id: string;
  readonly location_id: string;
  readonly text: string;
}

/** The value of a site's box: the form grants the site's company, too. */
function boxOf({ company_id, location_id }: Pick<OfferedSite, 'company_id' | 'location_id'>): string {
  return `${company_id}/${location_id}`;
}

/** The faults for which an act is refused; empty if it is not. */
function faultsOf(act: () => unknown): readonly FieldFault[] {
  try {
    act();
    return [];
  } catch (error) {
    if (error instanceof ApiError && error.details !== undefined) return error.details;
    throw error;
  }
}

interface GrantedPlaces {
  readonly companies: readonly string[] | null;
  readonly locations: readonly string[] | null;
}

/** What the form grants. Without a choice, or without a box where one is needed: the fault that says so. */
function placesIn({ scope, companies, locations }: FormValues): GrantedPlaces | FieldFault {
  const choice = lastOf(scope);
  if (choice === ALL) return { companies: null, locations: null };
  if (choice === SITES) {
    const ticked = tickedIn(locations).map((box) => box.split('/', 2));
    if (ticked.length === 0) return NO_SITE;
    const of = [...new Set(ticked.map(([company_id = '']) => company_id))];
    return { companies: of, locations: ticked.map(([, location_id = '']) => location_id) };
  }
  if (choice !== COMPANIES) return NO_CHOICE;
  const ids = tickedIn(companies);
  return ids.length === 0 ? NO_COMPANY : { companies: ids, locations: null };
}

function tickedIn(boxes: FormValues[string]): string[] {
  return [boxes ?? []].flat().filter((value) => value !== '');
}

const NO_CHOICE = {
  field: 'scope',
  code: 'required',
  message: 'Choose what the operator may see: selected companies, selected sites, or all companies.',
} as const;
const NO_COMPANY = { field: 'companies', code: 'required', message: 'Select at least one company.' } as const;
const NO_SITE = { field: 'locations', code: 'required', message: 'Select at least one site.' } as const;

/** The fields of a form with the companies and sites that it grants. @throws ApiError 422 with all faults */
export function operatorOf<Body extends object>(body: new () => Body, form: FormValues): Body {
  const { scope, companies, locations, ...fields } = form;
  const places = placesIn({ scope, companies, locations });
  const given = 'field' in places ? { companies: UNCHECKED } : placesGiven(places);
  const read = () => validForm(body, { ...fields, ...given });
  if ('field' in places) throw validationFailed([...faultsOf(read), places]);
  return { ...read(), ...places };
}

/** A form has no null. */
function placesGiven({ companies, locations }: GrantedPlaces) {
  return { companies: companies ?? UNCHECKED, ...(locations !== null && { locations }) };
}

/** The changed fields only, so that another admin's change is kept. @throws ApiError 422 */
export function operatorChange(form: FormValues): OperatorChangeBody {
  const changes = changedValues(form);
  if (!PLACES.some((name) => name in changes)) return validForm(OperatorChangeBody, changes);
  const { scope, companies, locations } = form;
  return operatorOf(OperatorChangeBody, { ...changes, scope, companies, locations });
}

const PLACES = ['scope', 'companies', 'locations'];

const CHOICES: readonly Choice[] = [
  [COMPANIES, 'Selected companies'],
  [SITES, 'Selected sites, for auditors and managers'],
];
const EVERYTHING: Choice = [ALL, 'All companies, including new ones'];

/** The companies and sites of an operator, as the operator API answers them. */
interface Granted {
  readonly companies: readonly string[] | null;
  readonly locations: readonly string[] | null;
}

/** What the form of a new operator begins with. Where there is one company, sites are what is to be chosen. */
export function grantedAtFirst({ companies }: Offered): Granted {
  return { companies: [], locations: companies.length === 1 ? [] : null };
}

/** What the forms of the page offer. */
export interface Offered {
  readonly companies: readonly Choice[];
  /** Among them all that the listed operators have. */
  readonly sites: readonly OfferedSite[];
  /** False for an admin of some companies, who cannot grant all. */
  readonly mayGrantAll: boolean;
}

/** A function, not a component: a form finds the labels of its fields only so. */
export function scopeFields(of: Offered, granted: Granted) {
  const { locations } = granted;
  const companies = granted.companies ?? [];
  const known = new Set(of.companies.map(([company_id]) => company_id));
  const others = companies.filter((id) => !known.has(id)).map((id): Choice => [id, id]);
  const options = [...of.companies, ...others];
  const { sites } = of;
  return (
    <>
      <Radios
        name="scope"
        legend="Access"
        options={of.mayGrantAll ? [...CHOICES, EVERYTHING] : CHOICES}
        value={choiceOf(granted)}
      />
      {options.length === 0 ? (
        <p class="hint">There is no company to select yet.</p>
      ) : (
        <Choices
          name="companies"
          legend="Selected companies"
          options={options}
          chosen={locations === null ? companies : []}
        />
      )}
      {sites.length === 0 ? (
        <p class="hint">There is no site to select yet.</p>
      ) : (
        <Choices
          name="locations"
          legend="Selected sites"
          options={sites.map((site): Choice => [boxOf(site), site.text])}
          chosen={sites.filter(({ location_id }) => locations?.includes(location_id)).map(boxOf)}
        />
      )}
    </>
  );
}

function choiceOf({ companies, locations }: Granted): string {
  if (locations !== null) return SITES;
  return companies === null ? ALL : COMPANIES;
}

/** What an operator sees, by name. Null: all. */
function placesOf({ companies, locations }: Granted, of: Offered): readonly string[] | null {
  if (locations !== null) {
    const sites = new Map(of.sites.map(({ location_id, text }) => [location_id, text]));
    return locations.map((id) => sites.get(id) ?? id);
  }
  const names = new Map(of.companies);
  return companies && companies.map((id) => names.get(id) ?? id);
}

/** `Harbor Point alone`, `Harbor Point and Oak Hill`, `all companies`. */
export function scopeText(granted: Granted, of: Offered): string {
  const places = placesOf(granted, of);
  if (places === null) return 'all companies';
  return places.length === 1 ? `${places[0]} alone` : LIST.format(places);
}

const LIST = new Intl.ListFormat('en-US');

/** More are counted, so that rows stay of one height. */
const NAMED_PLACES = 3;

export function Places({ of, offered }: { readonly of: Granted; readonly offered: Offered }) {
  const places = placesOf(of, offered);
  if (places === null) return <span class="soft">All companies</span>;
  const named = places.length > NAMED_PLACES + 1 ? places.slice(0, NAMED_PLACES) : places;
  const others = places.slice(named.length);
  return (
    <span class="pills">
      {named.map((place) => (
        <span key={place} class="pill">
          {place}
        </span>
      ))}
      {others.length === 0 ? null : <span title={LIST.format(others)}>and {others.length} more</span>}
    </span>
  );
}
