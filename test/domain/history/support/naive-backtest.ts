import { unitAsOf } from '#domain/history/core/as-of.js';
import type { BacktestSpan } from '#domain/history/core/backtest.js';
import type { Span } from '#domain/history/core/periods.js';
import type { Access } from '#domain/access/core/policy.js';
import { timelineOf } from '#domain/history/core/timeline.js';
import type { UnitRecord } from '#domain/history/core/unit-record.js';
import { endOf } from '#domain/history/core/window.js';
import type { LocationPolicy } from '#domain/locations/core/location-policy.js';
import { finished } from '../../../support/finished.js';
import { calendar } from './recorded.js';

interface Standing {
  readonly at: number;
  readonly access: Access;
}

/** The same told by two histories, each of everything that ever happened, and looked up anew at every instant. */
export function naiveBacktest(record: UnitRecord, policy: LocationPolicy, tried: Span): BacktestSpan[] {
  const was = standings(record, tried);
  const would = standings(underPolicy(record, policy), tried);
  const instants = [...new Set([...was, ...would].map(({ at }) => at))].sort((one, other) => one - other);
  return instants.flatMap((from, place): BacktestSpan[] => {
    const [actual, proposed] = [standingAt(was, from), standingAt(would, from)];
    if (actual === undefined || proposed === undefined || permits(actual) === permits(proposed)) return [];
    const then = finished(unitAsOf(record, from, calendar));
    const tenant_id = then?.unit.tenancy?.tenant_id ?? null;
    const effect = permits(actual) ? 'denied' : 'spared';
    return [{ effect, from, until: instants[place + 1] ?? null, tenant_id, actual, proposed }];
  });
}

/** The tenants who were denied at any instant at which something happened to the unit or was decided. */
export function naiveDenied(record: UnitRecord, tried: Span): Set<string> {
  const told = standings(record, tried);
  const happened = record.own.map(({ instant }) => instant);
  const instants = [tried.from, ...told.map(({ at }) => at), ...happened].filter(
    (instant) => instant >= tried.from && instant <= tried.until,
  );
  const denied = instants.filter((instant) => standingAt(told, instant)?.state === 'tenant_denied');
  const tenants = denied.flatMap(
    (instant) => finished(unitAsOf(record, instant, calendar))?.unit.tenancy?.tenant_id ?? [],
  );
  return new Set(tenants);
}

export function underPolicy(record: UnitRecord, policy: LocationPolicy): UnitRecord {
  const location = record.location.flatMap((event) => {
    if (event.type === 'LocationPolicyChanged') return [];
    return [event.type === 'LocationOpened' ? { ...event, data: { ...event.data, policy } } : event];
  });
  return { ...record, location };
}

/** What held at the end of each instant at which something was decided otherwise than at the one before. */
function standings(record: UnitRecord, { from, until }: Span): Standing[] {
  const first = finished(unitAsOf(record, from, calendar));
  const window = { after: endOf(from), before: endOf(until) };
  const entries = finished(timelineOf(record, until, calendar, window));
  const ends = new Map<number, Access>();
  if (first !== undefined) ends.set(from, { state: first.decision.state, reason: first.decision.reason });
  for (const { instant, access } of entries) if (access !== null) ends.set(instant, access.to);
  const told = [...ends].map(([at, access]) => ({ at, access }));
  return told.filter(({ access: { state, reason } }, place) => {
    const before = told[place - 1]?.access;
    return before?.state !== state || before.reason !== reason;
  });
}

function standingAt(standing: readonly Standing[], instant: number): Access | undefined {
  return standing.findLast(({ at }) => at <= instant)?.access;
}

function permits({ state }: Access): boolean {
  return state === 'tenant_permitted';
}
