import { nextShareEnd, sharesInForce } from '#domain/units/index.js';
import { timestampOrNull, toTimestamp } from '#kernel/timestamp.js';
import type { CompanyClock } from '#domain/companies/index.js';
import type { EntryPointState, LocationDocument, MountedLock } from '#domain/locations/index.js';
import { type KeyGrant, type KeyIssue, type KeyIssuer, nextMidnight } from '#domain/locks/index.js';
import { standingOf } from '#domain/passes/index.js';
import type { AccessReason, AccessState, Calendar } from '../core/decision.js';
import { closesAt } from '../core/closing.js';
import { isOpen, type ShortDecision, shortDecision } from '../core/policy.js';
import type { DecisionInput, SubjectUnit } from '../core/subject.js';
import { answerEntryPoint, type ShownEntryPoint } from './entry-point.answer.js';
import { type GrantContext, keyTo, type ShownKey } from './granted-key.js';
import { refreshOf } from './refresh.js';
import {
  type AnsweredPass,
  answerPass,
  type HeldPass,
  keysIn,
  passKeyRecords,
  type ShownPass,
} from './pass.answer.js';
import { contactFor, type NamedShare, type ShownContact, termsOf, type UnitTerms } from './unit-terms.js';

/** A unit that a tenant rents or shares, with everything that its decision and its answer depend on. */
export interface HeldUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly location: LocationDocument;
  readonly relationship: 'primary' | 'shared';
  /** When a share ends by itself (milliseconds). Null: it does not, or the tenant rents the unit. */
  readonly until: number | null;
  /** Of a share that the unit's tenant gave; otherwise null. */
  readonly share_id: string | null;
  /** Who shares a unit that the tenant rents. Some may have ended by themselves. */
  readonly shares: readonly NamedShare[];
  /** The primary tenant's tenancy. A share depends on it too. */
  readonly tenancy_id: string;
  readonly subject: SubjectUnit;
  /** The units of the primary tenant. */
  readonly siblings: readonly SubjectUnit[];
  readonly locks: readonly MountedLock[];
  readonly zone_ids: readonly string[];
  /** Whether its people pass at any hour. */
  readonly round_the_clock: boolean;
  /** Milliseconds, or null if the unit was never unlocked. */
  readonly last_accessed_at: number | null;
}

/** Everything that a tenant has, before decisions. */
export interface TenantHoldings {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly units: readonly HeldUnit[];
  /** All entry points of the location. The answer lists only those that serve a unit of the tenant. */
  readonly entry_points: readonly EntryPointState[];
  /** Passes that have not ended. Some may end before the answer is made. */
  readonly passes: readonly HeldPass[];
}

/** Has a key only if the tenant may open the lock. */
interface ShownLock<Key = string> extends Partial<ShownKey<Key>> {
  readonly lock_id: string;
  readonly name: string;
}

type ShownUnit<Key = string> = AnyShownUnit<Key> & UnitTerms;

interface AnyShownUnit<Key> {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly location: {
    readonly id: string;
    readonly name: string;
    readonly timezone: string;
    readonly contact: ShownContact;
  };
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  readonly last_accessed_at: string | null;
  /** The ids of its zones: an entry point with one of them opens for it. */
  readonly zones: readonly string[];
  readonly locks: readonly ShownLock<Key>[];
}

/** The data of `GET /tenant/access` (decisions §5). `Key` is the key, or the grant that a key is made from. */
export interface TenantAccess<Key = string> {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly evaluated_at: string;
  readonly valid_until: string | null;
  /** The app should ask again at this instant: a decision or a key ends, or six hours are over. */
  readonly refresh_at: string;
  readonly units: readonly ShownUnit<Key>[];
  readonly entry_points: readonly ShownEntryPoint<Key>[];
  /** Apart from units and entry points: nobody rents or shares these. */
  readonly passes: readonly ShownPass<Key>[];
}

/** `valid_until` is the end of the decision or of the share, whichever is earlier. */
interface DecidedUnit extends HeldUnit, ShortDecision {
  /** Milliseconds. Null: it does not lose access, or has none. */
  readonly closes_at: number | null;
}

/** An answer with a grant instead of each key. */
interface PlannedAnswer {
  readonly answer: TenantAccess<KeyGrant>;
  /** The first instant (milliseconds) at which the same holdings may give another answer. */
  readonly changes_at: number;
}

/** The answer of {@link planAnswer} alone. */
export function answerOf(...parameters: Parameters<typeof planAnswer>): TenantAccess<KeyGrant> {
  return planAnswer(...parameters).answer;
}

/**
 * The tenant's answer at `clock.now()`. All units are decided here, because the decisions in the views may be older than
 * the last calendar boundary.
 */
export function planAnswer(
  holdings: TenantHoldings,
  clock: Pick<CompanyClock, 'now' | 'isSandbox'>,
  calendar: Calendar,
): PlannedAnswer {
  const { tenant } = holdings;
  const now = clock.now();
  const context: GrantContext = { tenant_id: tenant.id, now, sandbox: clock.isSandbox, calendar };
  const held = holdings.units.filter(({ until }) => until === null || now < until);
  const units = decideUnits(held, now, calendar).sort(byNameThenId);
  const passes = holdings.passes
    .filter(({ pass }) => standingOf(pass, now) !== 'ended')
    .map((held_pass) => answerPass(held_pass, context));
  const pass_changes = passes.map(({ changes_at }) => changes_at);
  const valid_until = earliest(units, passes);
  const entry_points = holdings.entry_points
    .filter((entry_point) => units.some((unit) => isServed(unit, entry_point)))
    .map((entry_point) => answerEntryPoint(entry_point, unitsThatOpen(entry_point, units), context));
  const shown = {
    units: units.map((unit) => showUnit(unit, context)),
    entry_points: entry_points.map((one) => one.shown),
    passes: passes.map((one) => one.shown),
  };
  const ends = grantsIn(shown).map(({ expires_at }) => expires_at);
  const hours_change = entry_points.map(({ changes_at }) => changes_at);
  const changes = [...hours_change, ...pass_changes];
  const refresh = refreshOf(Math.min(valid_until ?? Infinity, ...ends, ...changes), tenant.id, now);
  const answer = {
    tenant,
    evaluated_at: toTimestamp(now),
    valid_until: timestampOrNull(valid_until),
    refresh_at: toTimestamp(refresh.refresh_at),
    ...shown,
  };
  const shares_change = nextShareEnd(
    holdings.units.flatMap(({ shares }) => shares),
    now,
  );
  const renewals = passes.map(({ renews_at }) => renews_at);
  const day_end = dayEnd(holdings, now, calendar);
  const changes_at = Math.min(refresh.changes_at, shares_change, day_end, ...renewals);
  return { answer, changes_at };
}

/** From midnight on, keys are issued that expire a day later (`keyExpiry`). */
function dayEnd({ units: [unit] }: TenantHoldings, now: number, calendar: Calendar): number {
  return unit === undefined ? Infinity : nextMidnight(now, unit.location.policy.timezone, calendar);
}

/** The grants of all keys of an answer. */
export function grantsIn({
  units,
  entry_points,
  passes,
}: Pick<TenantAccess<KeyGrant>, 'units' | 'entry_points' | 'passes'>): KeyGrant[] {
  const locked = [...units.flatMap(({ locks }) => locks), ...entry_points];
  const keys = locked.flatMap(({ key }) => key ?? []);
  const next = entry_points.flatMap(({ next_key }) => next_key?.key ?? []);
  return [...keys, ...next, ...passes.flatMap(keysIn)];
}

/** The records of an answer's keys, each with the units that it was issued for. */
export function recordsOfKeys(answer: TenantAccess<KeyGrant>, { units }: TenantHoldings): KeyIssue[] {
  const permitted = new Set(answer.units.flatMap((unit) => (isOpen(unit) ? [unit.unit_id] : [])));
  const permittedUnits = units.filter(({ unit_id }) => permitted.has(unit_id));
  return [
    ...answer.units.flatMap(({ unit_id, locks }) =>
      locks.flatMap(({ key }) => (key === undefined ? [] : [recordOf(key, [unit_id])])),
    ),
    ...answer.entry_points.flatMap(({ key, next_key, zones }) => {
      const keys = [key ?? [], next_key?.key ?? []].flat();
      if (keys.length === 0) return [];
      const served = permittedUnits.filter((unit) => isServed(unit, { zone_ids: zones }));
      const unit_ids = served.map(({ unit_id }) => unit_id);
      return keys.map((one) => recordOf(one, unit_ids));
    }),
    ...answer.passes.flatMap(passKeyRecords),
  ];
}

function recordOf(
  { lock_id, tenant_id, expires_at, valid_from }: KeyGrant,
  unit_ids: readonly string[],
): KeyIssue {
  const begins = valid_from === null ? {} : { valid_from };
  return { lock_id, tenant_id, expires_at, ...begins, unit_ids };
}

/** Replaces the grants by keys. */
export function withKeys(answer: TenantAccess<KeyGrant>, issuer: KeyIssuer): TenantAccess {
  const { units, entry_points, passes } = answer;
  const withKey = <Shown extends Partial<ShownKey<KeyGrant>>>(shown: Shown) =>
    ({ ...shown, ...(shown.key && { key: issuer.issue(shown.key) }) }) as Omit<Shown, 'key'> & {
      key?: string;
    };
  return {
    ...answer,
    units: units.map((unit) => ({ ...unit, locks: unit.locks.map(withKey) })),
    entry_points: entry_points.map(({ next_key, ...shown }) => ({
      ...withKey(shown),
      ...(next_key && { next_key: { ...next_key, key: issuer.issue(next_key.key) } }),
    })),
    passes: passes.map((pass) => ({
      ...pass,
      entry_points: pass.entry_points.map(withKey),
      units: pass.units.map((unit) => ({ ...unit, locks: unit.locks.map(withKey) })),
    })),
  };
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
  return unit.zone_ids.some((zone_id) => zone_ids.includes(zone_id));
}

/** The earliest `valid_until` of the units, and beginning or end of the passes; null: never. */
function earliest(
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
