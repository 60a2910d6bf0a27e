import type { Fault, FieldFault } from '#kernel/errors/field-fault.js';
import { fieldFault } from '#web/validation/check.js';
import { FACTS_AFTER_MOVE_OUT, factOf } from '#domain/units/index.js';
import type { BulkEntry } from '../unit.dto.js';

/** Fields that an unoccupied entry may only have with their reset value. Flags are not among them. */
const RESET_WHEN_UNOCCUPIED: Readonly<Record<string, unknown>> = {
  tenant: null,
  ...Object.fromEntries(
    Object.entries(FACTS_AFTER_MOVE_OUT).filter(([name]) => factOf(name)?.kind !== 'flag'),
  ),
};

/**
 * Rules about several fields: an occupied unit has a tenant and a first day; an unoccupied unit has none and owes nothing (specification
 * §4.1 and §7).
 */
export function entryFaults(entry: BulkEntry, path: string): FieldFault[] {
  if (entry.occupied === true) return occupiedFaults(entry, path);
  return entry.occupied === false ? unoccupiedFaults(entry, path) : [];
}

const REQUIRED_WHEN_OCCUPIED: Fault = { code: 'required', text: 'is required when occupied is true.' };

function occupiedFaults(entry: BulkEntry, path: string): FieldFault[] {
  const faults = tenantFaults(entry, path);
  const { move_in_date } = entry;
  if (move_in_date === undefined || move_in_date === null)
    faults.push(fieldFault(`${path}.move_in_date`, REQUIRED_WHEN_OCCUPIED));
  return faults;
}

function tenantFaults({ tenant, pms_tenant_id }: BulkEntry, path: string): FieldFault[] {
  const nested = tenant?.pms_tenant_id;
  const flat = pms_tenant_id ?? undefined;
  if ((tenant === undefined || tenant === null) && flat === undefined) {
    const text = 'is required when occupied is true and no tenant is given.';
    return [
      fieldFault(`${path}.tenant`, REQUIRED_WHEN_OCCUPIED),
      fieldFault(`${path}.pms_tenant_id`, { code: 'required', text }),
    ];
  }
  if (nested === undefined || flat === undefined || nested === flat) return [];
  const fault = { code: 'conflict', text: 'must agree with the one in tenant.' } as const;
  return [fieldFault(`${path}.pms_tenant_id`, fault)];
}

/** Some PMSs keep a date or a balance of the last tenant on a vacant unit. */
const VACANT_HINT =
  'Leave it out for a vacant unit: clear it in the PMS, or ask for a list that leaves it empty. If somebody rents the unit, send occupied: true.';

function unoccupiedFaults(entry: BulkEntry, path: string): FieldFault[] {
  const faults: FieldFault[] = [];
  for (const [name, reset] of Object.entries(RESET_WHEN_UNOCCUPIED)) {
    const given = entry[name as keyof BulkEntry];
    if (given === undefined || given === reset) continue;
    const text = `must be ${String(reset)} when occupied is false.`;
    faults.push({ ...fieldFault(`${path}.${name}`, { code: 'not_allowed', text }), hint: VACANT_HINT });
  }
  return faults;
}
