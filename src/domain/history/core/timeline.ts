import type { Debtor, OutsideCause } from '#domain/access/core/access.events.js';
import type { Calendar } from '#domain/access/core/decision.js';
import {
  type Access,
  accessOf,
  isSameAccess,
  evaluate,
  type ShortDecision,
  shortDecision,
} from '#domain/access/core/policy.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { nextShareEnd } from '#domain/units/core/shares.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import { changesOf, type FieldChanges, sharingChanges } from './changes.js';
import { type OwnStep, type SiblingStep, type Step, stepsOf } from './steps.js';
import type { Logged, UnitRecord } from './unit-record.js';
import { BEFORE_ALL, byPoint, EVER, type HistoryPoint, type Window } from './window.js';
import { World } from './world.js';

/** `from` is null for the first event of the unit. */
export interface AccessChange {
  readonly from: Access | null;
  readonly to: Access;
}

/** An event of the unit, with the fields that it changed. */
export interface RecordedEntry extends HistoryPoint {
  readonly kind: 'recorded';
  readonly event: Logged<UnitEvent>;
  readonly changes: FieldChanges;
  /** Null if access did not change. */
  readonly access: AccessChange | null;
}

/** A change of access or of shares without an event of the unit. It is computed, never stored. */
export interface ComputedEntry extends HistoryPoint {
  readonly kind: 'computed';
  readonly cause: OutsideCause;
  /** The shares that have ended by themselves. */
  readonly changes: FieldChanges;
  /** Null if access did not change. */
  readonly access: AccessChange | null;
}

export type TimelineEntry = RecordedEntry | ComputedEntry;

/**
 * The history of a unit, oldest first: its events, and the changes of access that the calendar, another unit of the tenant or
 * the location's policy caused. The walk goes from change to change, so the work does not grow with the days in between.
 * Yields the amount of work at each step.
 * @param record all events of the unit before the window's end, and the events of other units that matter in the window
 * @param now the walk ends here
 */
export function* timelineOf(
  record: UnitRecord,
  now: number,
  calendar: Calendar,
  { after, before }: Window = EVER,
): Generator<number, TimelineEntry[]> {
  const steps = (yield* stepsOf(record, after)).filter((step) => byPoint(step, before) < 0);
  const first = steps.findIndex((step) => byPoint(after, step) < 0);
  const walk = new Walk(record, calendar);
  yield* walk.begin(first === -1 ? steps : steps.slice(0, first), after.instant);
  for (const step of first === -1 ? [] : steps.slice(first)) {
    yield* walk.take(step);
    yield walk.weight;
  }
  yield* walk.passTime(Math.min(now, before.instant));
  return walk.entries.filter((entry) => byPoint(entry, before) < 0);
}

class Walk {
  readonly entries: TimelineEntry[] = [];
  readonly #world: World;
  /** The decision at {@link #decidedAt}. */
  #current: ShortDecision | undefined;
  #decidedAt = 0;

  constructor(
    record: UnitRecord,
    private readonly calendar: Calendar,
  ) {
    this.#world = new World(record);
  }

  /** The work of one step: each decision looks at all debtors. */
  get weight(): number {
    return 1 + this.#world.debtorCount;
  }

  /** Applies the steps before the window, and decides at its beginning. */
  *begin(steps: readonly Step[], instant: number): Generator<number> {
    for (const step of steps) {
      this.#world.take(step);
      yield 1;
    }
    if (this.#world.unit !== undefined) this.#decide(instant);
  }

  /** Adds the changes by the calendar up to an instant, including it. */
  *passTime(until: number): Generator<number> {
    for (;;) {
      const instant = this.#nextByCalendar();
      if (instant === Infinity || instant > until) return;
      const changes = this.#sharesEndingAt(instant);
      const access = this.#decide(instant);
      yield this.weight;
      if (access === null && Object.keys(changes).length === 0) continue;
      const debtor = access === null ? {} : this.#debtor();
      const cause: OutsideCause = { kind: 'calendar', ...debtor };
      this.entries.push({ kind: 'computed', instant, position: BEFORE_ALL, cause, changes, access });
    }
  }

  /** Infinity: nothing changes by itself. */
  #nextByCalendar(): number {
    if (this.#current === undefined) return Infinity;
    const { shares } = this.#world.unit as UnitState;
    return Math.min(this.#current.valid_until ?? Infinity, nextShareEnd(shares, this.#decidedAt));
  }

  #sharesEndingAt(at: number): FieldChanges {
    const unit = this.#world.unit as UnitState;
    return sharingChanges({ unit, at: this.#decidedAt }, { unit, at });
  }

  *take(step: Step): Generator<number> {
    yield* this.passTime(step.instant);
    if (step.kind === 'own') this.#takeOwn(step);
    else if (this.#world.take(step)) this.#addIfChanged(step);
  }

  #takeOwn(step: OwnStep): void {
    const { event, instant, position } = step;
    const before = this.#world.unit;
    this.#world.take(step);
    const changes = changesOf(event, before, this.#world.unit as UnitState, instant);
    this.entries.push({ kind: 'recorded', instant, position, event, changes, access: this.#decide(instant) });
  }

  #addIfChanged(step: Exclude<Step, OwnStep>): void {
    const { instant, position } = step;
    const access = this.#decide(instant);
    if (access === null) return;
    const cause = step.kind === 'sibling' ? this.#unitCause(step) : this.#policyCause();
    this.entries.push({ kind: 'computed', instant, position, cause, changes: {}, access });
  }

  /** Decides again. Null if access did not change. */
  #decide(instant: number): AccessChange | null {
    const before = this.#current;
    const after = shortDecision(this.#world.inputAt(instant), this.calendar);
    this.#current = after;
    this.#decidedAt = instant;
    if (before !== undefined && isSameAccess(before, after)) return null;
    return { from: before === undefined ? null : accessOf(before), to: accessOf(after) };
  }

  #unitCause({ events }: SiblingStep): OutsideCause {
    const { stream, revision } = events.at(-1) as Logged<UnitEvent>;
    const { unit_id, crm_unit_id } = this.#world.unitOf(stream);
    return { kind: 'unit', unit_id, crm_unit_id, revision };
  }

  #policyCause(): OutsideCause {
    const { location_id, policy_revision } = this.#world.location;
    return { kind: 'policy', location_id, revision: policy_revision, ...this.#debtor() };
  }

  /** A debtor of the current decision: the first unit among its cures. */
  #debtor(): Debtor {
    if (this.#current?.reason !== 'blanket_delinquency') return {};
    const { resolution } = evaluate(this.#world.inputAt(this.#decidedAt), this.calendar);
    const { unit_id, crm_unit_id } = resolution?.[0] ?? {};
    return unit_id == null ? {} : { unit_id, crm_unit_id: crm_unit_id! };
  }
}
