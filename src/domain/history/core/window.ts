import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { UnitRecord } from './unit-record.js';

/** Orders the entries of a history. No two entries of a unit are at the same point. A new entry always comes after the old ones. */
export interface HistoryPoint {
  /** Milliseconds. */
  readonly instant: number;
  /** Position in the log. `BEFORE_ALL` for a change by the calendar, a lower one for the end of a pass. */
  readonly position: bigint;
}

/** The part of a history after one point and before another, both excluded. */
export interface Window {
  readonly after: HistoryPoint;
  readonly before: HistoryPoint;
}

/** A change by the calendar comes before all events of its instant: an event at midnight belongs to the new day. */
export const BEFORE_ALL = -1n;
const AFTER_ALL = 2n ** 64n;

export const EVER: Window = { after: endOf(-Infinity), before: endOf(Infinity) };

/** The point after all entries of an instant. */
export function endOf(instant: number): HistoryPoint {
  return { instant, position: AFTER_ALL };
}

/** Compares by instant, then by position in the log. For `sort`. */
export function byPoint(one: HistoryPoint, other: HistoryPoint): number {
  return ascending(one.instant, other.instant) || ascending(one.position, other.position);
}

/** Compares numbers, infinite ones too. For `sort`. */
export function ascending<N extends number | bigint>(one: N, other: N): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function earlier(one: HistoryPoint, other: HistoryPoint): HistoryPoint {
  return byPoint(one, other) < 0 ? one : other;
}

export function later(one: HistoryPoint, other: HistoryPoint): HistoryPoint {
  return byPoint(one, other) < 0 ? other : one;
}

/**
 * The tenants whose other units may matter for the unit's access within a window. These are the tenants who rent the unit in
 * that time. If blanket delinquency is off for all of it, there are none.
 */
export function relevantTenants({ own, location }: Omit<UnitRecord, 'siblings'>, window: Window): string[] {
  const policies = location.flatMap(({ data, instant, position }) =>
    'policy' in data ? [{ instant, position, policy: data.policy }] : [],
  );
  // A policy that ended before the unit existed does not matter.
  const [registered = EVER.before] = own;
  const inForce = inForceWithin(policies, { ...window, after: later(window.after, registered) });
  // Clocks differ: a unit may seem to be older than its location.
  const known = inForce.length === 0 ? policies.slice(0, 1) : inForce;
  if (!known.some(({ policy }) => hasBlanketDelinquency(policy))) return [];
  const changes = own.filter(({ type }) => type === 'TenantMovedIn' || type === 'TenantMovedOut');
  const tenants = inForceWithin(changes, window).flatMap((event) =>
    event.type === 'TenantMovedIn' ? [event.data.tenant_id] : [],
  );
  return [...new Set(tenants)];
}

/** The change in force when the window begins, and the changes within the window. */
function inForceWithin<Change extends HistoryPoint>(
  changes: readonly Change[],
  { after, before }: Window,
): Change[] {
  const since = changes.filter((change) => byPoint(after, change) < 0);
  const within = since.filter((change) => byPoint(change, before) < 0);
  const inForce = changes.findLast((change) => byPoint(change, after) <= 0);
  return inForce === undefined ? within : [inForce, ...within];
}

function hasBlanketDelinquency({ blanket_delinquency, delinquency_mode }: LocationPolicy): boolean {
  return blanket_delinquency && delinquency_mode === 'automatic';
}
