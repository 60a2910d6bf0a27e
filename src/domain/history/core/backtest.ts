import type { Calendar } from '#domain/access/core/decision.js';
import {
  type Access,
  isLockedOut,
  isOpen,
  type ShortDecision,
  shortDecision,
} from '#domain/access/core/policy.js';
import type { UnitState } from '#domain/units/core/unit.state.js';
import type { Burden } from './burden.js';
import {
  type UnitPeriods,
  periodAt,
  type Period,
  type PolicyPeriods,
  type Span,
  startsIn,
} from './periods.js';

/** A span of time (milliseconds) in which a policy would have decided otherwise whether the tenant gets in. */
export interface BacktestSpan {
  readonly effect: 'denied' | 'spared';
  readonly from: number;
  /** null where it would be so to this day. */
  readonly until: number | null;
  /** The tenant of the unit at the beginning. */
  readonly tenant_id: string | null;
  readonly actual: Access;
  readonly proposed: Access;
}

/** The result of a trial for one unit. */
export interface Backtested {
  readonly spans: readonly BacktestSpan[];
  /** The tenants who were denied within the span. */
  readonly denied: InBoth<readonly string[]>;
  /** Those of them whose lease had begun. */
  readonly lockedOut: InBoth<readonly string[]>;
}

/** As it was, and as it would have been. */
export type InBoth<Value> = Readonly<Record<'actual' | 'proposed', Value>>;

/** The grounds of decisions besides the unit: as they were, or as they would have been. */
export interface Circumstances {
  readonly policies: PolicyPeriods;
  /** By tenant, what the tenant's units were to each other; absent where they never were anything. */
  readonly burdens: ReadonlyMap<string, readonly Burden[]>;
}

const NO_BURDEN: readonly Burden[] = [];

/** The decision from an instant on. */
export interface HeldAccess extends Period {
  readonly access: Access;
}

/**
 * When a unit's tenant would have been let in otherwise under another policy, by the very decisions that are made. Says at
 * each step how much it was, which grows with what happened to the unit.
 */
export function* backtestOf(
  periods: UnitPeriods,
  actual: Circumstances,
  proposed: Circumstances,
  tried: Span,
  calendar: Calendar,
): Generator<number, Backtested> {
  const was = yield* heldAccess(periods, actual, tried, calendar);
  const would = yield* heldAccess(periods, proposed, tried, calendar);
  const starts = startsIn(tried, was, would);
  const spans = starts.flatMap((from, index): BacktestSpan[] => {
    const unit = periodAt(periods, from)?.unit;
    if (unit === undefined) return [];
    const one = periodAt(was, from)!.access;
    const other = periodAt(would, from)!.access;
    if (isOpen(one) === isOpen(other)) return [];
    const effect = isOpen(one) ? 'denied' : 'spared';
    const tenant_id = tenantOf(unit);
    return [{ effect, from, until: starts[index + 1] ?? null, tenant_id, actual: one, proposed: other }];
  });
  const actually = tenantsDenied(was, periods, tried);
  const then = tenantsDenied(would, periods, tried);
  return {
    spans,
    denied: { actual: actually.denied, proposed: then.denied },
    lockedOut: { actual: actually.lockedOut, proposed: then.lockedOut },
  };
}

/** The tenants who were denied. One may follow another without the decision being any different. */
function tenantsDenied(held: readonly HeldAccess[], periods: UnitPeriods, tried: Span) {
  const denied: string[] = [];
  const lockedOut: string[] = [];
  for (const start of startsIn(tried, held, periods)) {
    const access = periodAt(held, start)?.access;
    if (access?.state !== 'tenant_denied') continue;
    // Who is denied rents the unit.
    const tenant_id = tenantOf(periodAt(periods, start)!.unit)!;
    denied.push(tenant_id);
    if (isLockedOut(access)) lockedOut.push(tenant_id);
  }
  return { denied, lockedOut };
}

function tenantOf({ tenancy }: UnitState): string | null {
  return tenancy?.tenant_id ?? null;
}

/** The decision at the beginning of the span, and each change after it. */
export function* heldAccess(
  periods: UnitPeriods,
  circumstances: Circumstances,
  tried: Span,
  calendar: Calendar,
): Generator<number, HeldAccess[]> {
  const starts = startsIn(tried, periods, circumstances.policies, ...burdensOn(periods, circumstances));
  yield starts.length;
  const held: HeldAccess[] = [];
  for (const [index, start] of starts.entries()) {
    const unit = periodAt(periods, start)?.unit;
    if (unit === undefined) continue;
    const { policy } = periodAt(circumstances.policies, start)!;
    const siblings = othersOf(unit, circumstances, start);
    const next = starts[index + 1] ?? tried.until + 1;
    for (let at: number | null = start; at !== null && at < next;) {
      const decided: ShortDecision = shortDecision({ unit, siblings, policy, now: at }, calendar);
      addChange(held, at, decided);
      at = decided.valid_until;
      yield 1;
    }
  }
  return held;
}

/** Adds what was decided, where it is something else than before. */
function addChange(held: HeldAccess[], from: number, { state, reason }: ShortDecision): void {
  const before = held.at(-1)?.access;
  if (before?.state !== state || before.reason !== reason) held.push({ from, access: { state, reason } });
}

function burdensOn(periods: UnitPeriods, circumstances: Circumstances): Set<readonly Burden[]> {
  return new Set(periods.map(({ unit }) => burdenOn(unit, circumstances)));
}

function burdenOn({ tenancy }: UnitState, { burdens }: Circumstances): readonly Burden[] {
  return (tenancy && burdens.get(tenancy.tenant_id)) ?? NO_BURDEN;
}

/** A unit of the tenant that owes at an instant, and so counts against this unit. One is enough: more change no decision. */
function othersOf(unit: UnitState, circumstances: Circumstances, instant: number) {
  const debtor = periodAt(burdenOn(unit, circumstances), instant)?.debtor;
  return debtor == null ? [] : [debtor];
}
