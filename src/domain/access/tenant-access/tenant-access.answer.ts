import { nextShareEnd, sharesInForce } from '#domain/units/index.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import type { CompanyClock } from '#domain/companies/index.js';
import { type EntryPointState, type MountedLock, sharesZone } from '#domain/locations/index.js';
import { type KeyGrant, nextMidnight } from '#domain/locks/index.js';
import { standingOf } from '#domain/passes/index.js';
import type { Calendar } from '../core/decision.js';
import { closesAt } from '../core/closing.js';
import { isOpen, type ShortDecision, shortDecision } from '../core/policy.js';
import type { DecisionInput } from '../core/subject.js';
import { grantsIn } from './answer-keys.js';
import { answerEntryPoint } from './entry-point.answer.js';
import { type GrantContext, keyTo } from './granted-key.js';
import { type AnsweredPass, answerPass } from './pass.answer.js';
import { refreshOf } from './refresh.js';
import type { GrantedAccess, ShownLock, ShownUnit } from './tenant-access.shapes.js';
import type { HeldUnit, TenantHoldings } from './tenant-holdings.js';
import { contactFor, termsOf } from './unit-terms.js';

/** `valid_until` is the end of the decision or of the share, whichever is earlier. */
interface DecidedUnit extends HeldUnit, ShortDecision {
  /** Milliseconds. Null: it does not lose access, or has none. */
  readonly closes_at: number | null;
}

interface AnsweredHoldings {
  readonly answer: GrantedAccess;
  /** The first instant (milliseconds) at which the same holdings may give another answer. */
  readonly changes_at: number;
}

/**
 * The tenant's answer at `clock.now()`. All units are decided here, because the decisions in the views may be older than
 * the last calendar boundary.
 */
export function answerHoldings(
  holdings: TenantHoldings,
  clock: Pick<CompanyClock, 'now' | 'isSandbox'>,
  calendar: Calendar,
): AnsweredHoldings {
  const { tenant } = holdings;
  const now = clock.now();
  const context: GrantContext = { tenant_id: tenant.id, now, sandbox: clock.isSandbox, calendar };
  const held = holdings.units.filter(({ until }) => until === null || now < until);
  const units = decideUnits(held, now, calendar).sort(byNameThenId);
  const entry_points = holdings.entry_points
    .filter((entry_point) => units.some((unit) => isServed(unit, entry_point)))
    .map((entry_point) => answerEntryPoint(entry_point, unitsThatOpen(entry_point, units), context));
  const passes = holdings.passes
    .filter(({ pass }) => standingOf(pass, now) !== 'ended')
    .map((held_pass) => answerPass(held_pass, context));
  const shown = {
    units: units.map((unit) => showUnit(unit, context)),
    entry_points: entry_points.map((one) => one.shown),
    passes: passes.map((one) => one.shown),
  };
  const valid_until = earliestEnd(units, passes);
  const key_ends = grantsIn(shown).map(({ expires_at }) => expires_at);
  const hours_changes = [...entry_points, ...passes].map(({ changes_at }) => changes_at);
  const next_end = Math.min(valid_until ?? Infinity, ...key_ends, ...hours_changes);
  const refresh = refreshOf(next_end, tenant.id, now);
  const answer = {
    tenant,
    evaluated_at: toTimestamp(now),
    valid_until: timestampOrNull(valid_until),
    refresh_at: toTimestamp(refresh.refresh_at),
    ...shown,
  };
  const changes_at = Math.min(
    refresh.changes_at,
    ...passes.map(({ renews_at }) => renews_at),
    shareEndAfter(now, holdings),
    dayEnd(holdings, now, calendar),
  );
  return { answer, changes_at };
}

/** The next instant at which somebody shares a unit of the tenant no more; Infinity: none. */
function shareEndAfter(now: number, { units }: TenantHoldings): number {
  const shares = units.flatMap((unit) => unit.shares);
  return nextShareEnd(shares, now);
}

/** From midnight on, keys are issued that expire a day later (`keyExpiry`). */
function dayEnd({ units: [unit] }: TenantHoldings, now: number, calendar: Calendar): number {
  return unit === undefined ? Infinity : nextMidnight(now, unit.location.policy.timezone, calendar);
}

function decideUnits(held: readonly HeldUnit[], now: number, calendar: Calendar): DecidedUnit[] {
  const units = held.map((one) => {
    const { subject, siblings, location } = one;
    const input: DecisionInput = { unit: subject, siblings, policy: location.policy, now };
    return { held: one, input, decision: shortDecision(input, calendar) };
  });
  // By date, because the debtors among siblings are computed once for each date.
  units.sort((one, other) => endOf(one.decision) - endOf(other.decision));
  return units.map(({ held: one, input, decision }) => ({
    ...one,
    ...decision,
    valid_until: earlierOf(decision.valid_until, one.until),
    closes_at: one.relationship === 'primary' ? closesAt(input, decision, calendar) : null,
  }));
}

/** Null: never. */
function earlierOf(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

function endOf({ valid_until }: ShortDecision): number {
  return valid_until ?? Number.MAX_SAFE_INTEGER;
}

function showUnit(unit: DecidedUnit, context: GrantContext): ShownUnit<KeyGrant> {
  const { unit_id, unit_name, location, state, reason, last_accessed_at } = unit;
  return {
    unit_id,
    unit_name,
    location: {
      id: location._id,
      name: location.name,
      timezone: location.policy.timezone,
      contact: contactFor(unit),
    },
    ...termsOf({ ...unit, shares: sharesInForce(unit.shares, context.now) }),
    state,
    reason,
    last_accessed_at: timestampOrNull(last_accessed_at),
    zones: unit.zone_ids,
    locks: unit.locks.map((lock) => showLock(lock, unit, context)),
  };
}

function showLock(
  { lock_id, name, key_format }: MountedLock,
  unit: DecidedUnit,
  context: GrantContext,
): ShownLock<KeyGrant> {
  if (!isOpen(unit)) return { lock_id, name };
  const { unit_id, tenancy_id, valid_until, location } = unit;
  return {
    lock_id,
    name,
    ...keyTo({ lock_id, unit_id, tenancy_id, key_format }, valid_until, location, context),
  };
}

function unitsThatOpen(entry_point: EntryPointState, units: readonly DecidedUnit[]): DecidedUnit[] {
  return units.filter((unit) => isOpen(unit) && isServed(unit, entry_point));
}

function isServed(unit: HeldUnit, { zone_ids }: Pick<EntryPointState, 'zone_ids'>): boolean {
  return sharesZone(unit.zone_ids, zone_ids);
}

/** The earliest `valid_until` of the units, and beginning or end of the passes; null: never. */
function earliestEnd(
  units: readonly DecidedUnit[],
  passes: readonly Pick<AnsweredPass, 'turns_at'>[],
): number | null {
  const ends = [
    ...units.flatMap(({ valid_until }) => valid_until ?? []),
    ...passes.map(({ turns_at }) => turns_at),
  ];
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Compares code units instead of a language's rules, so that the order is the same on every machine. */
function byNameThenId(one: HeldUnit, other: HeldUnit): number {
  return compare(one.unit_name, other.unit_name) || compare(one.unit_id, other.unit_id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
