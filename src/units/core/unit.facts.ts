/** A calendar date, `YYYY-MM-DD`, without a time zone: it is read in the location's (decisions on dates: docs/decisions.md). */
export type CalendarDate = string;

/** Who owns a unit's data (specification §1, ownership rule). Fixed when the unit is created. */
export type SourceType = 'push' | 'pull' | 'standalone';

/**
 * What is known about a unit from the PMS (specification §2.1). Amounts are integer cents; the API shows them as
 * decimal numbers. Kept in the API's field names, because events, history and checks name them so.
 */
export interface UnitFacts {
  readonly occupied: boolean;
  readonly pms_tenant_id: string | null;
  readonly ledger_id: string | null;
  readonly move_in_date: CalendarDate | null;
  /** Integer cents; negative is a credit. */
  readonly balance_due: number;
  readonly paid_through_date: CalendarDate | null;
  readonly pms_lockout: boolean;
  readonly pms_lock_exempt: boolean;
  readonly pms_auction: boolean;
  readonly pms_unrentable: boolean;
  readonly pms_status_raw: string | null;
}

export type FactName = keyof UnitFacts;

/** The facts of a unit that was just created, and what a move-out returns to (specification §3.2). */
export const VACANT_FACTS: UnitFacts = {
  occupied: false,
  pms_tenant_id: null,
  ledger_id: null,
  move_in_date: null,
  balance_due: 0,
  paid_through_date: null,
  pms_lockout: false,
  pms_lock_exempt: false,
  pms_auction: false,
  pms_unrentable: false,
  pms_status_raw: null,
};

/** An operator's word over the PMS's (specification §3.1): ends at `expires_at` (milliseconds), or when cleared. */
export interface AccessOverride {
  readonly override: 'lockout' | 'exempt';
  readonly reason: string;
  /** Milliseconds since the epoch, or null for until cleared. */
  readonly expires_at: number | null;
}
