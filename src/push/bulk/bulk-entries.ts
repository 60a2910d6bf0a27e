import { type ApiError, validationFailed } from '../../http/api-error.js';
import type { Fault, FieldFault } from '../../http/field-fault.js';
import type { Dto } from '../../http/validation/decorators.js';
import { NO_OBJECT, parseTimestamp, wellFormed } from '../../http/validation/rules.js';
import { checkEntry, fieldFault, REQUIRED } from '../../http/validation/valid.js';
import { type StatedArrival, type UnitSync } from '../../units/index.js';
import { statedFacts } from '../unit-answers.js';
import { BulkEntry, BulkIdentifier, type BulkOptions } from '../unit.dto.js';
import { entryFaults } from './entry-faults.js';

/** Most units that one request may carry (specification §8). */
export const LARGEST_BULK = 500;

/** How far ahead of the company's clock a snapshot may be, in milliseconds. */
export const FURTHEST_AHEAD = 5 * 60_000;

const TOO_FAR_AHEAD: Fault = { code: 'out_of_range', text: 'must be at most 5 minutes ahead.' };
const DUPLICATE: Fault = { code: 'duplicate', text: 'has a duplicate value.' };

/** An entry after it was read: a write or its fault, whose `crm_unit_id` may break a rule. `path` is `units.N`. */
export type ReadEntry = { readonly crm_unit_id: string; readonly path: string } & (
  { readonly write: UnitSync } | { readonly fault: ApiError }
);

/**
 * Reads the entries of a bulk request. What makes the whole request malformed is refused as a whole; every other fault
 * is its entry's own (specification §4.1, partial failure).
 * @param options what stands beside `units`
 * @param now by the company's clock, in milliseconds
 * @throws ApiError 422
 */
export function readBulk(
  { units, ...beside }: Readonly<Record<string, unknown>>,
  options: Dto<BulkOptions>,
  now: number,
): ReadEntry[] {
  const faults: FieldFault[] = checkEntry(options, beside, '') ?? [];
  const { snapshot_at: stated } = beside as BulkOptions;
  const snapshot_at = stated === undefined ? undefined : parseTimestamp(String(stated));
  if (snapshot_at !== undefined && snapshot_at > now + FURTHEST_AHEAD)
    faults.push(fieldFault('snapshot_at', TOO_FAR_AHEAD));
  const fault = listFault(units);
  faults.push(
    ...(fault === undefined ? entryIdentityFaults(units as unknown[]) : [fieldFault('units', fault)]),
  );
  if (faults.length > 0) throw validationFailed(faults);
  return (units as BulkEntry[]).map((entry, place) => readEntry(entry, `units.${place}`, snapshot_at));
}

/** Some of the entries of one page of a pull source. */
export interface PagePart {
  readonly entries: readonly unknown[];
  /** The place in the page of the first of them. */
  readonly first: number;
  /** Identifiers of the entries before; those of this part are added. */
  readonly seen: Set<string>;
  /** When the source took the state that it sends (milliseconds). */
  readonly snapshot_at?: number | undefined;
}

/** Reads a part of a page. Each fault is its entry's own; an entry without an identifier has an empty `crm_unit_id`. */
export function readPart({ entries, first, seen, snapshot_at }: PagePart): ReadEntry[] {
  return entries.map((entry, place) => {
    const path = `units.${first + place}`;
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

/** A request with such a fault is refused: `errors` of the answer could not name the entry. */
function entryIdentityFaults(units: readonly unknown[]): FieldFault[] {
  const seen = new Set<string>();
  return units.flatMap((entry, place) => identityFault(entry, `units.${place}`, seen) ?? []);
}

/** The fault that leaves an entry without an identifier of its own. A text that breaks a rule is the entry's own fault. */
function identityFault(entry: unknown, path: string, seen: Set<string>): FieldFault[] | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return [fieldFault(path, NO_OBJECT)];
  const { crm_unit_id } = entry as Partial<BulkEntry>;
  if (typeof crm_unit_id !== 'string') return checkEntry(BulkIdentifier, { crm_unit_id }, path);
  if (seen.has(crm_unit_id)) return [fieldFault(`${path}.crm_unit_id`, DUPLICATE)];
  seen.add(crm_unit_id);
  return undefined;
}

function readEntry(entry: BulkEntry, path: string, snapshot_at: number | undefined): ReadEntry {
  const { crm_unit_id } = entry;
  const fields = checkEntry(BulkEntry, entry, path);
  const together = entryFaults(entry, path)?.filter(
    ({ field }) => fields?.some((fault) => fault.field === field) !== true,
  );
  const faults = [...(together ?? []), ...(fields ?? [])];
  if (faults.length === 0) return { crm_unit_id, path, write: { ...toWrite(entry), snapshot_at } };
  return { crm_unit_id: wellFormed(crm_unit_id), path, fault: validationFailed(faults) };
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
