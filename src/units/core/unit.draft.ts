import type { UnitWarning } from './unit.commands.js';
import type { UnitEvent } from './unit.events.js';
import { evolve, type UnitState } from './unit.state.js';

/** A decision in the making: each event is folded at once, so that the next rule sees what it did. */
export class UnitDraft {
  readonly events: UnitEvent[] = [];
  readonly warnings: UnitWarning[] = [];

  constructor(public state: UnitState | undefined) {}

  emit(event: UnitEvent): UnitState {
    this.events.push(event);
    this.state = evolve(this.state, event, (this.state?.revision ?? -1) + 1);
    return this.state;
  }
}
