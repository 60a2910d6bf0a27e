import type { LocationPolicy } from '../../locations/index.js';
import type { AccessReason, AccessState, Calendar } from './decision.js';
import { standingOf } from './policy.js';
import type { RentedUnit } from './tenant-units.js';

interface Access {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
}

/** A unit that one of two policies opens and the other does not. */
export interface AccessFlip {
  readonly unit: RentedUnit;
  readonly from: Access;
  readonly to: Access;
}

/** The policy that holds, and the one that shall replace it. */
export interface PolicyChange {
  readonly before: LocationPolicy;
  readonly after: LocationPolicy;
}

/**
 * The units of one tenant that a change of policy locks or opens.
 * @param units all that the tenant rents at the location
 * @param now milliseconds
 */
export function flippedBy(
  units: readonly RentedUnit[],
  { before, after }: PolicyChange,
  now: number,
  calendar: Calendar,
): AccessFlip[] {
  const siblings = units.map(({ subject }) => subject);
  const decide = (policy: LocationPolicy) =>
    units.map(({ subject: unit }) => standingOf({ unit, siblings, policy, now }, calendar));
  // One policy after the other: what is known of the siblings is kept for one policy at a time.
  const standings = decide(before);
  const proposed = decide(after);
  return units.flatMap((unit, place) => {
    const [from, to] = [standings[place]!, proposed[place]!];
    return isOpen(from) === isOpen(to) ? [] : [{ unit, from: accessOf(from), to: accessOf(to) }];
  });
}

export function isOpen({ state }: Access): boolean {
  return state === 'tenant_permitted';
}

function accessOf({ state, reason }: Access): Access {
  return { state, reason };
}
