import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { tenantsNamed, type UnitState } from '#domain/units/core/unit.state.js';
import type { DetailsEvent, Logged, UnitRecord } from './unit-record.js';
import { byPoint, type HistoryPoint } from './window.js';

/** An event of the unit itself. */
export interface OwnStep extends HistoryPoint {
  readonly kind: 'own';
  readonly event: Logged<UnitEvent>;
  /** The state after the event, if it is known. */
  readonly state: UnitState | undefined;
}

/**
 * All events of one append to another unit of a tenant. The states between these events were never visible.
 */
export interface SiblingStep extends HistoryPoint {
  readonly kind: 'sibling';
  /** At least one event, all of one stream. */
  readonly events: readonly Logged<UnitEvent>[];
}

export interface LocationStep extends HistoryPoint {
  readonly kind: 'location';
  readonly event: Logged<DetailsEvent>;
}

export type Step = OwnStep | SiblingStep | LocationStep;

/**
 * All steps, sorted by instant and then by position in the log. This keeps the order of each stream. Yields the amount of work
 * for each stream.
 * @param from before it, events whose states are known are left out
 */
export function* stepsOf(record: UnitRecord, from: HistoryPoint): Generator<number, Step[]> {
  const { siblings, location } = record;
  const steps: Step[] = [
    ...ownSteps(record, from),
    ...location.map((event): Step => ({ kind: 'location', event, ...pointOf(event) })),
  ];
  yield steps.length;
  for (const events of siblings) {
    for (const step of siblingSteps(events)) steps.push(step);
    yield events.length;
  }
  return steps.sort(byPoint);
}

/** Up to `from`, it keeps the last event with a known state, and each event that first names a tenant. */
function ownSteps({ own, states }: UnitRecord, from: HistoryPoint): Step[] {
  const steps: Step[] = [];
  const named = new Set<string>();
  own.forEach((event, index) => {
    const known = named.size;
    for (const tenant_id of tenantsNamed(event)) named.add(tenant_id);
    const next = own[index + 1];
    const isPassed = next !== undefined && byPoint(next, from) <= 0;
    if (states !== undefined && isPassed && named.size === known) return;
    steps.push({ kind: 'own', event, state: states?.[index], ...pointOf(event) });
  });
  return steps;
}

function pointOf({ instant, position }: HistoryPoint): HistoryPoint {
  return { instant, position };
}

function siblingSteps(events: readonly Logged<UnitEvent>[]): Step[] {
  const steps: Step[] = [];
  let write: Logged<UnitEvent>[] = [];
  events.forEach((event, index) => {
    write.push(event);
    const next = events[index + 1];
    if (next !== undefined && isSameWrite(event, next)) return;
    steps.push({ kind: 'sibling', events: write, ...pointOf(event) });
    write = [];
  });
  return steps;
}

function isSameWrite(one: Logged<UnitEvent>, next: Logged<UnitEvent>): boolean {
  return one.instant === next.instant && one.metadata.command_id === next.metadata.command_id;
}
