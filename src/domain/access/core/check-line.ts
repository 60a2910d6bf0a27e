import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import type { FactName } from '#domain/units/core/fact-catalogue.js';
import type { Situation } from './outlook.js';

/** Access states (specification §3.1). */
export const ACCESS_STATES = [
  'vacant',
  'tenant_permitted',
  'tenant_denied',
  'auction',
  'unrentable',
] as const;
export type AccessState = (typeof ACCESS_STATES)[number];

/** The states that depend on the tenant. Their reason is the name of the check that decided. */
export type StateWithReason = 'tenant_permitted' | 'tenant_denied';

/** One value that a check looked at. */
export interface LookedAt {
  /** A fact, `override`, or a policy field, in the API's name; amounts in cents. */
  readonly name: FactName | 'override' | keyof LocationPolicy | 'today';
  readonly value: string | number | boolean | null;
  /** Revision of the unit's stream that last set it; null if it was never set, and for policy and calendar. */
  readonly revision: number | null;
  /** The other unit that the value was read from, in blanket delinquency. */
  readonly unit_id?: string;
}

/** A change that removes a cause of a denial, on the unit that has it; amounts in cents. */
export interface Cure {
  /** Null for a unit that a dry run would create. */
  readonly unit_id: string | null;
  readonly crm_unit_id: string;
  readonly field: FactName | 'override';
  readonly to: string | number | boolean | null;
  /** The side that can make the change. A standalone unit has no PMS: its operator makes it. */
  readonly by: 'pms' | 'operator';
}

/** One line of the decision table. Decisions, explanations and the published table all come from these lines. */
export type CheckLine = DenyingLine | PassingLine;

/** A line whose check permits, or finds that nobody rents the unit. */
export type PassingLine = LineOf<'tenant_permitted'> | LineOf<'vacant'>;

export interface DenyingLine extends LineOf<Exclude<AccessState, PassingLine['state']>> {
  /** The changes that remove the cause, at an instant at which the check holds. */
  cures(situation: Situation, instant: number): readonly Cure[];
}

interface LineOf<State extends AccessState> {
  readonly name: string;
  readonly state: State;
  /** The condition as one sentence, for `GET /api/v2/access-policy`. */
  readonly when: string;
  /** Whether the condition holds at an instant not before the situation's `now`. */
  holds(situation: Situation, instant: number): boolean;
  looksAt(situation: Situation): readonly LookedAt[];
}
