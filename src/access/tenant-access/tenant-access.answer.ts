import { toTimestamp } from '../../config/clock.js';
import type { CompanyClock } from '../../companies/index.js';
import type {
  EntryPointKind,
  EntryPointState,
  LocationDocument,
  MountedLock,
} from '../../locations/index.js';
import { type KeyGrant, type KeyIssue, type KeyIssuer, keyExpiry, nextMidnight } from '../../locks/index.js';
import type { AccessReason, AccessState, Calendar } from '../core/decision.js';
import { isOpen, type ShortDecision, shortDecision } from '../core/policy.js';
import type { SubjectUnit } from '../core/subject.js';

/** A unit that a tenant rents or shares, with everything that its decision and its answer depend on. */
export interface HeldUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly location: LocationDocument;
  readonly relationship: 'primary' | 'shared';
  /** The primary tenant's tenancy. A share depends on it too. */
  readonly tenancy_id: string;
  readonly subject: SubjectUnit;
  /** The units of the primary tenant. */
  readonly siblings: readonly SubjectUnit[];
  readonly locks: readonly MountedLock[];
  readonly zone_ids: readonly string[];
  /** Milliseconds, or null if the unit was never unlocked. */
  readonly last_accessed_at: number | null;
}

/** Everything that a tenant has, before decisions. */
export interface TenantHoldings {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly units: readonly HeldUnit[];
  /** All entry points of the location. The answer lists only those that serve a unit of the tenant. */
  readonly entry_points: readonly EntryPointState[];
}

interface ShownKey<Key> {
  readonly key: Key;
  readonly key_expires_at: string;
}

/** Has a key only if the tenant may open the lock. */
interface ShownLock<Key = string> extends Partial<ShownKey<Key>> {
  readonly lock_id: string;
  readonly name: string;
}

interface ShownUnit<Key = string> {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly location: { readonly id: string; readonly name: string; readonly timezone: string };
  readonly relationship: HeldUnit['relationship'];
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  readonly last_accessed_at: string | null;
  readonly locks: readonly ShownLock<Key>[];
}

interface ShownEntryPoint<Key = string> extends Partial<ShownKey<Key>> {
  readonly entry_point_id: string;
  readonly name: string;
  readonly kind: EntryPointKind;
  readonly location_id: string;
  readonly zones: readonly string[];
  readonly state: 'permitted' | 'denied';
  /** True unless the entry point is out of service. */
  readonly would_have_access: boolean;
}

/** The data of `GET /tenant/access` (decisions §5). `Key` is the key, or the grant that a key is made from. */
export interface TenantAccess<Key = string> {
  readonly tenant: { readonly id: string; readonly name: string };
  readonly evaluated_at: string;
  readonly valid_until: string | null;
  /** The app should ask again at this instant, because a decision or a key ends. Null: never. */
  readonly refresh_at: string | null;
  readonly units: readonly ShownUnit<Key>[];
  readonly entry_points: readonly ShownEntryPoint<Key>[];
}

type DecidedUnit = HeldUnit & ShortDecision;

/** The values that all keys of one answer share. */
interface GrantContext {
  readonly tenant_id: string;
  /** Milliseconds. */
  readonly now: number;
  readonly sandbox: boolean;
  readonly calendar: Calendar;
}

/**
 * The tenant's answer at `clock.now()`, with a grant instead of each key. All units are decided here, because the
 * decisions in the views may be older than the last calendar boundary.
 */
export function answerOf(
  holdings: TenantHoldings,
  clock: Pick<CompanyClock, 'now' | 'isSandbox'>,
  calendar: Calendar,
): TenantAccess<KeyGrant> {
  const { tenant } = holdings;
  const now = clock.now();
  const context: GrantContext = { tenant_id: tenant.id, now, sandbox: clock.isSandbox, calendar };
  const units = holdings.units.map((unit) => decideUnit(unit, now, calendar)).sort(byNameThenId);
  const valid_until = earliest(units);
  const shown = {
    units: units.map((unit) => showUnit(unit, context)),
    entry_points: holdings.entry_points
      .filter((entry_point) => units.some((unit) => isServed(unit, entry_point)))
      .map((entry_point) => showEntryPoint(entry_point, units, context)),
  };
  const ends = grantsIn(shown).map(({ expires_at }) => expires_at);
  return {
    tenant,
    evaluated_at: toTimestamp(now),
    valid_until: presentEnd(valid_until ?? Infinity),
    refresh_at: presentEnd(Math.min(valid_until ?? Infinity, ...ends)),
    ...shown,
  };
}

/** The first instant (milliseconds) at which the same holdings may give another answer: a decision or a day ends. */
export function changesAt(
  { valid_until }: Pick<TenantAccess<KeyGrant>, 'valid_until'>,
  { units }: TenantHoldings,
  now: number,
  calendar: Calendar,
): number {
  const end = valid_until === null ? Infinity : Date.parse(valid_until);
  const [first] = units;
  return first === undefined
    ? end
    : Math.min(end, nextMidnight(now, first.location.policy.timezone, calendar));
}

function presentEnd(instant: number): string | null {
  return instant === Infinity ? null : toTimestamp(instant);
}

/** The grants of all keys of an answer. */
export function grantsIn({
  units,
  entry_points,
}: Pick<TenantAccess<KeyGrant>, 'units' | 'entry_points'>): KeyGrant[] {
  const locked = [...units.flatMap(({ locks }) => locks), ...entry_points];
  return locked.flatMap(({ key }) => key ?? []);
}

/** The records of an answer's keys, each with the units that it was issued for. */
export function issuesIn(answer: TenantAccess<KeyGrant>, { units }: TenantHoldings): KeyIssue[] {
  const permitted = new Set(answer.units.flatMap((unit) => (isOpen(unit) ? [unit.unit_id] : [])));
  const opening = units.filter(({ unit_id }) => permitted.has(unit_id));
  const issue = (key: KeyGrant | undefined, unit_ids: () => string[]): KeyIssue[] => {
    if (key === undefined) return [];
    const { lock_id, tenant_id, expires_at } = key;
    return [{ lock_id, tenant_id, expires_at, unit_ids: unit_ids() }];
  };
  return [
    ...answer.units.flatMap(({ unit_id, locks }) => locks.flatMap(({ key }) => issue(key, () => [unit_id]))),
    ...answer.entry_points.flatMap(({ key, zones }) =>
      issue(key, () =>
        opening.filter((unit) => isServed(unit, { zone_ids: zones })).map(({ unit_id }) => unit_id),
      ),
    ),
  ];
}

/** Replaces the grants by keys. */
export function withKeys(answer: TenantAccess<KeyGrant>, issuer: KeyIssuer): TenantAccess {
  const { units, entry_points } = answer;
  const issue = <Shown extends Partial<ShownKey<KeyGrant>>>(shown: Shown) =>
    ({ ...shown, ...(shown.key && { key: issuer.issue(shown.key) }) }) as Omit<Shown, 'key'> & {
      key?: string;
    };
  return {
    ...answer,
    units: units.map((unit) => ({ ...unit, locks: unit.locks.map(issue) })),
    entry_points: entry_points.map(issue),
  };
}

function decideUnit(held: HeldUnit, now: number, calendar: Calendar): DecidedUnit {
  const { subject, siblings, location } = held;
  const input = { unit: subject, siblings, policy: location.policy, now };
  return { ...held, ...shortDecision(input, calendar) };
}

function showUnit(unit: DecidedUnit, context: GrantContext): ShownUnit<KeyGrant> {
  const { unit_id, unit_name, location, relationship, state, reason, last_accessed_at } = unit;
  return {
    unit_id,
    unit_name,
    location: { id: location._id, name: location.name, timezone: location.policy.timezone },
    relationship,
    state,
    reason,
    last_accessed_at: last_accessed_at === null ? null : toTimestamp(last_accessed_at),
    locks: unit.locks.map((lock) => showLock(lock, unit, context)),
  };
}

function showLock(
  { lock_id, name }: MountedLock,
  unit: DecidedUnit,
  context: GrantContext,
): ShownLock<KeyGrant> {
  if (!isOpen(unit)) return { lock_id, name };
  const { unit_id, tenancy_id, valid_until, location } = unit;
  return { lock_id, name, ...keyTo({ lock_id, unit_id, tenancy_id }, valid_until, location, context) };
}

function keyTo(
  opened: Omit<KeyGrant, 'tenant_id' | 'expires_at' | 'sandbox'>,
  valid_until: number | null,
  { policy: { timezone } }: LocationDocument,
  { tenant_id, now, sandbox, calendar }: GrantContext,
): ShownKey<KeyGrant> {
  const expires_at = keyExpiry({ valid_until, now, timezone }, calendar);
  return { key: { ...opened, tenant_id, expires_at, sandbox }, key_expires_at: toTimestamp(expires_at) };
}

function showEntryPoint(
  entry_point: EntryPointState,
  units: readonly DecidedUnit[],
  context: GrantContext,
): ShownEntryPoint<KeyGrant> {
  const { entry_point_id, name, kind, location_id, zone_ids, in_service } = entry_point;
  const shown = { entry_point_id, name, kind, location_id, zones: zone_ids };
  if (!in_service) return { ...shown, state: 'denied', would_have_access: false };
  const opening = units.filter((unit) => isOpen(unit) && isServed(unit, entry_point));
  const [first] = opening;
  if (first === undefined) return { ...shown, state: 'denied', would_have_access: true };
  const opened = { lock_id: entry_point_id, unit_id: null, tenancy_id: null };
  const key = keyTo(opened, earliest(opening), first.location, context);
  return { ...shown, state: 'permitted', would_have_access: true, ...key };
}

function isServed(unit: HeldUnit, { zone_ids }: Pick<EntryPointState, 'zone_ids'>): boolean {
  return unit.zone_ids.some((zone_id) => zone_ids.includes(zone_id));
}

/** The earliest `valid_until` of the units; null: never. */
function earliest(units: readonly DecidedUnit[]): number | null {
  const ends = units.flatMap(({ valid_until }) => valid_until ?? []);
  return ends.length === 0 ? null : Math.min(...ends);
}

/** Compares code units instead of a language's rules, so that the order is the same on every machine. */
function byNameThenId(one: HeldUnit, other: HeldUnit): number {
  return compare(one.unit_name, other.unit_name) || compare(one.unit_id, other.unit_id);
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
