import { factOf } from '#domain/units/core/fact-catalogue.js';
import { isObject } from '#kernel/core/is-object.js';
import { MAPPED_FIELDS, type Mapping, TENANT_PREFIX, valueAt } from './mapping.js';

/** A field in the entries of a source. */
export interface FoundField {
  /** The name as in a mapping: dots separate the names of nested objects. */
  readonly name: string;
  /** A value of the field. Null if no entry has one, or if it may be personal. */
  readonly sample: string | null;
  /** True if the value is not shown because it may be personal or secret. */
  readonly is_masked: boolean;
  /** The matching field of a bulk entry, by the mapping or by a likely name. Null: no match. */
  readonly field: string | null;
}

/** The largest mapping. */
const MOST_FIELDS = 100;
const LONGEST_NAME = 255;
const DEEPEST = 4;

/**
 * The fields of entries, and the fields that the mapping names. Yields 1 after each entry and each field.
 * @param codes the company's location codes. Where there are several, a field of theirs is the location code.
 */
export function* foundFields(
  entries: readonly unknown[],
  mapping: Mapping | null,
  codes: ReadonlySet<unknown> = new Set(),
): Generator<number, FoundField[]> {
  const objects = entries.filter(isObject);
  const samples = new Map<string, unknown>();
  for (const entry of objects) {
    collect(entry, mapping ?? {}, samples);
    yield 1;
  }
  for (const name of Object.keys(mapping ?? {})) samples.set(name, samples.get(name));
  const names = [...samples.keys()].slice(0, MOST_FIELDS);
  const holdsCodes = (name: string) =>
    !SECRET.test(name) &&
    objects.length > 0 &&
    objects.every((entry) => codes.has(valueAt(entry, name.split('.'))));
  const fields = matchingFields(names, mapping, (name) => codes.size > 1 && holdsCodes(name));
  const describe = (name: string): FoundField => {
    const value = samples.get(name);
    const field = fields.get(name) ?? null;
    if (isOfPerson(field) && !isBlank(value)) return { name, sample: null, is_masked: true, field };
    const isShown = holdsCodes(name) || holdsFewWords(name, objects);
    const sample = isShown ? { sample: String(value), is_masked: false } : sampleOf(name, value);
    return { name, ...sample, field };
  };
  const found: FoundField[] = [];
  for (const name of names) {
    found.push(describe(name));
    yield 1;
  }
  return found;
}

/** Names, phones and addresses, whatever the values look like. An id is none. */
function isOfPerson(field: string | null): boolean {
  return field !== null && field.startsWith(TENANT_PREFIX) && field !== 'tenant.pms_tenant_id';
}

/** The mapping that the fields make together. */
export function mappingBy(fields: readonly FoundField[]): Mapping {
  return Object.fromEntries(fields.map(({ name, field }) => [name, field]));
}

type Found = Readonly<Record<string, unknown>>;

/** Keeps one value of each field. An object that the mapping names counts as one field. */
function collect(
  of: Found,
  mapping: Mapping,
  samples: Map<string, unknown>,
  path: readonly string[] = [],
): void {
  for (const [part, value] of Object.entries(of)) {
    const parts = [...path, part];
    const name = parts.join('.');
    if (!isNameable(part, name)) continue;
    const isNested = isObject(value) && parts.length < DEEPEST && !Object.hasOwn(mapping, name);
    if (isNested) collect(value, mapping, samples, parts);
    else if (isBlank(samples.get(name))) samples.set(name, value);
  }
}

/** True if a mapping can name the field. */
function isNameable(part: string, name: string): boolean {
  return part !== '' && !part.includes('.') && name.length <= LONGEST_NAME;
}

const SECRET = /gate|pin|pass|secret|token|key|card|ssn|tax|iban|licen[cs]e/i;
const PERSONAL =
  /name|mail|phone|mobile|cell|fax|address|street|city|zip|postal|birth|born|dob|contact|note|comment|code|account/i;
/** Names and codes of places are not personal, unless the name also says that they are of a person. */
const OF_PLACES = /unit|location|site|facility|store|branch|property/i;
const OF_PERSONS =
  /first|last|tenant|cust|owner|occupant|renter|lessee|resident|person|user|mail|phone|mobile|cell|fax|birth|born|dob|contact|account/i;
/** Numbers of few digits, dates, instants, flags and numbered codes such as `A-101`. */
const PLAIN = [
  /^-?\d{1,6}(\.\d{1,4})?$/,
  /^\d{4}[-./]\d{1,2}[-./]\d{1,2}([T ][\d:.Z+-]{1,24})?$/,
  /^\d{1,2}[-./]\d{1,2}[-./](\d{2}|\d{4})( \d{1,2}:\d{2}(:\d{2})?( [AP]M)?)?$/,
  /^[A-Z][a-z]{2,8} \d{1,2}, \d{4}$/,
  /^(true|false|yes|no|[yn])$/i,
  /^[A-Za-z]{0,4}[-_ #]?\d{1,6}[A-Za-z]?$/,
];

/** Shows a value only if it can hold nothing personal or secret. */
export function sampleOf(name: string, value: unknown): Pick<FoundField, 'sample' | 'is_masked'> {
  if (isBlank(value)) return { sample: null, is_masked: false };
  if (mayBePersonal(name) || !isPlain(value)) return { sample: null, is_masked: true };
  return { sample: String(value), is_masked: false };
}

/** An amount of less than a million, with a currency: too short for a number of a person or a card. */
const AMOUNT = /^([A-Z]{3} ?|[$€£] ?)?-?\d{1,3}([,.']?\d{3})?([.,]\d{1,4})?( ?[A-Z]{3}| ?[$€£])?$/;

/** Like “Rented” or “Past due”: no digits, and no dots or commas as in names. */
const WORDS = /^\p{L}{2,15}([ _/-]\p{L}{1,15}){0,2}$/u;
/** A name repeats less often. */
const ROWS_OF_A_WORD = 3;

/** True if all values are a few words that repeat over the rows, as of a status. */
function holdsFewWords(name: string, entries: readonly Found[]): boolean {
  if (mayBePersonal(name) || OF_PERSONS.test(name)) return false;
  const values = entries.map((entry) => valueAt(entry, name.split('.'))).filter((one) => !isBlank(one));
  const words = new Set(values);
  return (
    words.size > 0 &&
    words.size * ROWS_OF_A_WORD <= values.length &&
    [...words].every((one) => typeof one === 'string' && WORDS.test(one))
  );
}

/** A refused value, if it can hold nothing personal or secret. @param name in the feed @param field of a bulk entry */
export function refusedSample(name: string, field: string, value: unknown): string | null {
  const { sample, is_masked } = sampleOf(name, value);
  const kind = factOf(field)?.kind;
  if (!is_masked || mayBePersonal(name) || (kind !== 'amount' && kind !== 'date')) return sample;
  return AMOUNT.test(String(value)) ? String(value) : null;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || value === '';
}

function mayBePersonal(name: string): boolean {
  const isOfPlace = OF_PLACES.test(name) && !OF_PERSONS.test(name);
  return SECRET.test(name) || (PERSONAL.test(name) && !isOfPlace);
}

function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  return PLAIN.some((shape) => shape.test(String(value)));
}

/** Names that PMSs use for a field, without separators, the likeliest first. */
const USUAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  crm_unit_id: [
    ...['unit', 'space'].flatMap((unit) => [
      ...['id', 'number', 'no', 'num', 'code'].map((suffix) => unit + suffix),
      unit,
    ]),
    ...['number', 'id'],
    // Some feeds have no other name for it.
    'unitname',
  ],
  unit_name: ['unitnumber', 'unitno', 'unit', 'name'],
  pms_location_code: ['location', 'site', 'facility', 'store', 'branch', 'property'].flatMap((place) => [
    ...['code', 'id', 'number', 'no'].map((suffix) => place + suffix),
    place,
  ]),
  occupied: ['isoccupied', 'rented', 'isrented'],
  pms_tenant_id: ['tenant', 'customer', 'cust'].flatMap((person) =>
    ['id', 'number', 'no', 'num', 'code'].map((suffix) => person + suffix),
  ),
  ledger_id: ['ledger'],
  move_in_date: ['movein', 'leasestart', 'leasestartdate', 'rentedsince', 'since', 'start', 'startdate'],
  balance_due: ['balance', 'amountdue', 'owed', 'amountowed', 'totaldue'],
  paid_through_date: ['paidthrough', 'paidthru', 'paiduntil', 'paidto', 'paidtodate', 'paidthrudate'],
  pms_lockout: ['lockout', 'lockedout', 'overlocked', 'isoverlocked', 'locked', 'islocked'],
  pms_lock_exempt: ['lockexempt', 'exempt'],
  pms_auction: ['auction', 'inauction'],
  pms_unrentable: ['unrentable'],
  pms_status_raw: ['status', 'unitstatus'],
  'tenant.first_name': ['firstname', 'fname', 'first', 'givenname'],
  'tenant.last_name': ['lastname', 'lname', 'surname', 'last', 'familyname'],
  'tenant.email': ['email', 'emailaddress'],
  'tenant.phone': ['phone', 'phonenumber', 'mobile', 'mobilephone', 'cell', 'cellphone'],
};

/** These names match only a field that is not nested: `tenant.id` is not the id of a unit. */
const TOP_LEVEL_NAMES = ['number', 'id', 'name'];

/**
 * Matches names with fields: by the mapping, by the field's own name, by location codes as values, then by usual names. No
 * field is matched twice.
 */
function matchingFields(
  names: readonly string[],
  mapping: Mapping | null,
  holdsCodes: (name: string) => boolean,
): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const stated = new Set(Object.keys(mapping ?? {}));
  const taken = new Set<string>();
  const take = (name: string, field: string) => {
    if (fields.has(name) || taken.has(field)) return;
    fields.set(name, field);
    taken.add(field);
  };
  const open = names.filter((name) => !stated.has(name));
  const certain = [
    ...Object.entries(mapping ?? {}),
    ...open.filter((name) => MAPPED_FIELDS.includes(name)).map((name) => [name, name] as const),
    ...open.filter(holdsCodes).map((name) => [name, 'pms_location_code'] as const),
  ];
  for (const [name, field] of certain) if (field !== null) take(name, field);
  for (const [field, usualNames] of Object.entries(USUAL_NAMES)) {
    for (const usual of [withoutSeparators(field), ...usualNames]) {
      const alike = open.find((name) => !fields.has(name) && isAlike(name, usual));
      if (alike !== undefined) take(alike, field);
    }
  }
  return fields;
}

function isAlike(name: string, usual: string): boolean {
  if (withoutSeparators(name) === usual) return true;
  const lastPart = name.slice(name.lastIndexOf('.') + 1);
  return withoutSeparators(lastPart) === usual && !TOP_LEVEL_NAMES.includes(usual);
}

function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
