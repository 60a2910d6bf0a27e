import type { AccessReason, AccessState, Calendar, Decision } from '../../access/core/decision.js';
import { evaluate } from '../../access/core/policy.js';
import type { UnitEvent } from '../../units/core/unit.events.js';
import type { UnitState } from '../../units/core/unit.state.js';
import { type Changes, changesOf } from './changes.js';
import { type OwnStep, type SiblingStep, type Step, stepsOf } from './steps.js';
import type { Logged, UnitRecord } from './unit-record.js';
import { World } from './world.js';

export interface Access {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
}

/** `from` is null for the first event, before which there was no unit. */
export interface AccessChange {
  readonly from: Access | null;
  readonly to: Access;
}

/** Why access changed without an event of the unit itself. */
export type Cause =
  | { readonly kind: 'calendar' }
  | { readonly kind: 'unit'; readonly unit_id: string; readonly revision: number }
  | { readonly kind: 'policy'; readonly location_id: string; readonly revision: number };

/** An entry's place: no two entries of a unit share one, and no new entry comes before an old one's. */
export interface EntryPlace {
  /** Milliseconds. */
  readonly instant: number;
  /** Position in the log of the event that the entry shows or was caused by; `BEFORE_ALL` for the calendar. */
  readonly position: bigint;
}

/** An event of the unit, with what it changed. */
export interface RecordedEntry extends EntryPlace {
  readonly kind: 'recorded';
  readonly event: Logged<UnitEvent>;
  readonly changes: Changes;
  /** Null where access stayed as it was. */
  readonly access: AccessChange | null;
}

/** A change of access that no event of the unit brought. It is computed, never stored. */
export interface ComputedEntry extends EntryPlace {
  readonly kind: 'computed';
  readonly cause: Cause;
  readonly access: AccessChange;
}

export type TimelineEntry = RecordedEntry | ComputedEntry;

/** The calendar comes before every event of its instant: who writes at midnight writes on the new day. */
export const BEFORE_ALL = -1n;

/**
 * What happened to a unit, oldest first: its events, and between them each change of access that the calendar, another
 * unit of the tenant or the location's policy caused. Time is walked from event to event and from boundary to boundary,
 * so the work grows with their number and not with the days between them.
 * @param now no change that the calendar brings later is told.
 */
export function timelineOf(record: UnitRecord, now: number, calendar: Calendar): TimelineEntry[] {
  const walk = new Walk(record, calendar);
  for (const step of stepsOf(record)) walk.take(step);
  walk.passTime(now);
  return walk.entries;
}

class Walk {
  readonly entries: TimelineEntry[] = [];
  readonly #world: World;
  #standing: Decision | undefined;

  constructor(
    record: UnitRecord,
    private readonly calendar: Calendar,
  ) {
    this.#world = new World(record);
  }

  /** Tells what the calendar has changed up to an instant, this included. */
  passTime(until: number): void {
    for (;;) {
      const turn = this.#standing?.valid_until ?? null;
      if (turn === null || turn > until) return;
      const access = this.#decide(turn);
      if (access === null) continue;
      this.entries.push({
        kind: 'computed',
        instant: turn,
        position: BEFORE_ALL,
        cause: { kind: 'calendar' },
        access,
      });
    }
  }

  take(step: Step): void {
    this.passTime(step.instant);
    if (step.kind === 'own') this.#takeOwn(step);
    else if (this.#world.take(step)) this.#tellOf(step);
  }

  #takeOwn(step: OwnStep): void {
    const { event, instant, position } = step;
    const before = this.#world.unit;
    this.#world.take(step);
    const changes = changesOf(event, before, this.#world.unit as UnitState);
    this.entries.push({ kind: 'recorded', instant, position, event, changes, access: this.#decide(instant) });
  }

  #tellOf(step: Exclude<Step, OwnStep>): void {
    const { instant, position } = step;
    const access = this.#decide(instant);
    if (access === null) return;
    const cause = step.kind === 'sibling' ? this.#unitCause(step) : this.#policyCause();
    this.entries.push({ kind: 'computed', instant, position, cause, access });
  }

  /** Decides again; null where access stays as it was. */
  #decide(instant: number): AccessChange | null {
    const before = this.#standing;
    const after = evaluate(this.#world.inputAt(instant), this.calendar);
    this.#standing = after;
    if (before?.state === after.state && before.reason === after.reason) return null;
    return { from: before === undefined ? null : accessOf(before), to: accessOf(after) };
  }

  #unitCause({ events }: SiblingStep): Cause {
    const { stream, revision } = events.at(-1) as Logged<UnitEvent>;
    return { kind: 'unit', unit_id: this.#world.unitIdOf(stream), revision };
  }

  #policyCause(): Cause {
    const { location_id, policy_revision } = this.#world.location;
    return { kind: 'policy', location_id, revision: policy_revision };
  }
}

function accessOf({ state, reason }: Decision): Access {
  return { state, reason };
}
