import type { AccessReason, AccessState, Calendar } from '../../access/core/decision.js';
import { evaluate, type Standing, standingOf } from '../../access/core/policy.js';
import type { UnitEvent } from '../../units/core/unit.events.js';
import type { UnitState } from '../../units/core/unit.state.js';
import { type Changes, changesOf } from './changes.js';
import { type OwnStep, type SiblingStep, type Step, stepsOf } from './steps.js';
import type { Logged, UnitRecord } from './unit-record.js';
import { BEFORE_ALL, byPlace, EVER, type Place, type Window } from './window.js';
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

/** The unit that owes, where a change is one to blanket delinquency. */
type Debtor = { readonly unit_id?: string; readonly crm_unit_id?: string };

/** Why access changed without an event of the unit itself. */
export type Cause =
  | ({ readonly kind: 'calendar' } & Debtor)
  | {
      readonly kind: 'unit';
      readonly unit_id: string;
      readonly crm_unit_id: string;
      readonly revision: number;
    }
  | ({ readonly kind: 'policy'; readonly location_id: string; readonly revision: number } & Debtor);

/** An event of the unit, with what it changed. */
export interface RecordedEntry extends Place {
  readonly kind: 'recorded';
  readonly event: Logged<UnitEvent>;
  readonly changes: Changes;
  /** Null where access stayed as it was. */
  readonly access: AccessChange | null;
}

/** A change of access that no event of the unit brought. It is computed, never stored. */
export interface ComputedEntry extends Place {
  readonly kind: 'computed';
  readonly cause: Cause;
  readonly access: AccessChange;
}

export type TimelineEntry = RecordedEntry | ComputedEntry;

/**
 * What happened to a unit, oldest first: its events, and between them each change of access that the calendar, another
 * unit of the tenant or the location's policy caused. Time is walked from event to event and from boundary to boundary,
 * so the work grows with their number and not with the days between them.
 * Says at each step how much it was.
 * @param record all of the unit's own events before the window's end, and of the others what bears on the unit within it
 * @param now no change that the calendar brings later is told.
 */
export function* timelineOf(
  record: UnitRecord,
  now: number,
  calendar: Calendar,
  { after, before }: Window = EVER,
): Generator<number, TimelineEntry[]> {
  const steps = stepsOf(record, after).filter((step) => byPlace(step, before) < 0);
  const first = steps.findIndex((step) => byPlace(after, step) < 0);
  const walk = new Walk(record, calendar);
  yield* walk.begin(first === -1 ? steps : steps.slice(0, first), after.instant);
  for (const step of first === -1 ? [] : steps.slice(first)) {
    yield* walk.take(step);
    yield walk.weight;
  }
  yield* walk.passTime(Math.min(now, before.instant));
  return walk.entries.filter((entry) => byPlace(entry, before) < 0);
}

class Walk {
  // Stryker disable next-line ArrayDeclaration: what has no place is told of no window
  readonly entries: TimelineEntry[] = [];
  readonly #world: World;
  #standing: Standing | undefined;
  #decidedAt = 0;

  constructor(
    record: UnitRecord,
    private readonly calendar: Calendar,
  ) {
    this.#world = new World(record);
  }

  /** How much a step is: each decision looks at all units of the tenant. */
  get weight(): number {
    return 1 + this.#world.unitCount;
  }

  /** Takes what came before the telling begins, and what was decided when it does. */
  *begin(steps: readonly Step[], instant: number): Generator<number> {
    for (const step of steps) {
      this.#world.take(step);
      yield 1;
    }
    if (this.#world.unit !== undefined) this.#decide(instant);
  }

  /** Tells what the calendar has changed up to an instant, this included. */
  *passTime(until: number): Generator<number> {
    for (;;) {
      const turn = this.#standing?.valid_until ?? null;
      if (turn === null || turn > until) return;
      const access = this.#decide(turn);
      yield this.weight;
      if (access === null) continue;
      const cause: Cause = { kind: 'calendar', ...this.#debtor() };
      this.entries.push({ kind: 'computed', instant: turn, position: BEFORE_ALL, cause, access });
    }
  }

  *take(step: Step): Generator<number> {
    yield* this.passTime(step.instant);
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
    const after = standingOf(this.#world.inputAt(instant), this.calendar);
    this.#standing = after;
    this.#decidedAt = instant;
    if (before?.state === after.state && before.reason === after.reason) return null;
    return { from: before === undefined ? null : accessOf(before), to: accessOf(after) };
  }

  #unitCause({ events }: SiblingStep): Cause {
    const { stream, revision } = events.at(-1) as Logged<UnitEvent>;
    const { unit_id, crm_unit_id } = this.#world.unitOf(stream);
    return { kind: 'unit', unit_id, crm_unit_id, revision };
  }

  #policyCause(): Cause {
    const { location_id, policy_revision } = this.#world.location;
    return { kind: 'policy', location_id, revision: policy_revision, ...this.#debtor() };
  }

  /** Of what was decided just now. Its cures name every unit that owes; where one came to, those of before were outweighed. */
  #debtor(): Debtor {
    // Stryker disable next-line OptionalChaining: it is asked about what was decided
    if (this.#standing?.reason !== 'blanket_delinquency') return {};
    const { resolution } = evaluate(this.#world.inputAt(this.#decidedAt), this.calendar);
    // Stryker disable next-line OptionalChaining: whom blanket delinquency denies is told the cures
    const { unit_id, crm_unit_id } = resolution?.[0] ?? {};
    // Stryker disable next-line ConditionalExpression: no unit of the log is without its identifier
    return unit_id == null ? {} : { unit_id, crm_unit_id: crm_unit_id! };
  }
}

function accessOf({ state, reason }: Standing): Access {
  return { state, reason };
}
