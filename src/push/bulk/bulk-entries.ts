import {
  type ApiError,
  checkEntry,
  type FieldErrors,
  refuseUnknownFields,
  validationFailed,
} from '../../http/index.js';
import { comparedIdentifier, type StatedArrival, type StatedWrite } from '../../units/index.js';
import { BulkEntry, BulkIdentifier, statedFacts } from '../unit.dto.js';
import { entryFaults } from './entry-faults.js';

/** Most units that one request may carry (specification §8). */
export const LARGEST_BULK = 500;

const FIELDS: ReadonlySet<string> = new Set(['units']);

/** An entry as it goes on: a write, or what is wrong with it. */
export type ReadEntry =
  | { readonly crm_unit_id: string; readonly write: StatedWrite }
  | { readonly crm_unit_id: string; readonly fault: ApiError };

/**
 * Reads the entries of a bulk request. What makes the whole request malformed is refused as a whole; every other fault
 * is its entry's own (specification §4.1, partial failure).
 * @param limit most entries; undefined for a source that may send any number.
 * @throws ApiError 422
 */
export function readBulk(body: Readonly<Record<string, unknown>>, limit: number | undefined): ReadEntry[] {
  const errors = wholeFaults(body, limit);
  if (Object.keys(errors).length > 0) throw validationFailed(errors);
  return (body['units'] as object[]).map((entry, place) => readEntry(entry as BulkEntry, place));
}

/** The writes among the entries, in their order. */
export function writesOf(entries: readonly ReadEntry[]): StatedWrite[] {
  return entries.flatMap((entry): StatedWrite[] => ('write' in entry ? [entry.write] : []));
}

function wholeFaults(body: Readonly<Record<string, unknown>>, limit: number | undefined): FieldErrors {
  const errors = Object.create(null) as FieldErrors;
  refuseUnknownFields(body, FIELDS, errors);
  const { units } = body;
  const fault = listFault(units, limit);
  if (fault !== undefined) errors['units'] = [fault];
  else entryIdentityFaults(units as unknown[], errors);
  return errors;
}

function listFault(units: unknown, limit: number | undefined): string | undefined {
  if (units === undefined || units === null) return 'The units field is required.';
  if (!Array.isArray(units)) return 'The units field must be an array.';
  if (units.length === 0) return 'The units field must have at least 1 entry.';
  if (limit !== undefined && units.length > limit)
    return `The units field must not have more than ${limit} entries.`;
  return undefined;
}

/** A fault that leaves an entry without a usable identifier could not be reported in `errors` of the answer. */
function entryIdentityFaults(units: readonly unknown[], errors: FieldErrors): void {
  const seen = new Set<string>();
  units.forEach((entry, place) => {
    const path = `units.${place}`;
    if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) {
      errors[path] = [`The ${place} field must be an object.`];
      return;
    }
    const fault = identifierFault((entry as BulkEntry).crm_unit_id, path, seen);
    if (fault !== undefined) errors[`${path}.crm_unit_id`] = fault;
  });
}

function identifierFault(crm_unit_id: unknown, path: string, seen: Set<string>): string[] | undefined {
  const fault = checkEntry(BulkIdentifier, { crm_unit_id }, path)?.[`${path}.crm_unit_id`];
  if (fault !== undefined) return fault;
  const compared = comparedIdentifier(crm_unit_id as string);
  if (seen.has(compared)) return ['The crm unit id field has a duplicate value.'];
  seen.add(compared);
  return undefined;
}

function readEntry(entry: BulkEntry, place: number): ReadEntry {
  const { crm_unit_id } = entry;
  const path = `units.${place}`;
  const fields = checkEntry(BulkEntry, entry, path);
  const together = entryFaults(entry, path);
  const errors = fields && together ? { ...together, ...fields } : (fields ?? together);
  return errors === undefined
    ? { crm_unit_id, write: toWrite(entry) }
    : { crm_unit_id, fault: validationFailed(errors) };
}

function toWrite(entry: BulkEntry): StatedWrite {
  const { crm_unit_id, unit_name, pms_location_code } = entry;
  const arrival = entry.occupied ? toArrival(entry) : undefined;
  return { kind: 'sync', crm_unit_id, unit_name, pms_location_code, arrival, facts: statedFacts(entry) };
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
