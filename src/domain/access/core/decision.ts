import type { AccessState, Cure, LookedAt } from './check-line.js';
import type { AccessReason, CheckName } from './checks.js';

export { ACCESS_STATES, type AccessState, type Cure, type LookedAt } from './check-line.js';
export { ACCESS_REASONS, type AccessReason, type CheckName } from './checks.js';
export type { Calendar } from './calendar-date.js';

export interface Check {
  readonly name: CheckName;
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Whether the check's own condition holds. The first check that matches decides. */
  readonly matched: boolean;
  readonly looked_at: readonly LookedAt[];
}

/** The reason of a further check that denies. `unrentable` has no reason, so its state is named. */
export type FurtherCause = AccessReason | 'unrentable';

export interface Decision {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Later checks that would deny too. Empty if the decision permits. */
  readonly also: readonly FurtherCause[];
  /**
   * The fewest changes that remove every cause, in the order of the checks. An exemption is never listed, because it
   * removes no cause. Empty if access is permitted, null if nobody rents the unit.
   */
  readonly resolution: readonly Cure[] | null;
  /** The first instant (milliseconds) at which the decision changes if nothing is written; null: never. */
  readonly valid_until: number | null;
}

export interface ExplainedDecision extends Decision {
  readonly checks: readonly Check[];
}
