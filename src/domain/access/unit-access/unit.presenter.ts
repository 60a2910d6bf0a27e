import { timestampOrNull } from '#kernel/timestamp.js';
import { fromCents } from '#kernel/money.js';
import type { LocationPolicy } from '#domain/locations/index.js';
import { type AccessOverride, AMOUNT_FACTS, overrideInForce, type UnitFacts } from '#domain/units/index.js';
import type { Check, Decision, ExplainedDecision } from '../core/decision.js';
import type { EntryPointDecision } from '../core/entry-point.js';
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

/** A decision for integrators, operators and auditors, as lists show it. */
export function presentDecision({ state, reason, also, resolution, valid_until }: Decision) {
  return {
    state,
    reason,
    also,
    resolution: resolution?.map((cure) => ({ ...cure, to: presentValue(cure.field, cure.to) })) ?? null,
    valid_until: timestampOrNull(valid_until),
  };
}

/** The same with its checks. */
export function presentExplainedDecision(decision: ExplainedDecision) {
  return { ...presentDecision(decision), checks: decision.checks.map(presentCheck) };
}

function presentCheck(check: Check) {
  const looked_at = check.looked_at.map((seen) => ({ ...seen, value: presentValue(seen.name, seen.value) }));
  return { ...check, looked_at };
}

export function presentLocation({ _id, name, policy, pms_location_code, currency }: ShownLocation) {
  return { id: _id, name, timezone: policy.timezone, pms_location_code, currency };
}

/** A location's policy as the API shows it: the threshold as a decimal amount. */
export function presentPolicy(policy: LocationPolicy) {
  return { ...policy, balance_threshold: fromCents(policy.balance_threshold) };
}

/** A unit as lists show it. */
export function presentUnit({ unit, location, decision, last_accessed_at }: DescribedUnit) {
  return {
    unit_id: unit.unit_id,
    crm_unit_id: unit.crm_unit_id,
    unit_name: unit.unit_name,
    location: presentLocation(location),
    source_type: unit.source_type,
    facts: presentFacts(unit.facts),
    access: presentDecision(decision),
    revision: unit.revision,
    last_accessed_at: timestampOrNull(last_accessed_at),
  };
}

/** The same with the checks of its decision. */
export function presentExplainedUnit(described: DescribedUnit) {
  return { ...presentUnit(described), access: presentExplainedDecision(described.decision) };
}

/** Whether an entry point opens for somebody, and if not, why. */
export function presentOpening({ reason, opens_at }: EntryPointDecision) {
  return { opens: reason === null, denial: reason, opens_at: timestampOrNull(opens_at) };
}
