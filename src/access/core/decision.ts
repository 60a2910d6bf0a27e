import type { AccessState, Cure, LookedAt } from './check-line.js';
import type { AccessReason, CheckName } from './checks.js';

export { ACCESS_STATES, type AccessState, type Cure, type LookedAt } from './check-line.js';
export { ACCESS_REASONS, type AccessReason, type CheckName } from './checks.js';
export type { Calendar } from './calendar-date.js';

export interface Check {
  readonly name: CheckName;
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Whether the check's own condition holds; the first that matches decides. */
  readonly matched: boolean;
  readonly looked_at: readonly LookedAt[];
}

/** The name of a further cause: its reason or, where it has none, its state. */
export type FurtherCause = AccessReason | 'unrentable';

export interface Decision {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Later checks that would not permit either; empty where the decision permits. */
  readonly also: readonly FurtherCause[];
  /**
   * The fewest changes that remove every cause, in the order of the checks; never an exemption, which would leave the
   * cause standing. Empty where access is permitted, null where nobody rents the unit.
   */
  readonly resolution: readonly Cure[] | null;
  /** Milliseconds: the first instant at which the decision would differ if nothing were written; null for never. */
  readonly valid_until: number | null;
}

export interface ExplainedDecision extends Decision {
  readonly checks: readonly Check[];
}
