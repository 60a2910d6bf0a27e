import type { LocationPolicy } from '../../locations/index.js';
import type { Calendar } from './decision.js';
import { type Access, accessOf, isOpen, shortDecision } from './policy.js';
import type { RentedUnit } from './tenant-units.js';

/** A unit that is open under one of two policies and locked under the other. */
export interface AccessFlip {
  readonly unit: RentedUnit;
  readonly from: Access;
  readonly to: Access;
}

interface PolicyChange {
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
    units.map(({ subject: unit }) => shortDecision({ unit, siblings, policy, now }, calendar));
  // All units are decided under one policy first, because the list of debtors is cached for one policy only.
  const current = decide(before);
  const proposed = decide(after);
  return units.flatMap((unit, index) => {
    const [from, to] = [current[index]!, proposed[index]!];
    return isOpen(from) === isOpen(to) ? [] : [{ unit, from: accessOf(from), to: accessOf(to) }];
  });
}
