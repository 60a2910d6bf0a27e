import type { AccessState } from '#domain/access/index.js';
import type { ActivityEntry, HistoryEntry } from '#domain/history/index.js';
import { reportedInstant } from '../parts/happened.js';
import { activityText, tapKind, type TapKind } from '../activity/activity-text.js';

interface ShownAccess {
  readonly state: AccessState;
  readonly reason: string | null;
}

/** A stretch of time in which access was the same. Instants are milliseconds. */
export interface Band extends ShownAccess {
  readonly from: number;
  readonly to: number;
  /** An operator decided, not the PMS. */
  readonly overridden: boolean;
}

interface Amount {
  readonly at: number;
  readonly amount: number;
}

export interface ChartTap {
  readonly id: string;
  readonly at: number;
  readonly kind: TapKind;
  /** The text of its tooltip. */
  readonly text: string;
}

/** The data of a unit's picture, oldest first. */
export interface UnitChart {
  readonly from: number;
  readonly to: number;
  readonly bands: readonly Band[];
  readonly balance: readonly Amount[];
  /** By how much the balance fell. */
  readonly payments: readonly Amount[];
  readonly attempts: readonly ChartTap[];
}

export interface ChartData {
  /** Newest first. */
  readonly entries: readonly HistoryEntry[];
  readonly reports: readonly ActivityEntry[];
  /** The state now, for periods without entries. */
  readonly current: ShownAccess & { readonly balance: number };
  readonly now: number;
}

/** The chart of a unit from its oldest entry up to now. */
export function chartOf({ entries, reports, current, now }: ChartData): UnitChart {
  const oldestFirst = [...entries].reverse();
  const from = Math.min(instantOf(oldestFirst[0]) ?? now, now);
  const attempts = reports.map(tapOf).filter(({ at }) => at >= from && at <= now);
  const { balance, payments } = balanceOf(oldestFirst, current.balance, from);
  return { from, to: now, bands: bandsOf(oldestFirst, current, from, now), balance, payments, attempts };
}

/** The part of a chart that begins at an instant, if that is later than the whole does. */
export function chartSince(chart: UnitChart, since = chart.from): UnitChart {
  const from = Math.min(Math.max(chart.from, since), chart.to);
  const before = chart.balance.findLast(({ at }) => at <= from) ?? chart.balance[0]!;
  return {
    from,
    to: chart.to,
    bands: chart.bands
      .filter(({ to }, index) => to > from || index === chart.bands.length - 1)
      .map((band) => ({ ...band, from: Math.max(band.from, from) })),
    balance: [{ at: from, amount: before.amount }, ...chart.balance.filter(({ at }) => at > from)],
    payments: chart.payments.filter(({ at }) => at >= from),
    attempts: chart.attempts.filter(({ at }) => at >= from),
  };
}

function instantOf(entry: HistoryEntry | undefined): number | undefined {
  return entry && Date.parse(entry.occurred_at);
}

function bandsOf(entries: readonly HistoryEntry[], current: ShownAccess, from: number, now: number): Band[] {
  const changes = entries.flatMap(({ access, occurred_at }) =>
    access === undefined ? [] : [{ at: Date.parse(occurred_at), ...access }],
  );
  const first: ShownAccess | null = changes.length === 0 ? current : changes[0]!.from;
  const held = [
    ...(first === null ? [] : [{ at: from, access: first }]),
    ...changes.map(({ at, to }) => ({ at, access: to })),
  ];
  return held
    .map(({ at, access }, index) => ({
      state: access.state,
      reason: access.reason,
      overridden: access.reason?.startsWith('system_') ?? false,
      from: at,
      to: Math.max(held[index + 1]?.at ?? now, at),
    }))
    .filter((band, index) => band.to > band.from || index === held.length - 1);
}

function balanceOf(entries: readonly HistoryEntry[], current: number, from: number) {
  const changes = entries.flatMap(({ changes: { balance_due }, occurred_at }) =>
    balance_due === undefined
      ? []
      : [{ at: Date.parse(occurred_at), before: Number(balance_due.from), amount: Number(balance_due.to) }],
  );
  const payments = changes
    .filter(({ before, amount }) => amount < before)
    .map(({ at, before, amount }) => ({ at, amount: before - amount }));
  const begins = { at: from, amount: changes[0]?.before ?? current };
  return { balance: [begins, ...changes.map(({ at, amount }) => ({ at, amount }))], payments };
}

function tapOf(report: ActivityEntry): ChartTap {
  return {
    id: report.log_id,
    at: reportedInstant(report),
    kind: tapKind(report),
    text:
      report.entry_point_name == null
        ? activityText(report)
        : `${report.entry_point_name}: ${activityText(report)}`,
  };
}

export interface Plot {
  /** Milliseconds to units of the picture. */
  readonly x: (at: number) => number;
  readonly y: (amount: number) => number;
  /** The path of the balance. */
  readonly path: string;
  readonly most: number;
}

/** Scales of a picture. The balance lies between two heights. */
export function plotOf(chart: UnitChart, width: number, top: number, bottom: number): Plot {
  const duration = Math.max(chart.to - chart.from, 1);
  const x = (at: number) => width * Math.min(Math.max((at - chart.from) / duration, 0), 1);
  const most = Math.max(0, ...chart.balance.map(({ amount }) => amount));
  const y = (amount: number) => bottom + (amount / (most || 1)) * (top - bottom);
  const [first, ...changes] = chart.balance;
  const steps = changes.map(({ at, amount }) => `H${rounded(x(at))}V${rounded(y(amount))}`);
  const path = `M${rounded(x(first!.at))},${rounded(y(first!.amount))}${steps.join('')}H${rounded(x(chart.to))}`;
  return { x, y, path, most };
}

/** Three decimals are finer than a screen. */
function rounded(length: number): number {
  return Math.round(length * 1000) / 1000;
}

/** Instants from one to another, evenly, both included. */
export function ticksOf(from: number, to: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => from + ((to - from) * index) / (count - 1));
}
