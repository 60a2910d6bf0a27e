import { mayCountAgainstOthers } from '#domain/access/core/outlook.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import type { Logged } from './unit-record.js';
import { byPoint, type Window } from './window.js';

interface Sibling {
  readonly events: readonly Logged<UnitEvent>[];
  /** After each event. */
  readonly states: readonly UnitState[];
}

/**
 * Whether another unit may bear on a unit's access within a window: only by its debts. Few of a tenant's thousands of units
 * have any.
 * @param tenants who rent the unit in that time
 */
export function bearsWithin(
  { events, states }: Sibling,
  tenants: readonly string[],
  { after }: Window,
): boolean {
  for (let index = events.length - 1; index >= 0; index -= 1) {
    const { tenancy } = states[index]!;
    if (tenancy !== null && tenants.includes(tenancy.tenant_id) && mayCountAgainstOthers(states[index]!))
      return true;
    // The state with which the window begins.
    if (byPoint(events[index]!, after) <= 0) return false;
  }
  return false;
}
