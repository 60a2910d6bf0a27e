import { Temporal } from 'temporal-polyfill';
import { TemporalCalendar } from '#domain/access/calendar.js';
import type { Check, CheckName, Cure, Decision, ExplainedDecision } from '#domain/access/core/decision.js';
import { evaluate, explain } from '#domain/access/core/policy.js';
import type { DecisionInput, SubjectUnit } from '#domain/access/core/subject.js';
import { DEFAULT_POLICY, type LocationPolicy } from '#domain/locations/index.js';
import { type AccessOverride, type UnitFacts, VACANT_FACTS } from '#domain/units/index.js';

export const calendar = new TemporalCalendar();

export const CHICAGO = 'America/Chicago';

/** Milliseconds of a wall clock time, Chicago's unless told otherwise. */
export function local(wallClock: string, timezone = CHICAGO): number {
  return Temporal.PlainDateTime.from(wallClock).toZonedDateTime(timezone).epochMilliseconds;
}

/** The instant of the test vectors. */
export const NOW = local('2025-06-06T09:00');

export const POLICY: LocationPolicy = { ...DEFAULT_POLICY, timezone: CHICAGO };

/** An occupied unit whose tenant moved in long ago and owes nothing, but for what is given. */
export function unit(
  facts: Partial<UnitFacts> = {},
  rest: Partial<Omit<SubjectUnit, 'facts'>> = {},
): SubjectUnit {
  return {
    unit_id: 'unit-a',
    crm_unit_id: `key of ${rest.unit_id ?? 'unit-a'}`,
    source_type: 'push',
    facts: {
      ...VACANT_FACTS,
      occupied: true,
      pms_tenant_id: 'tenant-1',
      move_in_date: '2024-01-01',
      paid_through_date: '2025-12-31',
      ...facts,
    },
    override: null,
    set_at: {},
    ...rest,
  };
}

export function overridden(override: AccessOverride['override'], expires_at: number | null = null) {
  return { override: { override, reason: 'on the phone', expires_at } };
}

/** Facts of a unit that is past due at `NOW`. */
export const PAST_DUE: Partial<UnitFacts> = { balance_due: 5_000, paid_through_date: '2025-05-31' };

/** A cure as it stands in a resolution. */
export function cure(field: Cure['field'], to: Cure['to'], rest: Partial<Cure> = {}): Cure {
  const unit_id = rest.unit_id ?? 'unit-a';
  return { unit_id, crm_unit_id: `key of ${unit_id}`, field, to, by: 'pms', ...rest };
}

/** A unit of the same tenant at the same location that is past due at `NOW`. */
export function sibling(facts: Partial<UnitFacts> = {}, rest: Partial<SubjectUnit> = {}): SubjectUnit {
  return unit({ ...PAST_DUE, ...facts }, { unit_id: 'unit-b', ...rest });
}

type Circumstances = Partial<Omit<DecisionInput, 'unit' | 'policy'>> & { policy?: Partial<LocationPolicy> };

export function input(subject: SubjectUnit, given: Circumstances = {}): DecisionInput {
  return { siblings: [], now: NOW, ...given, unit: subject, policy: { ...POLICY, ...given.policy } };
}

export function decide(subject: SubjectUnit, given: Circumstances = {}): Decision {
  return evaluate(input(subject, given), calendar);
}

export function explained(subject: SubjectUnit, given: Circumstances = {}): ExplainedDecision {
  return explain(input(subject, given), calendar);
}

/** One check of the explained decision. */
export function checkOf(name: CheckName, subject: SubjectUnit, given: Circumstances = {}): Check {
  return explained(subject, given).checks.find((check) => check.name === name)!;
}

/** `state` and `reason` in one word: the reason where there is one. */
export function verdict(subject: SubjectUnit, given: Circumstances = {}): string {
  const { state, reason } = decide(subject, given);
  return reason === null ? state : `${state} ${reason}`;
}
