import type { DecisionInput } from '#domain/access/core/subject.js';
import {
  evolveLocation,
  type LocationDetails,
  type LocationState,
} from '#domain/locations/core/location.state.js';
import type { UnitEvent } from '#domain/units/core/unit.events.js';
import { evolve, tenantsNamed, type UnitState } from '#domain/units/core/unit.state.js';
import type { SiblingStep, Step } from './steps.js';
import type { Logged, UnitRecord } from './unit-record.js';

/** The state of a unit, of its tenants' other units and of the location after some steps of the history. */
export class World {
  /** Undefined before the unit is registered. */
  unit: UnitState | undefined;
  /** The unit's newest event. */
  head: Logged<UnitEvent> | undefined;
  #location: LocationState | undefined;
  readonly #units = new Map<string, UnitState>();
  #known: readonly UnitState[] | undefined;
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

  /** The number of units, this one included. */
  get unitCount(): number {
    return this.#units.size;
  }

  /** Applies a step. Returns false if it cannot have changed access to the unit. */
  take(step: Step): boolean {
    switch (step.kind) {
      case 'own':
        this.unit = this.#fold(step.event, step.state);
        this.head = step.event;
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
    return { unit, siblings: this.#siblings(unit), policy: this.location.policy, now };
  }

  unitOf(stream: string): UnitState {
    return this.#units.get(stream) as UnitState;
  }

  #takeSibling({ events }: SiblingStep): boolean {
    const { stream } = events[0] as Logged<UnitEvent>;
    const before = this.#isOfSameTenant(stream);
    for (const event of events) this.#fold(event);
    return before || this.#isOfSameTenant(stream);
  }

  /** True if one tenant rents this unit and the unit of the stream. */
  #isOfSameTenant(stream: string): boolean {
    const tenancy = this.unit?.tenancy ?? null;
    return tenancy !== null && this.#units.get(stream)?.tenancy?.tenant_id === tenancy.tenant_id;
  }

  #fold(event: Logged<UnitEvent>, known?: UnitState): UnitState {
    const after = known ?? evolve(this.#units.get(event.stream), event, event.revision);
    this.#units.set(event.stream, after);
    this.#known = undefined;
    for (const tenant_id of tenantsNamed(event)) {
      const streams = this.#streams.get(tenant_id);
      if (streams === undefined) this.#streams.set(tenant_id, new Set([event.stream]));
      else streams.add(event.stream);
    }
    return after;
  }

  /** Returns the same list object until a unit changes, because results are cached by the list. */
  #siblings({ tenancy }: UnitState): readonly UnitState[] {
    if (tenancy === null) return [];
    this.#known ??= this.#siblingsOf(tenancy);
    return this.#known;
  }

  #siblingsOf(tenancy: NonNullable<UnitState['tenancy']>): UnitState[] {
    const siblings: UnitState[] = [];
    for (const stream of this.#streams.get(tenancy.tenant_id)!) {
      const unit = this.unitOf(stream);
      if (unit.tenancy?.tenant_id === tenancy.tenant_id) siblings.push(unit);
    }
    return siblings;
  }
}
