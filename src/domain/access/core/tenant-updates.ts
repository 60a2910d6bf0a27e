import { tenantsNamed } from '#domain/units/core/unit.state.js';
import type { UnitChange } from '#domain/units/index.js';
import { type TenantUnit, toTenantUnit } from './tenant-units.js';

/** Changed entries for one tenant. None if only the time or the policy has changed. */
export interface TenantUpdate {
  readonly tenant_id: string;
  readonly company_id: string;
  readonly location_id: string;
  readonly changed: TenantUnit[];
}

/** Groups changes by tenant: those that the events name, and the present tenant. */
export function updatesOf(changes: readonly UnitChange[]): TenantUpdate[] {
  const updates = new Map<string, TenantUpdate>();
  for (const change of changes) {
    const { company_id, location_id } = change.after.state;
    for (const tenant_id of tenantsNamedIn(change)) {
      const update = updates.get(tenant_id) ?? { tenant_id, company_id, location_id, changed: [] };
      update.changed.push(toTenantUnit(tenant_id, change.stream, change.after.state));
      updates.set(tenant_id, update);
    }
  }
  return [...updates.values()];
}

function tenantsNamedIn({ events, after }: UnitChange): Set<string> {
  const tenants = new Set(events.flatMap((event) => tenantsNamed(event)));
  if (after.state.tenancy !== null) tenants.add(after.state.tenancy.tenant_id);
  return tenants;
}
