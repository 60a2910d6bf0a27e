import { MOST_UNITS_OF_TENANT } from './core/unit.refusals.js';

/** A tenant who arrives at a unit, by the write of this index. */
export interface TenantArriving {
  readonly index: number;
  readonly stream: string;
  readonly tenant_id: string;
}

/**
 * The indexes of arrivals that would give a tenant more units than one may rent. Earlier arrivals of the same run count.
 * Two processes that write at once may each fill the last place: the limit bounds work, so a few units too many do no harm.
 * @param rented streams of the units that each tenant rents
 */
export function beyondLimit(
  arrivals: readonly TenantArriving[],
  rented: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlySet<number> {
  const holdings = new Map([...rented].map(([tenant_id, streams]) => [tenant_id, new Set(streams)]));
  const beyond = new Set<number>();
  for (const { index, stream, tenant_id } of arrivals) {
    const units = holdings.get(tenant_id) ?? new Set();
    if (units.size >= MOST_UNITS_OF_TENANT && !units.has(stream)) beyond.add(index);
    else units.add(stream);
  }
  return beyond;
}
