import type { AccessReason, AccessState } from '#domain/access/core/decision.js';
import { hasUnit } from '#domain/units/core/unit.state.js';
import type { HeldAccess } from './backtest.js';
import { type UnitPeriods, periodAt } from './periods.js';

/** A unit with its states and its access over time. */
export interface PastUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly periods: UnitPeriods;
  readonly held: readonly HeldAccess[];
}

export interface DeniedThen {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly state: AccessState;
  readonly reason: AccessReason | null;
}

/** The units that a tenant had at an instant (milliseconds), if access to each of them was denied. Otherwise none. */
export function deniedAt(tenant_id: string, at: number, units: readonly PastUnit[]): readonly DeniedThen[] {
  const then: DeniedThen[] = [];
  for (const { unit_id, unit_name, periods, held } of units) {
    const unit = periodAt(periods, at)?.unit;
    if (unit === undefined || !hasUnit(unit, tenant_id, at)) continue;
    const { state, reason } = periodAt(held, at)!.access;
    if (state === 'tenant_permitted') return [];
    then.push({ unit_id, unit_name, state, reason });
  }
  return then;
}
