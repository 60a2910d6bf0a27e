import { factOf } from '../../units/core/fact-catalogue.js';
import { isObject } from '../../base/core/is-object.js';
import { MAPPED_FIELDS, type Mapping, valueAt } from './mapping.js';

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
 * The fields of entries, and the fields that the mapping names.
 * @param codes the company's location codes. Where there are several, a field of theirs is the location code.
 */
export function foundFields(
  entries: readonly unknown[],
  mapping: Mapping | null,
  codes: ReadonlySet<unknown> = new Set(),
): FoundField[] {
  const objects = entries.filter(isObject);
  const samples = new Map<string, unknown>();
  for (const entry of objects) collect(entry, mapping ?? {}, samples);
  for (const name of Object.keys(mapping ?? {})) samples.set(name, samples.get(name));
  const names = [...samples.keys()].slice(0, MOST_FIELDS);
  const holdsCodes = (name: string) =>
    !SECRET.test(name) &&
    objects.length > 0 &&
    objects.every((entry) => codes.has(valueAt(entry, name.split('.'))));
  const fields = matchingFields(names, mapping, (name) => codes.size > 1 && holdsCodes(name));
  return names.map((name) => {
    const value = samples.get(name);
    const sample = holdsCodes(name) ? { sample: String(value), is_masked: false } : sampleOf(name, value);
    return { name, ...sample, field: fields.get(name) ?? null };
  });
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
    else samples.set(name, samples.get(name) ?? value);
  }
}

/** True if a mapping can name the field. */
function isNameable(part: string, name: string): boolean {
  return part !== '' && !part.includes('.') && name.length <= LONGEST_NAME;
}

const SECRET = /gate|pin|pass|secret|token|key|card|ssn|tax|iban|licen[cs]e/i;
const PERSONAL =
  /name|mail|phone|mobile|cell|fax|address|street|city|zip|postal|birth|dob|contact|note|comment|code|account/i;
/** Names and codes of places are not personal, unless the name also says that they are of a person. */
const OF_PLACES = /unit|location|site|facility|store|branch|property/i;
const OF_PERSONS = /tenant|customer|owner|mail|phone|mobile|cell|fax|birth|dob|contact|account/i;
/** Numbers of few digits, dates, instants, flags and numbered codes such as `A-101`. */
const PLAIN = [
  /^-?\d{1,6}(\.\d{1,4})?$/,
  /^\d{4}-\d{2}-\d{2}([T ][\d:.Z+-]{1,24})?$/,
  /^(true|false|yes|no|[yn])$/i,
  /^[A-Za-z]{0,4}[-_ #]?\d{1,6}[A-Za-z]?$/,
];

/** Shows a value only if it can hold nothing personal or secret. */
export function sampleOf(name: string, value: unknown): Pick<FoundField, 'sample' | 'is_masked'> {
  if (value === undefined || value === null || value === '') return { sample: null, is_masked: false };
  if (mayBePersonal(name) || !isPlain(value)) return { sample: null, is_masked: true };
  return { sample: String(value), is_masked: false };
}

/** An amount of less than a million, with a currency, or a date: too short for a number of a person or a card. */
const AMOUNT_OR_DATE = [
  /^([A-Z]{3} ?|[$€£] ?)?-?\d{1,3}([,.']?\d{3})?([.,]\d{1,4})?( ?[A-Z]{3}| ?[$€£])?$/,
  /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/,
  /^[A-Z][a-z]{2,8} \d{1,2}, \d{4}$/,
];

/** A refused value, if it can hold nothing personal or secret. @param name in the feed @param field of a bulk entry */
export function refusedSample(name: string, field: string, value: unknown): string | null {
  const { sample, is_masked } = sampleOf(name, value);
  const kind = factOf(field)?.kind;
  if (!is_masked || mayBePersonal(name) || (kind !== 'amount' && kind !== 'date')) return sample;
  return AMOUNT_OR_DATE.some((shape) => shape.test(String(value))) ? String(value) : null;
}

function mayBePersonal(name: string): boolean {
  const isOfPlace = OF_PLACES.test(name) && !OF_PERSONS.test(name);
  return SECRET.test(name) || (PERSONAL.test(name) && !isOfPlace);
}

function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  return PLAIN.some((shape) => shape.test(String(value)));
}

// Stryker disable all: names that PMSs use
/** Names that PMSs use for a field, without separators, the likeliest first. */
const USUAL_NAMES: Readonly<Record<string, readonly string[]>> = {
  crm_unit_id: ['unitid', 'unitnumber', 'unitno', 'unit', 'number', 'id'],
  unit_name: ['unitnumber', 'unitno', 'unit', 'name'],
  pms_location_code: ['location', 'site', 'facility', 'store', 'branch', 'property'].flatMap((place) => [
    ...['code', 'id', 'number', 'no'].map((suffix) => place + suffix),
    place,
  ]),
  occupied: ['isoccupied', 'rented', 'isrented'],
  pms_tenant_id: ['tenantid', 'customerid', 'custid'],
  ledger_id: ['ledger'],
  move_in_date: ['movein', 'moveindate', 'leasestart', 'rentedsince', 'since'],
  balance_due: ['balance', 'amountdue', 'owed', 'amountowed', 'totaldue'],
  paid_through_date: ['paidthrough', 'paidthru', 'paiduntil', 'paidto'],
  pms_lockout: ['lockout', 'lockedout', 'overlocked', 'isoverlocked'],
  pms_lock_exempt: ['lockexempt', 'exempt'],
  pms_auction: ['auction', 'inauction'],
  pms_unrentable: ['unrentable'],
  pms_status_raw: ['status', 'unitstatus'],
  'tenant.first_name': ['firstname', 'first'],
  'tenant.last_name': ['lastname', 'surname', 'last'],
  'tenant.email': ['email', 'emailaddress'],
  'tenant.phone': ['phone', 'phonenumber', 'mobile', 'mobilephone', 'cellphone'],
};

// Stryker restore all
const NESTED_ID = 'tenant.pms_tenant_id';
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
  // Stryker disable next-line ConditionalExpression: no field is called null
  for (const [name, field] of certain) if (field !== null) take(name, field);
  for (const [field, usualNames] of Object.entries(USUAL_NAMES)) {
    for (const usual of [withoutSeparators(field), ...usualNames]) {
      const alike = open.find((name) => !fields.has(name) && isAlike(name, usual));
      if (alike !== undefined) take(alike, field);
    }
  }
  nestId(fields, open);
  return fields;
}

/** Beside a tenant's details, an entry has the tenant's id among them. */
function nestId(fields: Map<string, string>, open: readonly string[]): void {
  const found = [...fields.values()];
  const hasDetails = found.some((field) => field.startsWith('tenant.'));
  const id = open.find((name) => fields.get(name) === 'pms_tenant_id' && name !== 'pms_tenant_id');
  if (hasDetails && id !== undefined && !found.includes(NESTED_ID)) fields.set(id, NESTED_ID);
}

function isAlike(name: string, usual: string): boolean {
  if (withoutSeparators(name) === usual) return true;
  const lastPart = name.slice(name.lastIndexOf('.') + 1);
  return withoutSeparators(lastPart) === usual && !TOP_LEVEL_NAMES.includes(usual);
}

function withoutSeparators(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}
