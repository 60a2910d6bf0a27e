import type { Calendar, ExplainedDecision } from '#domain/access/core/decision.js';
import { explain } from '#domain/access/core/policy.js';
import type { LocationDetails } from '#domain/locations/core/location.state.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import { stepsOf } from './steps.js';
import type { Logged, UnitRecord } from './unit-record.js';
import { endOf, type Window } from './window.js';
import { World } from './world.js';

/** The state of a unit at an instant. */
export interface UnitAsOf {
  readonly unit: UnitState;
  /** The newest event of the unit at that instant. */
  readonly head: Logged<UnitEvent>;
  readonly location: LocationDetails;
  readonly decision: ExplainedDecision;
}

/** The state at the end of an instant. */
export function windowAt(at: number): Window {
  return { after: endOf(at), before: endOf(at) };
}

/**
 * A unit exactly as a read at an instant would have shown it. Undefined before the unit existed. For an instant in the future
 * it is the state if nothing is written until then. Yields the amount of work at each step.
 */
export function* unitAsOf(
  record: UnitRecord,
  at: number,
  calendar: Calendar,
): Generator<number, UnitAsOf | undefined> {
  const world = new World(record);
  const steps = yield* stepsOf(record, endOf(at));
  for (const step of steps) {
    if (step.instant > at) break;
    world.take(step);
    yield 1;
  }
  const { head } = world;
  if (head === undefined) return undefined;
  return {
    unit: world.unit as UnitState,
    head,
    location: world.location,
    decision: explain(world.inputAt(at), calendar),
  };
}
