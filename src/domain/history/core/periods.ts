import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import type { DetailsEvent, Logged } from './unit-record.js';

/** An entry of a list in order of time. It holds from an instant (milliseconds) until the next entry begins. */
export interface Period {
  readonly from: number;
}

/** From one instant to another (milliseconds, both included). */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** The states of a unit over time. Of several states at one instant only the last is kept. */
export type UnitPeriods = readonly (Period & { readonly unit: UnitState })[];

/** The policies of a location. The first one holds from the beginning. */
export type PolicyPeriods = readonly (Period & { readonly policy: LocationPolicy })[];

/** The entry that holds at an instant. Undefined before the first. */
export function periodAt<One extends Period>(periods: readonly One[], instant: number): One | undefined {
  return periods[countUpTo(periods, instant) - 1];
}

/** The number of entries that begin at an instant or before. */
function countUpTo(periods: readonly Period[], instant: number): number {
  let counted = 0;
  let end = periods.length;
  while (counted < end) {
    const middle = (counted + end) >>> 1;
    if (periods[middle]!.from <= instant) counted = middle + 1;
    else end = middle;
  }
  return counted;
}

/** The instants within a span at which an entry begins, and the beginning of the span, sorted and without repeats. */
export function startsIn(span: Span, ...lists: (readonly Period[])[]): number[] {
  const starts = [span.from];
  for (const periods of lists) {
    for (let index = countUpTo(periods, span.from); index < periods.length; index += 1) {
      if (periods[index]!.from > span.until) break;
      starts.push(periods[index]!.from);
    }
  }
  return starts.length === 1 ? starts : [...new Set(starts)].sort((one, other) => one - other);
}

/** The first policy holds from the beginning, because clocks differ: a unit may seem to be older than its location. */
export function policyPeriods(location: readonly Logged<DetailsEvent>[]): PolicyPeriods {
  const policies = location.flatMap(({ data, instant }) =>
    'policy' in data ? [{ from: instant, policy: data.policy }] : [],
  );
  return policies.map((one, index) => (index === 0 ? { ...one, from: -Infinity } : one));
}
