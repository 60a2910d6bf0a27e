import type { UnitEvent } from './unit.events.js';
import { evolve, type UnitState } from './unit.state.js';

/** Collects the events of one decision. Each event changes the state at once, so that the next rule sees its effect. */
export class UnitDraft {
  readonly events: UnitEvent[] = [];

  constructor(
    public state: UnitState | undefined,
    /** The instant of the decision, in milliseconds. */
    readonly now: number,
  ) {}

  emit(event: UnitEvent): UnitState {
    this.events.push(event);
    this.state = evolve(this.state, event, (this.state?.revision ?? -1) + 1, this.now);
    return this.state;
  }
}
