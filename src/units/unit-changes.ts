import type { StreamChange } from '../writing/aggregate.js';
import type { UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';

export type UnitChange = StreamChange<UnitState, UnitEvent>;

/** Writes other views that show units. app.module.ts binds it. */
export interface UnitChangeListener {
  /** Starts the reads of `unitsChanged` while the same changes are appended. Never rejects. */
  prepare?(changes: readonly UnitChange[]): unknown;
  /**
   * Applies changes to the listener's views. Runs before a write is answered, and again in the catch-up. So applying a
   * change twice, or after a newer one, must change nothing.
   * @param prepared the answer of `prepare` for the same changes
   * @throws StoreUnavailableError
   */
  unitsChanged(changes: readonly UnitChange[], prepared?: unknown): Promise<void>;
}

export const UNIT_CHANGE_LISTENER = Symbol('UnitChangeListener');
