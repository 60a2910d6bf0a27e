import type { LocationPolicy } from '../../locations/index.js';
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
export const ACCESS_REASONS = [
  'active',
  'pms_exempt',
  'system_exempt',
  'delinquent',
  'future_move_in',
  'blanket_delinquency',
  'pms_lockout',
  'system_lockout',
] as const;
export type AccessReason = (typeof ACCESS_REASONS)[number];

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

/** What a decision's other causes are called: by their reason or, where they have none, by their state. */
export type FurtherCause = AccessReason | 'unrentable';

/** A change that removes a cause of a denial, on the unit that has it; amounts in cents. */
export interface Cure {
  /** Null for a unit that a dry run would create. */
  readonly unit_id: string | null;
  readonly crm_unit_id: string;
  readonly field: FactName | 'override';
  readonly to: string | number | boolean | null;
  /** Who can bring it about: the PMS (for a standalone unit its operator), or an operator's word over it. */
  readonly by: 'pms' | 'operator';
}

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

/** The calendar of the world, as the decision needs it. Implemented outside of the core. */
export interface Calendar {
  /** The calendar date at an instant (milliseconds) in a time zone. */
  dateAt(instant: number, timezone: string): CalendarDate;
  /** The first valid instant (milliseconds) of a date in a time zone. */
  startOf(date: CalendarDate, timezone: string): number;
  /** A calendar date some days later (or earlier, where negative). */
  addDays(date: CalendarDate, days: number): CalendarDate;
}
