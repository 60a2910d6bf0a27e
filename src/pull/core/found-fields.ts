import { isObject, MAPPED_FIELDS, type Mapping } from './mapping.js';

/** A field that entries of a source have. */
export interface FoundField {
  /** As a mapping names it: dots lead into nested objects. */
  readonly name: string;
  /** A value of it; null where none was found, or where it may be personal. */
  readonly sample: string | null;
  /** The value is not shown: it may be personal or secret. */
  readonly is_masked: boolean;
  /** The field of a bulk entry that it is or may be; null for none. */
  readonly field: string | null;
}

/** A mapping has at most so many entries. */
const MOST_FIELDS = 100;
const LONGEST_NAME = 255;
/** Entries that are looked at. */
const LOOKED_AT = 100;
const DEEPEST = 4;

/** The fields of the first entries, with those that the mapping names and none of them has. */
export function foundFields(entries: readonly unknown[], mapping: Mapping | null): FoundField[] {
  const samples = new Map<string, unknown>();
  for (const entry of entries.slice(0, LOOKED_AT))
    if (isObject(entry)) collect(entry, mapping ?? {}, samples);
  for (const name of Object.keys(mapping ?? {})) samples.set(name, samples.get(name));
  const names = [...samples.keys()].slice(0, MOST_FIELDS);
  const fields = fieldsOf(names, mapping);
  return names.map((name) => ({
    name,
    ...sampleOf(name, samples.get(name)),
    field: fields.get(name) ?? null,
  }));
}

type Found = Readonly<Record<string, unknown>>;

/** Notes a value of each field. What a mapping names is not looked into. */
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

/** Whether a mapping could name it. */
function isNameable(part: string, name: string): boolean {
  return part !== '' && !part.includes('.') && name.length <= LONGEST_NAME;
}

const SECRET = /gate|pin|pass|secret|token|key|card|ssn|tax|iban|licen[cs]e/i;
const PERSONAL =
  /name|mail|phone|mobile|cell|fax|address|street|city|zip|postal|birth|dob|contact|note|comment|code|account/i;
/** Names and codes of these are no person's. */
const IMPERSONAL = /unit|location|site|facility/i;
/** Numbers of few digits, dates, instants, flags and numbered codes such as `A-101`. */
const PLAIN = [
  /^-?\d{1,6}(\.\d{1,4})?$/,
  /^\d{4}-\d{2}-\d{2}([T ][\d:.Z+-]{1,24})?$/,
  /^(true|false|yes|no|[yn])$/i,
  /^[A-Za-z]{0,4}[-_ #]?\d{1,6}[A-Za-z]?$/,
];

/** A value that tells what a field holds, and nothing of a person. */
export function sampleOf(name: string, value: unknown): Pick<FoundField, 'sample' | 'is_masked'> {
  if (value === undefined || value === null || value === '') return { sample: null, is_masked: false };
  if (mayTellOfAPerson(name) || !isPlain(value)) return { sample: null, is_masked: true };
  return { sample: String(value), is_masked: false };
}

function mayTellOfAPerson(name: string): boolean {
  const isOfPlace = IMPERSONAL.test(name) && !/tenant|customer/i.test(name);
  return SECRET.test(name) || (PERSONAL.test(name) && !isOfPlace);
}

function isPlain(value: unknown): value is string | number | boolean {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return false;
  return PLAIN.some((shape) => shape.test(String(value)));
}

// Stryker disable all: words that PMSs use
/**
 * Names that PMSs use for a field, without separators, the likeliest first. The field's own name comes before them.
 */
const CALLED: Readonly<Record<string, readonly string[]>> = {
  crm_unit_id: ['unitid', 'unitnumber', 'unitno', 'unit', 'number', 'id'],
  unit_name: ['unitnumber', 'unitno', 'unit', 'name'],
  pms_location_code: ['locationcode', 'sitecode', 'facilitycode', 'locationid', 'siteid', 'facilityid'],
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
/** These say too little about nested fields: `tenant.id` is not a unit's. */
const WHOLE_NAMES = ['number', 'id', 'name'];

/** By name: what the mapping says, then what is called so already, then what is called alike. No field is taken twice. */
function fieldsOf(names: readonly string[], mapping: Mapping | null): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  const stated = new Set(Object.keys(mapping ?? {}));
  const taken = new Set<string>();
  const take = (name: string, field: string) => {
    if (fields.has(name) || taken.has(field)) return;
    fields.set(name, field);
    taken.add(field);
  };
  // Stryker disable next-line ConditionalExpression: null takes nothing that is asked for
  for (const [name, field] of Object.entries(mapping ?? {})) if (field !== null) take(name, field);
  const open = names.filter((name) => !stated.has(name));
  for (const name of open) if (MAPPED_FIELDS.includes(name)) take(name, name);
  for (const [field, calls] of Object.entries(CALLED)) {
    for (const call of [bare(field), ...calls]) {
      const alike = open.find((name) => !fields.has(name) && isCalled(name, call));
      if (alike !== undefined) take(alike, field);
    }
  }
  return fields;
}

function isCalled(name: string, call: string): boolean {
  return bare(name) === call || (bare(lastOf(name)) === call && !WHOLE_NAMES.includes(call));
}

function bare(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '');
}

function lastOf(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1);
}
