import type { StreamChange } from '#eventsourcing/writing/projector.js';
import type { UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';

export type UnitChange = StreamChange<UnitState, UnitEvent>;

/** Writes other views that show units. app.module.ts binds it. */
export abstract class UnitChangeListener {
  /**
   * Applies changes to the listener's views. Runs before a write is answered, and again in the catch-up. So applying a
   * change twice, or after a newer one, must change nothing.
   * @throws StoreUnavailableError
   */
  abstract unitsChanged(changes: readonly UnitChange[]): Promise<void>;
}
