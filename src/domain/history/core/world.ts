import { mayCountAgainstOthers } from '#domain/access/core/outlook.js';
import type { DecisionInput } from '#domain/access/core/subject.js';
import {
  evolveLocation,
  type LocationDetails,
  type LocationState,
} from '#domain/locations/core/location.state.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { evolve, tenantsNamed, type UnitState } from '#domain/units/core/unit.state.js';
import type { OwnStep, SiblingStep, Step } from './steps.js';
import type { Logged, UnitRecord } from './unit-record.js';

/**
 * The state of a unit, of its tenants' other units and of the location after some steps of the history. Other units bear on a
 * decision by their debts alone. So a step of a unit without one costs the same however many units the tenant has.
 */
export class World {
  /** Undefined before the unit is registered. */
  unit: UnitState | undefined;
  /** The unit's newest event. */
  head: Logged<UnitEvent> | undefined;
  #location: LocationState | undefined;
  readonly #units = new Map<string, UnitState>();
  #debtors: readonly UnitState[] | undefined;
  /** Each tenant's streams, in the order in which events first named the tenant, as in the tenant's view. */
  readonly #streams = new Map<string, Set<string>>();

  constructor(record: UnitRecord) {
    const opened = record.location[0];
    // Clocks differ: a unit may seem to be older than its location.
    if (opened?.type === 'LocationOpened')
      this.#location = evolveLocation(undefined, opened, opened.revision);
  }

  get location(): LocationDetails {
    if (this.#location === undefined) throw new Error('The log holds a unit but not its location.');
    return this.#location.details;
  }

  /** The number of other units that a decision looks at. */
  get debtorCount(): number {
    return this.#debtors?.length ?? 0;
  }

  /** Applies a step. Returns false if it cannot have changed access to the unit. */
  take(step: Step): boolean {
    switch (step.kind) {
      case 'own':
        this.#takeOwn(step);
        return true;
      case 'sibling':
        return this.#takeSibling(step);
      case 'location':
        this.#location = evolveLocation(this.#location, step.event, step.event.revision);
        return this.unit !== undefined;
    }
  }

  /** The input of a decision at an instant. The unit must exist. */
  inputAt(now: number): DecisionInput {
    const unit = this.unit as UnitState;
    return { unit, siblings: this.#debtorsOf(unit), policy: this.location.policy, now };
  }

  unitOf(stream: string): UnitState {
    return this.#units.get(stream) as UnitState;
  }

  #takeOwn({ event, state }: OwnStep): void {
    const before = this.unit;
    this.unit = this.#fold(event, state);
    this.head = event;
    if (before?.tenancy?.tenant_id !== this.unit.tenancy?.tenant_id) this.#debtors = undefined;
  }

  #takeSibling({ events }: SiblingStep): boolean {
    const { stream } = events[0] as Logged<UnitEvent>;
    const before = this.#isDebtor(stream);
    for (const event of events) this.#fold(event);
    if (!before && !this.#isDebtor(stream)) return false;
    this.#debtors = undefined;
    return true;
  }

  /** True if one tenant rents this unit and the unit of the stream, and that one's debt may deny this one. */
  #isDebtor(stream: string): boolean {
    const tenancy = this.unit?.tenancy ?? null;
    const other = this.#units.get(stream);
    if (tenancy === null || other === undefined) return false;
    return other.tenancy?.tenant_id === tenancy.tenant_id && mayCountAgainstOthers(other);
  }

  #fold(event: Logged<UnitEvent>, known?: UnitState): UnitState {
    const after = known ?? evolve(this.#units.get(event.stream), event, event.revision);
    this.#units.set(event.stream, after);
    for (const tenant_id of tenantsNamed(event)) {
      const streams = this.#streams.get(tenant_id);
      if (streams === undefined) this.#streams.set(tenant_id, new Set([event.stream]));
      else streams.add(event.stream);
    }
    return after;
  }

  /** Returns the same list object until a debt changes, because results are cached by the list. */
  #debtorsOf({ tenancy, unit_id }: UnitState): readonly UnitState[] {
    if (tenancy === null) return [];
    this.#debtors ??= [...this.#streams.get(tenancy.tenant_id)!]
      .filter((stream) => this.#isDebtor(stream))
      .map((stream) => this.unitOf(stream))
      .filter((other) => other.unit_id !== unit_id);
    return this.#debtors;
  }
}
