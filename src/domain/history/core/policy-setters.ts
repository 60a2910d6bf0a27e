import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { DetailsEvent, Logged } from './unit-record.js';

/** The event that last changed each field of the policy. @param location events, oldest first */
export function policySetters(
  location: readonly Logged<DetailsEvent>[],
): ReadonlyMap<keyof LocationPolicy, Logged<DetailsEvent>> {
  const setters = new Map<keyof LocationPolicy, Logged<DetailsEvent>>();
  let before: LocationPolicy | undefined;
  for (const event of location) {
    if (!('policy' in event.data)) continue;
    const { policy } = event.data;
    for (const name of Object.keys(policy) as (keyof LocationPolicy)[]) {
      if (before?.[name] !== policy[name]) setters.set(name, event);
    }
    before = policy;
  }
  return setters;
}
