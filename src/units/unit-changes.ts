import type { StreamChange } from '../writing/aggregate.js';
import type { UnitEvent } from './core/unit.events.js';
import type { UnitState } from './core/unit.state.js';

export type UnitChange = StreamChange<UnitState, UnitEvent>;

/** Keeps views of units beside their own documents. app.module.ts binds it. */
export interface UnitChangeListener {
  /** Begins to read what `unitsChanged` will look at, beside the append of these very changes. Never rejects. */
  prepare?(changes: readonly UnitChange[]): unknown;
  /**
   * Brings the listener's views up to the changes. Called before a write is answered, and again by the catch-up:
   * applying a change twice, or after a newer one, changes nothing.
   * @param prepared what `prepare` has answered for the same changes
   * @throws StoreUnavailableError
   */
  unitsChanged(changes: readonly UnitChange[], prepared?: unknown): Promise<void>;
}

export const UNIT_CHANGE_LISTENER = Symbol('UnitChangeListener');
