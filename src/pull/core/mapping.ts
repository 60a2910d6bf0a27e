/**
 * How a PMS's names become the service's (decisions §8): by the name in the PMS's entry, dots leading into nested objects,
 * the field of a bulk entry that it is, or null for what is to be left out.
 */
export type Mapping = Readonly<Record<string, string | null>>;

type Entry = Readonly<Record<string, unknown>>;

/** The fields that a mapping may lead to: those of a bulk entry, and of the tenant nested in it. */
export const MAPPED_FIELDS: readonly string[] = [
  'crm_unit_id',
  'occupied',
  'unit_name',
  'pms_location_code',
  'pms_tenant_id',
  'ledger_id',
  'move_in_date',
  'balance_due',
  'paid_through_date',
  'pms_lockout',
  'pms_lock_exempt',
  'pms_auction',
  'pms_unrentable',
  'pms_status_raw',
  'tenant',
  'tenant.pms_tenant_id',
  'tenant.first_name',
  'tenant.last_name',
  'tenant.email',
  'tenant.phone',
];

const LARGEST = 100;
const LONGEST_NAME = 255;

/** What is wrong with a mapping, as the end of "The mapping field …"; undefined for a good one. */
export function mappingFault(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object.';
  const targets = Object.values(value);
  const names = Object.keys(value);
  if (names.length > LARGEST) return 'must not have more than 100 entries.';
  if (names.some((name) => name.length > LONGEST_NAME || name.split('.').includes('')))
    return 'must name fields by 1 to 255 characters, with no empty part between dots.';
  if (targets.some((target) => target !== null && !MAPPED_FIELDS.includes(target as string)))
    return 'must lead to fields of a bulk entry, or to null.';
  const led = targets.filter((target) => target !== null);
  return new Set(led).size < led.length ? 'must not lead to one field twice.' : undefined;
}

/**
 * An entry under the service's names. What the mapping does not name stays as it is, and is gone from where it was read;
 * what is no object is returned as it came, to be refused by who knows its place.
 */
export function renamed(entry: unknown, mapping: Mapping): unknown {
  if (!isObject(entry)) return entry;
  const paths = Object.entries(mapping).map(([name, target]) => ({ path: name.split('.'), target }));
  const fields = new Map(
    Object.entries(
      without(
        entry,
        paths.map(({ path }) => path),
      ),
    ),
  );
  const tenant = new Map<string, unknown>();
  for (const { path, target } of paths) {
    const value = valueAt(entry, path);
    if (target === null || value === undefined) continue;
    if (target.startsWith(OF_THE_TENANT)) tenant.set(target.slice(OF_THE_TENANT.length), value);
    else fields.set(target, value);
  }
  if (tenant.size > 0) {
    const stated = fields.get('tenant');
    fields.set('tenant', { ...(isObject(stated) ? stated : {}), ...Object.fromEntries(tenant) });
  }
  return Object.fromEntries(fields);
}

const OF_THE_TENANT = 'tenant.';

/** The object without what the paths lead to, and without what that leaves empty. */
function without(entry: Entry, paths: readonly (readonly string[])[]): Entry {
  const kept: [string, unknown][] = [];
  for (const [name, value] of Object.entries(entry)) {
    const inside = paths.filter(([first]) => first === name).map((path) => path.slice(1));
    if (inside.some(({ length }) => length === 0)) continue;
    const rest = inside.length > 0 && isObject(value) ? without(value, inside) : value;
    const isEmptied = rest !== value && Object.keys(rest as Entry).length === 0;
    if (!isEmptied) kept.push([name, rest]);
  }
  return Object.fromEntries(kept);
}

function valueAt(entry: Entry, path: readonly string[]): unknown {
  let value: unknown = entry;
  for (const part of path) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

function isObject(value: unknown): value is Entry {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
