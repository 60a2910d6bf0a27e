import type { LocationPolicy } from '../../sites/index.js';
import type { CalendarDate, FactName } from '../../units/index.js';

/** Access states (specification §3.1). */
export const ACCESS_STATES = [
  'vacant',
  'tenant_permitted',
  'tenant_denied',
  'auction',
  'unrentable',
] as const;
export type AccessState = (typeof ACCESS_STATES)[number];

/** Reasons of a permission or a denial (specification §3.1); null in every other state. */
export type AccessReason =
  | 'active'
  | 'pms_exempt'
  | 'system_exempt'
  | 'delinquent'
  | 'future_move_in'
  | 'blanket_delinquency'
  | 'pms_lockout'
  | 'system_lockout';

export type CheckName =
  | 'auction'
  | 'unrentable'
  | 'vacant'
  | 'system_lockout'
  | 'system_exempt'
  | 'future_move_in'
  | 'pms_exempt'
  | 'pms_lockout'
  | 'delinquent'
  | 'blanket_delinquency'
  | 'active';

/** One value that a check looked at. */
export interface LookedAt {
  /** A fact, `override`, or a policy field, in the API's name; amounts in cents. */
  readonly name: FactName | 'override' | keyof LocationPolicy | 'today';
  readonly value: string | number | boolean | null;
  /** Revision of the unit's stream that last set it; null for what was never set, the policy and the calendar. */
  readonly revision: number | null;
  /** The other unit it was read from, in blanket delinquency. */
  readonly unit_id?: string;
}

export interface Check {
  readonly number: number;
  readonly name: CheckName;
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Whether the check's own condition holds; the first that matches decides. */
  readonly matched: boolean;
  readonly looked_at: readonly LookedAt[];
}

/** A change of one fact of the unit; amounts in cents. */
export interface FactChange {
  readonly field: FactName;
  readonly to: string | number | boolean | null;
}

export interface Decision {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  /** Reasons of later checks that would deny as well; empty where the decision permits. */
  readonly also: readonly AccessReason[];
  /** The smallest change of facts that would permit: empty where access is permitted, null where no PMS fact can. */
  readonly resolution: readonly FactChange[] | null;
  /** Milliseconds: the first instant at which the decision would differ if nothing were written; null for never. */
  readonly valid_until: number | null;
}

export interface ExplainedDecision extends Decision {
  readonly checks: readonly Check[];
}

/** The calendar of the world, as the decision needs it. Implemented outside of the core. */
export interface Calendar {
  /** The calendar date at an instant (milliseconds) in a time zone. */
  dateAt(instant: number, timezone: string): CalendarDate;
  /** The first valid instant (milliseconds) of a date in a time zone. */
  startOf(date: CalendarDate, timezone: string): number;
  /** A calendar date some days later (or earlier, where negative). */
  addDays(date: CalendarDate, days: number): CalendarDate;
}
