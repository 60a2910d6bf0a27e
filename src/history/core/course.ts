import type { LocationPolicy } from '../../locations/core/location-policy.js';
import type { UnitState } from '../../units/core/unit.state.js';
import type { DetailsEvent, Logged } from './unit-record.js';

/** Something that holds from an instant (milliseconds) on, until the next of its list does. */
export interface Holding {
  readonly from: number;
}

/** From one instant to another (milliseconds, both included). */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** How a unit stood, each state from an instant on; at one instant only what held at its end. */
export type Course = readonly (Holding & { readonly unit: UnitState })[];

/** The policies of a location. The first one holds from the beginning. */
export type PolicyCourse = readonly (Holding & { readonly policy: LocationPolicy })[];

/** The entry that holds at an instant, in a list in order of time; undefined before the first. */
export function holdingAt<One extends Holding>(course: readonly One[], instant: number): One | undefined {
  return course[countUpTo(course, instant) - 1];
}

/** How many of a list in order of time begin at an instant or before. */
function countUpTo(course: readonly Holding[], instant: number): number {
  let [counted, end] = [0, course.length];
  while (counted < end) {
    const middle = (counted + end) >>> 1;
    if (course[middle]!.from <= instant) counted = middle + 1;
    else end = middle;
  }
  return counted;
}

/** The instants within a span at which something begins, each once and in order, and the span's own beginning. */
export function turnsWithin(span: Span, ...courses: (readonly Holding[])[]): number[] {
  const turns = new Set([span.from]);
  for (const course of courses) {
    for (let place = countUpTo(course, span.from); place < course.length; place += 1) {
      if (course[place]!.from > span.until) break;
      turns.add(course[place]!.from);
    }
  }
  return [...turns].sort((one, other) => one - other);
}

/** Clocks of two processes differ: a unit may be registered "before" its location, which held all the same. */
export function policyCourse(location: readonly Logged<DetailsEvent>[]): PolicyCourse {
  const policies = location.flatMap(({ type, data, instant }) =>
    type === 'LocationRenamed' ? [] : [{ from: instant, policy: data.policy }],
  );
  return policies.map((one, place) => (place === 0 ? { ...one, from: -Infinity } : one));
}
