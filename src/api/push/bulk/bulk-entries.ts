import { isObject } from '#kernel/core/is-object.js';
import { type ApiError, validationFailed } from '#kernel/errors/api-error.js';
import type { Fault, FieldFault } from '#kernel/errors/field-fault.js';
import type { Dto } from '#web/validation/decorators.js';
import { NO_OBJECT } from '#web/validation/rules.js';
import { parseTimestamp } from '#kernel/timestamp.js';
import { TURNS } from '#kernel/turns.js';
import { checkEntry, fieldFault, REQUIRED } from '#web/validation/check.js';
import type { CommandOnUnit, SourceType, StatedArrival, StatedUnitCommand } from '#domain/units/index.js';
import { statedFacts } from '../unit-answers.js';
import { BulkEntry, BulkIdentifier, type BulkOptions } from '../unit.dto.js';
import { entryFaults } from './entry-faults.js';

/** Most units in one request (specification §8). */
export const LARGEST_BULK = 500;

/** Milliseconds that `snapshot_at` may be ahead of the company's clock. */
export const FURTHEST_AHEAD_MS = 5 * 60_000;

const TOO_FAR_AHEAD: Fault = { code: 'out_of_range', text: 'must be at most 5 minutes ahead.' };
const DUPLICATE: Fault = { code: 'duplicate', text: 'has a duplicate value.' };

export type SyncUnit = Extract<StatedUnitCommand, { type: 'SyncUnit' }>;

/** The full state of a unit, of whichever source. */
type StatedState = Omit<SyncUnit, 'type' | 'source'>;

/** A valid entry as the state of its unit, or its fault. `path` is `units.N`. A faulty entry's `crm_unit_id` may be invalid. */
export type ReadEntry = { readonly crm_unit_id: string; readonly path: string } & (
  { readonly state: StatedState } | { readonly fault: ApiError }
);

/**
 * Reads the entries of a bulk request. A fault of one entry does not affect the others (specification §4.1, partial
 * failure), unless the entry has no identifier.
 * @param options the fields of the request other than `units`
 * @param now milliseconds, by the company's clock
 * @throws ApiError 422
 */
export async function readBulk(
  { units, ...otherFields }: Readonly<Record<string, unknown>>,
  options: Dto<BulkOptions>,
  now: number,
): Promise<ReadEntry[]> {
  const faults: FieldFault[] = checkEntry(options, otherFields, '') ?? [];
  const { snapshot_at: stated } = otherFields as BulkOptions;
  const snapshot_at = stated === undefined ? undefined : parseTimestamp(String(stated));
  if (snapshot_at !== undefined && snapshot_at > now + FURTHEST_AHEAD_MS)
    faults.push(fieldFault('snapshot_at', TOO_FAR_AHEAD));
  const fault = listFault(units);
  faults.push(
    ...(fault === undefined ? entryIdentityFaults(units as unknown[]) : [fieldFault('units', fault)]),
  );
  if (faults.length > 0) throw validationFailed(faults);
  const entries: ReadEntry[] = [];
  for (const [index, entry] of (units as BulkEntry[]).entries()) {
    entries.push(readEntry(entry, `units.${index}`, snapshot_at));
    await TURNS.pauseIfLong();
  }
  return entries;
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
export async function readPart({ entries, first, seen, snapshot_at }: PagePart): Promise<ReadEntry[]> {
  const read: ReadEntry[] = [];
  for (const [index, entry] of entries.entries()) {
    const path = `units.${first + index}`;
    const fault = identityFault(entry, path, seen);
    const { crm_unit_id } = (entry ?? {}) as { readonly crm_unit_id?: unknown };
    const named = typeof crm_unit_id === 'string' ? crm_unit_id : '';
    if (fault === undefined) read.push(readEntry(entry as BulkEntry, path, snapshot_at));
    else read.push({ crm_unit_id: named, path, fault: validationFailed(fault) });
    await TURNS.pauseIfLong();
  }
  return read;
}

/** The commands of the valid entries, in their order. */
export function syncsOf(entries: readonly ReadEntry[], source: SourceType): CommandOnUnit<SyncUnit>[] {
  return entries.flatMap((entry) => {
    if (!('state' in entry)) return [];
    const { crm_unit_id, state } = entry;
    return { crm_unit_id, command: { type: 'SyncUnit', source, ...state } };
  });
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
  if (faults.length === 0) return { crm_unit_id, path, state: { ...stateIn(entry), snapshot_at } };
  return { crm_unit_id, path, fault: validationFailed(faults) };
}

function stateIn(entry: BulkEntry): StatedState {
  const { unit_name, pms_location_code } = entry;
  const registration = { unit_name, pms_location_code };
  return { registration, arrival: entry.occupied ? toArrival(entry) : null, facts: statedFacts(entry) };
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
