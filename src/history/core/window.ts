import type { LocationPolicy } from '../../locations/core/location-policy.js';
import type { UnitRecord } from './unit-record.js';

/** A place in time and in the log: no two entries of a unit share one, and no new entry comes before an old one's. */
export interface Place {
  /** Milliseconds. */
  readonly instant: number;
  /** Position in the log; `BEFORE_ALL` for the calendar. */
  readonly position: bigint;
}

/** The part of a history that is told: behind one place and before another. */
export interface Window {
  readonly after: Place;
  readonly before: Place;
}

/** The calendar comes before every event of its instant: who writes at midnight writes on the new day. */
export const BEFORE_ALL = -1n;
const AFTER_ALL = 2n ** 64n;

export const EVER: Window = { after: endOf(-Infinity), before: endOf(Infinity) };

/** After all that happens at an instant. */
export function endOf(instant: number): Place {
  return { instant, position: AFTER_ALL };
}

/** Order of things that have a place in time and in the log. */
export function byPlace(one: Place, other: Place): number {
  return ascending(one.instant, other.instant) || ascending(one.position, other.position);
}

/** Order of numbers, infinite ones too. */
export function ascending<N extends number | bigint>(one: N, other: N): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

export function earlier(one: Place, other: Place): Place {
  // Stryker disable next-line EqualityOperator: of two that are one place either is it
  return byPlace(one, other) < 0 ? one : other;
}

export function later(one: Place, other: Place): Place {
  // Stryker disable next-line EqualityOperator: of two that are one place either is it
  return byPlace(one, other) < 0 ? other : one;
}

/**
 * The tenants whose other units can bear on the unit's access within a window: those who rent it then, where blanket
 * delinquency is on at some time of it.
 */
export function tenantsInQuestion({ own, location }: Omit<UnitRecord, 'siblings'>, window: Window): string[] {
  const policies = location.flatMap(({ type, data, instant, position }) =>
    type === 'LocationRenamed' ? [] : [{ instant, position, policy: data.policy }],
  );
  // Anything that held before the unit existed is over.
  const [registered = EVER.before] = own;
  const inForce = standingIn(policies, { ...window, after: later(window.after, registered) });
  // Clocks of two processes differ: a unit may be registered "before" its location.
  const known = inForce.length === 0 ? policies.slice(0, 1) : inForce;
  if (!known.some(({ policy }) => tiesUnits(policy))) return [];
  const changes = own.filter(({ type }) => type === 'TenantMovedIn' || type === 'TenantMovedOut');
  const tenants = standingIn(changes, window).flatMap((event) =>
    event.type === 'TenantMovedIn' ? [event.data.tenant_id] : [],
  );
  return [...new Set(tenants)];
}

/** The things in force when the window begins, and those that come into force within it. */
function standingIn<Change extends Place>(changes: readonly Change[], { after, before }: Window): Change[] {
  // Stryker disable next-line EqualityOperator: what stands already would only be named twice
  const since = changes.filter((change) => byPlace(after, change) < 0);
  const within = since.filter((change) => byPlace(change, before) < 0);
  const standing = changes.findLast((change) => byPlace(change, after) <= 0);
  return standing === undefined ? within : [standing, ...within];
}

function tiesUnits({ blanket_delinquency, delinquency_mode }: LocationPolicy): boolean {
  return blanket_delinquency && delinquency_mode === 'automatic';
}
