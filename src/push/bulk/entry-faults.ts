import { type FieldErrors, labelOf } from '../../http/index.js';
import type { BulkEntry } from '../unit.dto.js';

/** Facts that an unoccupied entry may name only at the value a move-out resets them to. */
const RESET_WHEN_UNOCCUPIED = {
  tenant: null,
  pms_tenant_id: null,
  ledger_id: null,
  move_in_date: null,
  balance_due: 0,
  paid_through_date: null,
} as const satisfies Partial<Record<keyof BulkEntry, null | number>>;

/**
 * What is wrong with an entry's fields together, whatever is wrong with each: an occupied unit has a tenant, an
 * unoccupied one has none and owes nothing (specification §4.1 and §7).
 */
export function entryFaults(entry: BulkEntry, path: string): FieldErrors | undefined {
  if (entry.occupied === true) return occupiedFaults(entry, path);
  return entry.occupied === false ? unoccupiedFaults(entry, path) : undefined;
}

function occupiedFaults({ tenant, pms_tenant_id }: BulkEntry, path: string): FieldErrors | undefined {
  const nested = tenant?.pms_tenant_id;
  const flat = pms_tenant_id ?? undefined;
  if ((tenant === undefined || tenant === null) && flat === undefined) {
    return { [`${path}.tenant`]: ['The tenant field is required when occupied is true.'] };
  }
  if (nested !== undefined && flat !== undefined && nested !== flat) {
    return { [`${path}.pms_tenant_id`]: ['The pms tenant id field must agree with the one in tenant.'] };
  }
  return undefined;
}

function unoccupiedFaults(entry: BulkEntry, path: string): FieldErrors | undefined {
  const errors: FieldErrors = {};
  let faulty = false;
  for (const [name, reset] of Object.entries(RESET_WHEN_UNOCCUPIED)) {
    const given = entry[name as keyof BulkEntry];
    if (given === undefined || given === reset) continue;
    errors[`${path}.${name}`] = [`The ${labelOf(name)} field must be ${reset} when occupied is false.`];
    faulty = true;
  }
  return faulty ? errors : undefined;
}
