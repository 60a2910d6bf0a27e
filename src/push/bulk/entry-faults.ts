import type { FieldFault } from '../../http/field-fault.js';
import { fieldFault } from '../../http/validation/valid.js';
import { FACTS_AFTER_MOVE_OUT, factOf } from '../../units/index.js';
import type { BulkEntry } from '../unit.dto.js';

/** Fields that an unoccupied entry may only have with their reset value. Flags are not among them. */
const RESET_WHEN_UNOCCUPIED: Readonly<Record<string, unknown>> = {
  tenant: null,
  ...Object.fromEntries(
    Object.entries(FACTS_AFTER_MOVE_OUT).filter(([name]) => factOf(name)?.kind !== 'flag'),
  ),
};

/**
 * Rules about several fields: an occupied unit has a tenant; an unoccupied unit has none and owes nothing (specification
 * §4.1 and §7).
 */
export function entryFaults(entry: BulkEntry, path: string): FieldFault[] | undefined {
  if (entry.occupied === true) return occupiedFaults(entry, path);
  return entry.occupied === false ? unoccupiedFaults(entry, path) : undefined;
}

function occupiedFaults({ tenant, pms_tenant_id }: BulkEntry, path: string): FieldFault[] | undefined {
  const nested = tenant?.pms_tenant_id;
  const flat = pms_tenant_id ?? undefined;
  if ((tenant === undefined || tenant === null) && flat === undefined) {
    return [
      fieldFault(`${path}.tenant`, { code: 'required', text: 'is required when occupied is true.' }),
      fieldFault(`${path}.pms_tenant_id`, {
        code: 'required',
        text: 'is required when occupied is true and no tenant is given.',
      }),
    ];
  }
  if (nested !== undefined && flat !== undefined && nested !== flat) {
    const fault = { code: 'conflict', text: 'must agree with the one in tenant.' } as const;
    return [fieldFault(`${path}.pms_tenant_id`, fault)];
  }
  return undefined;
}

function unoccupiedFaults(entry: BulkEntry, path: string): FieldFault[] | undefined {
  const faults: FieldFault[] = [];
  for (const [name, reset] of Object.entries(RESET_WHEN_UNOCCUPIED)) {
    const given = entry[name as keyof BulkEntry];
    if (given === undefined || given === reset) continue;
    const text = `must be ${String(reset)} when occupied is false.`;
    faults.push(fieldFault(`${path}.${name}`, { code: 'not_allowed', text }));
  }
  return faults.length === 0 ? undefined : faults;
}
