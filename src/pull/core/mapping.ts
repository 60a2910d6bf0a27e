import { isObject } from '#kernel/core/is-object.js';
import type { Fault } from '#kernel/errors/field-fault.js';
import { FACT_NAMES, factOf } from '#domain/units/core/fact-catalogue.js';

/**
 * Maps a PMS's names to fields of a bulk entry (decisions §8). Dots separate the names of nested objects. Null leaves a field
 * out. A name that begins with `=` is the value itself, for every row.
 */
export type Mapping = Readonly<Record<string, string | null>>;

type Entry = Readonly<Record<string, unknown>>;

/** The fields to which a mapping may lead: those of a bulk entry, and of the tenant in it. */
export const MAPPED_FIELDS: readonly string[] = [
  'crm_unit_id',
  'unit_name',
  'pms_location_code',
  ...FACT_NAMES,
  'tenant',
  'tenant.pms_tenant_id',
  'tenant.first_name',
  'tenant.last_name',
  'tenant.email',
  'tenant.phone',
];

const LARGEST = 100;
const LONGEST_NAME = 255;

/** The reason for which a mapping is refused. Undefined if it is valid. */
export function mappingFault(value: unknown): Fault | undefined {
  if (!isObject(value)) return { code: 'type', text: 'must be an object.' };
  const targets = Object.values(value);
  const names = Object.keys(value);
  if (names.length > LARGEST) return { code: 'too_long', text: 'must not have more than 100 entries.' };
  if (names.some((name) => name.length > LONGEST_NAME || hasEmptyPart(name)))
    return {
      code: 'format',
      text: 'must name fields by 1 to 255 characters, with no empty part between dots.',
    };
  if (targets.some((target) => target !== null && !MAPPED_FIELDS.includes(target as string)))
    return { code: 'unknown_value', text: 'must lead to fields of a bulk entry, or to null.' };
  const fields = targets.filter((target) => target !== null);
  return new Set(fields).size < fields.length
    ? { code: 'duplicate', text: 'must not lead to one field twice.' }
    : undefined;
}

/** The value that a name of a mapping stands for. Undefined for the name of a field. */
export function constantIn(name: string): string | undefined {
  return name.startsWith('=') ? name.slice(1) : undefined;
}

function hasEmptyPart(name: string): boolean {
  const constant = constantIn(name);
  return constant === undefined ? name.split('.').includes('') : constant === '';
}

/**
 * The entry with the service's names, without empty cells. Names that the mapping does not name are kept. A value that is no
 * object is returned unchanged, so that the validator refuses it.
 */
export function renamed(entry: unknown, mapping: Mapping): unknown {
  if (!isObject(entry)) return entry;
  const paths = Object.entries(mapping).map(([name, target]) => ({
    path: name.split('.'),
    constant: constantIn(name),
    target,
  }));
  const fields = new Map(
    Object.entries(
      without(
        entry,
        paths.map(({ path }) => path),
      ),
    ),
  );
  const tenant = new Map<string, unknown>();
  for (const { path, constant, target } of paths) {
    const value = constant ?? valueAt(entry, path);
    if (target === null || value === undefined) continue;
    if (target.startsWith(TENANT_PREFIX)) tenant.set(target.slice(TENANT_PREFIX.length), value);
    else fields.set(target, value);
  }
  if (tenant.size > 0) {
    const stated = fields.get('tenant');
    fields.set('tenant', { ...(isObject(stated) ? stated : {}), ...Object.fromEntries(tenant) });
  }
  return withoutEmptyCells(Object.fromEntries(fields));
}

/** Fields of a person. */
export const TENANT_PREFIX = 'tenant.';
const NULL_IS_A_FAULT = new Set(['amount', 'flag']);

/**
 * Lists send empty cells: a blank text counts as null. Details that are all empty are no tenant; others get the id beside
 * them. A vacant unit has no amounts and flags where the cells are empty.
 */
function withoutEmptyCells(entry: Entry): Entry {
  const isVacant = entry['occupied'] === false;
  const cells = Object.entries(entry).flatMap(([name, given]): [string, unknown][] => {
    if (!MAPPED_FIELDS.includes(name)) return [[name, given]];
    const value = name === 'tenant' ? tenantIn(given, entry['pms_tenant_id']) : amountIn(name, filled(given));
    return isVacant && value === null && NULL_IS_A_FAULT.has(factOf(name)?.kind ?? '') ? [] : [[name, value]];
  });
  return Object.fromEntries(cells);
}

function tenantIn(given: unknown, id: unknown): unknown {
  if (!isObject(given)) return filled(given);
  const details = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, filled(value)]));
  if (Object.values(details).every((value) => value === null)) return null;
  const pms_tenant_id = details['pms_tenant_id'] ?? filled(id) ?? undefined;
  return pms_tenant_id === undefined ? details : { ...details, pms_tenant_id };
}

const AMOUNT = /^\s*-?\d{1,12}(\.\d{1,4})?\s*$/;

/** Lists send amounts as text, such as "0.00". Other text is left for the validator to refuse. */
function amountIn(name: string, value: unknown): unknown {
  const isText = typeof value === 'string' && factOf(name)?.kind === 'amount' && AMOUNT.test(value);
  return isText ? Number(value) : value;
}

function filled(value: unknown): unknown {
  return typeof value === 'string' && value.trim() === '' ? null : value;
}

/** The object without the values at the paths, and without objects that are empty then. */
function without(entry: Entry, paths: readonly (readonly string[])[]): Entry {
  const byFirst = byFirstPart(paths);
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(entry)) {
    const inside = byFirst.get(name) ?? [];
    if (inside.some(({ length }) => length === 0)) continue;
    const rest = inside.length > 0 && isObject(value) ? without(value, inside) : value;
    const isEmptied = rest !== value && Object.keys(rest as Entry).length === 0;
    if (!isEmptied) kept.push([name, rest]);
  }
  return Object.fromEntries(kept);
}

/** What follows the first part of paths, by that part. */
function byFirstPart(paths: readonly (readonly string[])[]): ReadonlyMap<string, readonly string[][]> {
  const rests = new Map<string, string[][]>();
  for (const [first = '', ...rest] of paths) {
    const known = rests.get(first);
    if (known === undefined) rests.set(first, [rest]);
    else known.push(rest);
  }
  return rests;
}

export function valueAt(entry: Entry, path: readonly string[]): unknown {
  let value: unknown = entry;
  for (const part of path) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}
