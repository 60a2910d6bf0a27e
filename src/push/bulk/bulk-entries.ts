import { isObject } from '../../base/core/is-object.js';
import { type ApiError, validationFailed } from '../../http/api-error.js';
import type { Fault, FieldFault } from '../../http/field-fault.js';
import type { Dto } from '../../http/validation/decorators.js';
import { NO_OBJECT, parseTimestamp } from '../../http/validation/rules.js';
import { checkEntry, fieldFault, REQUIRED } from '../../http/validation/valid.js';
import { type StatedArrival, type UnitSync } from '../../units/index.js';
import { statedFacts } from '../unit-answers.js';
import { BulkEntry, BulkIdentifier, type BulkOptions } from '../unit.dto.js';
import { entryFaults } from './entry-faults.js';

/** Most units in one request (specification §8). */
export const LARGEST_BULK = 500;

/** Milliseconds that `snapshot_at` may be ahead of the company's clock. */
export const FURTHEST_AHEAD = 5 * 60_000;

const TOO_FAR_AHEAD: Fault = { code: 'out_of_range', text: 'must be at most 5 minutes ahead.' };
const DUPLICATE: Fault = { code: 'duplicate', text: 'has a duplicate value.' };

/** A valid entry as a write, or its fault. `path` is `units.N`. A faulty entry's `crm_unit_id` may be invalid. */
export type ReadEntry = { readonly crm_unit_id: string; readonly path: string } & (
  { readonly write: UnitSync } | { readonly fault: ApiError }
);

/**
 * Reads the entries of a bulk request. A fault of one entry does not affect the others (specification §4.1, partial
 * failure), unless the entry has no identifier.
 * @param options the fields of the request other than `units`
 * @param now milliseconds, by the company's clock
 * @throws ApiError 422
 */
export function readBulk(
  { units, ...otherFields }: Readonly<Record<string, unknown>>,
  options: Dto<BulkOptions>,
  now: number,
): ReadEntry[] {
  const faults: FieldFault[] = checkEntry(options, otherFields, '') ?? [];
  const { snapshot_at: stated } = otherFields as BulkOptions;
  const snapshot_at = stated === undefined ? undefined : parseTimestamp(String(stated));
  if (snapshot_at !== undefined && snapshot_at > now + FURTHEST_AHEAD)
    faults.push(fieldFault('snapshot_at', TOO_FAR_AHEAD));
  const fault = listFault(units);
  faults.push(
    ...(fault === undefined ? entryIdentityFaults(units as unknown[]) : [fieldFault('units', fault)]),
  );
  if (faults.length > 0) throw validationFailed(faults);
  return (units as BulkEntry[]).map((entry, index) => readEntry(entry, `units.${index}`, snapshot_at));
}

export interface PagePart {
  readonly entries: readonly unknown[];
  /** The index in the page of the first entry. */
  readonly first: number;
  /** Identifiers of earlier entries of the page. `readPart` adds those of this part. */
  readonly seen: Set<string>;
  /** The instant of the source's state (milliseconds). */
  readonly snapshot_at?: number | undefined;
}

/** Reads a part of a page of a pull source. An entry without an identifier gets an empty `crm_unit_id` and a fault. */
export function readPart({ entries, first, seen, snapshot_at }: PagePart): ReadEntry[] {
  return entries.map((entry, index) => {
    const path = `units.${first + index}`;
    const fault = identityFault(entry, path, seen);
    if (fault === undefined) return readEntry(entry as BulkEntry, path, snapshot_at);
    const { crm_unit_id } = (entry ?? {}) as { readonly crm_unit_id?: unknown };
    const named = typeof crm_unit_id === 'string' ? crm_unit_id : '';
    return { crm_unit_id: named, path, fault: validationFailed(fault) };
  });
}

/** The writes among the entries, in their order. */
export function writesOf(entries: readonly ReadEntry[]): UnitSync[] {
  return entries.flatMap((entry): UnitSync[] => ('write' in entry ? [entry.write] : []));
}

function listFault(units: unknown): Fault | undefined {
  if (units === undefined || units === null) return REQUIRED;
  if (!Array.isArray(units)) return { code: 'type', text: 'must be an array.' };
  if (units.length === 0) return { code: 'too_short', text: 'must have at least 1 entry.' };
  if (units.length > LARGEST_BULK)
    return { code: 'too_long', text: `must not have more than ${LARGEST_BULK} entries.` };
  return undefined;
}

/** Such a fault refuses the whole request, because `errors` of the answer could not name the entry. */
function entryIdentityFaults(units: readonly unknown[]): FieldFault[] {
  const seen = new Set<string>();
  return units.flatMap((entry, index) => identityFault(entry, `units.${index}`, seen) ?? []);
}

/** The fault of an entry without an identifier, or with that of an earlier entry. Other rules are checked later. */
function identityFault(entry: unknown, path: string, seen: Set<string>): FieldFault[] | undefined {
  if (!isObject(entry)) return [fieldFault(path, NO_OBJECT)];
  const { crm_unit_id } = entry;
  if (typeof crm_unit_id !== 'string') return checkEntry(BulkIdentifier, { crm_unit_id }, path);
  if (seen.has(crm_unit_id)) return [fieldFault(`${path}.crm_unit_id`, DUPLICATE)];
  seen.add(crm_unit_id);
  return undefined;
}

function readEntry(entry: BulkEntry, path: string, snapshot_at: number | undefined): ReadEntry {
  const { crm_unit_id } = entry;
  const fields = checkEntry(BulkEntry, entry, path) ?? [];
  const together = entryFaults(entry, path).filter(({ field }) => !fields.some((one) => one.field === field));
  const faults = [...together, ...fields];
  if (faults.length === 0) return { crm_unit_id, path, write: { ...toWrite(entry), snapshot_at } };
  return { crm_unit_id, path, fault: validationFailed(faults) };
}

function toWrite(entry: BulkEntry): UnitSync {
  const { crm_unit_id, unit_name, pms_location_code } = entry;
  const arrival = entry.occupied ? toArrival(entry) : undefined;
  return { crm_unit_id, unit_name, pms_location_code, arrival, facts: statedFacts(entry) };
}

function toArrival({ tenant, pms_tenant_id, move_in_date, ledger_id }: BulkEntry): StatedArrival {
  const { pms_tenant_id: nested, ...person } = tenant ?? {};
  return {
    pms_tenant_id: (pms_tenant_id ?? nested)!,
    move_in_date: move_in_date!,
    ledger_id,
    person: tenant === undefined || tenant === null ? undefined : (person as StatedArrival['person']),
  };
}
