import { timestampOrNull } from '../../config/clock.js';
import { fromCents } from '../../http/validation/rules.js';
import type { LocationPolicy } from '../../locations/index.js';
import { type AccessOverride, AMOUNT_FACTS, overrideInForce, type UnitFacts } from '../../units/index.js';
import type { Check, Decision, ExplainedDecision } from '../core/decision.js';
import type { DescribedUnit, ShownLocation } from './unit-access.js';

/** Facts and policy fields in integer cents. The API shows decimal numbers. */
const AMOUNTS: ReadonlySet<string> = new Set([...AMOUNT_FACTS, 'balance_threshold']);

/** A fact or policy field as the API shows it. */
export function presentValue<T>(name: string, value: T): T | number {
  return AMOUNTS.has(name) && typeof value === 'number' ? fromCents(value) : value;
}

/** Facts as the API shows them (specification §2.1): amounts as decimal numbers. */
function presentFacts(facts: UnitFacts) {
  const shown = Object.entries(facts).map(([name, value]) => [name, presentValue(name, value)]);
  return Object.fromEntries(shown) as UnitFacts;
}

/** An operator's override at an instant (milliseconds); null if it has ended. */
export function presentOverride(override: AccessOverride | null, at: number) {
  if (override === null || overrideInForce(override, at) === null) return null;
  return { ...override, expires_at: timestampOrNull(override.expires_at) };
}

/** A decision for integrators, operators and auditors; without `checks` in lists. */
export function presentDecision(decision: Decision | ExplainedDecision, withChecks: boolean) {
  const { state, reason, also, resolution, valid_until } = decision;
  return {
    state,
    reason,
    also,
    resolution: resolution?.map((cure) => ({ ...cure, to: presentValue(cure.field, cure.to) })) ?? null,
    ...(withChecks && 'checks' in decision ? { checks: decision.checks.map(presentCheck) } : {}),
    valid_until: timestampOrNull(valid_until),
  };
}

function presentCheck(check: Check) {
  const looked_at = check.looked_at.map((seen) => ({ ...seen, value: presentValue(seen.name, seen.value) }));
  return { ...check, looked_at };
}

export function presentLocation({ _id, name, policy, pms_location_code }: ShownLocation) {
  return { id: _id, name, timezone: policy.timezone, pms_location_code };
}

/** A location's policy as the API shows it: the threshold as a decimal amount. */
export function presentPolicy(policy: LocationPolicy) {
  return { ...policy, balance_threshold: fromCents(policy.balance_threshold) };
}

/** A unit as every read returns it. Lists leave out `checks`. */
export function presentUnit(described: DescribedUnit, withChecks: boolean) {
  const { unit, location, decision, last_accessed_at } = described;
  return {
    unit_id: unit.unit_id,
    crm_unit_id: unit.crm_unit_id,
    unit_name: unit.unit_name,
    location: presentLocation(location),
    source_type: unit.source_type,
    facts: presentFacts(unit.facts),
    access: presentDecision(decision, withChecks),
    revision: unit.revision,
    last_accessed_at: timestampOrNull(last_accessed_at),
  };
}
