import type { UnitEvent } from '../../units/core/unit.events.js';
import type { DetailsEvent, Logged, UnitRecord } from './unit-record.js';
import { byPlace, type Place } from './window.js';

/** One event of the unit itself. */
export interface OwnStep extends Place {
  readonly kind: 'own';
  readonly event: Logged<UnitEvent>;
}

/**
 * What one write did to another unit, as a whole: the log holds all of it or nothing, so what stands between its events
 * was never in force.
 */
export interface SiblingStep extends Place {
  readonly kind: 'sibling';
  /** At least one, of one stream. */
  readonly events: readonly Logged<UnitEvent>[];
}

export interface LocationStep extends Place {
  readonly kind: 'location';
  readonly event: Logged<DetailsEvent>;
}

/** Something that happened, at one instant. */
export type Step = OwnStep | SiblingStep | LocationStep;

/**
 * All that happened, in order: by instant, and at one instant by position in the log. Within a stream neither ever goes
 * back, so every stream keeps its own order.
 */
export function stepsOf({ own, siblings, location }: UnitRecord): Step[] {
  const steps: Step[] = [
    ...own.map((event): Step => ({ kind: 'own', event, ...placeOf(event) })),
    ...siblings.flatMap(siblingSteps),
    ...location.map((event): Step => ({ kind: 'location', event, ...placeOf(event) })),
  ];
  return steps.sort(byPlace);
}

function placeOf({ instant, position }: Place): Place {
  return { instant, position };
}

function siblingSteps(events: readonly Logged<UnitEvent>[]): Step[] {
  const steps: Step[] = [];
  let write: Logged<UnitEvent>[] = [];
  events.forEach((event, place) => {
    write.push(event);
    const next = events[place + 1];
    if (next !== undefined && isSameWrite(event, next)) return;
    steps.push({ kind: 'sibling', events: write, ...placeOf(event) });
    write = [];
  });
  return steps;
}

function isSameWrite(one: Logged<UnitEvent>, next: Logged<UnitEvent>): boolean {
  return one.instant === next.instant && one.metadata.command_id === next.metadata.command_id;
}
