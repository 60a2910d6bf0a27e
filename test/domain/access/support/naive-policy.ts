/**
 * The decision once more, written straight from the table and by other means: dates come from `Intl`, nothing is known
 * about instants, what would permit is found by trying. Slow, and a witness against the real one.
 */
import type { AccessReason, Cure, FurtherCause } from '#domain/access/core/decision.js';
import type { DecisionInput, SubjectUnit } from '#domain/access/core/subject.js';
import type { UnitFacts } from '#domain/units/index.js';

export interface NaiveDecision {
  readonly state: string;
  readonly reason: AccessReason | null;
  readonly also: readonly FurtherCause[];
}

const formats = new Map<string, Intl.DateTimeFormat>();

function naiveToday(now: number, timeZone: string): string {
  let format = formats.get(timeZone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-CA', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
    });
    formats.set(timeZone, format);
  }
  return format.format(now);
}

export function naiveAddDays(date: string, days: number): string {
  return new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function overrideOf(unit: SubjectUnit, now: number): string | null {
  if (!unit.override) return null;
  if (unit.override.expires_at !== null && unit.override.expires_at <= now) return null;
  return unit.override.override;
}

function pastDue(facts: UnitFacts, input: DecisionInput): boolean {
  if (input.policy.delinquency_mode === 'pms_flag_only') return false;
  if (facts.balance_due <= input.policy.balance_threshold) return false;
  if (facts.paid_through_date === null) return false;
  const lastDay = naiveAddDays(facts.paid_through_date, input.policy.grace_period_days);
  return naiveToday(input.now, input.policy.timezone) > lastDay;
}

function debtors(input: DecisionInput): readonly SubjectUnit[] {
  if (!input.policy.blanket_delinquency) return [];
  return input.siblings
    .filter((other) => other.facts.occupied)
    .filter((other) => !other.facts.pms_lock_exempt)
    .filter((other) => overrideOf(other, input.now) !== 'exempt')
    .filter((other) => pastDue(other.facts, input));
}

function future(input: DecisionInput): boolean {
  const date = input.unit.facts.move_in_date;
  return date !== null && date > naiveToday(input.now, input.policy.timezone);
}

/** The table, line by line. */
function firstMatch(input: DecisionInput): { state: string; reason: AccessReason | null } {
  const { facts } = input.unit;
  if (facts.pms_auction) return { state: 'auction', reason: null };
  if (facts.pms_unrentable) return { state: 'unrentable', reason: null };
  if (!facts.occupied) return { state: 'vacant', reason: null };
  const override = overrideOf(input.unit, input.now);
  if (override === 'lockout') return { state: 'tenant_denied', reason: 'system_lockout' };
  if (override === 'exempt') return { state: 'tenant_permitted', reason: 'system_exempt' };
  return withoutOverride(input);
}

function withoutOverride(input: DecisionInput): { state: string; reason: AccessReason | null } {
  const { facts } = input.unit;
  if (future(input)) return { state: 'tenant_denied', reason: 'future_move_in' };
  if (facts.pms_lock_exempt) return { state: 'tenant_permitted', reason: 'pms_exempt' };
  if (facts.pms_lockout) return { state: 'tenant_denied', reason: 'pms_lockout' };
  if (pastDue(facts, input)) return { state: 'tenant_denied', reason: 'delinquent' };
  if (debtors(input).length > 0) return { state: 'tenant_denied', reason: 'blanket_delinquency' };
  return { state: 'tenant_permitted', reason: 'active' };
}

/** The input with the cause of its denial taken away, and nothing else changed. */
function relieved(
  input: DecisionInput,
  cause: { state: string; reason: AccessReason | null },
): DecisionInput {
  const change = (facts: Partial<UnitFacts>): DecisionInput => ({
    ...input,
    unit: { ...input.unit, facts: { ...input.unit.facts, ...facts } },
  });
  if (cause.state === 'auction') return change({ pms_auction: false });
  if (cause.state === 'unrentable') return change({ pms_unrentable: false });
  switch (cause.reason) {
    case 'system_lockout':
      return { ...input, unit: { ...input.unit, override: null } };
    case 'future_move_in':
      return change({ move_in_date: null });
    case 'pms_lockout':
      return change({ pms_lockout: false });
    case 'delinquent':
      return change({ paid_through_date: null });
    default:
      return { ...input, siblings: [] };
  }
}

/** Decides, then takes one cause away after the other to see what else would have denied. */
export function naiveDecision(input: DecisionInput): NaiveDecision {
  const first = firstMatch(input);
  const also: FurtherCause[] = [];
  let rest = input;
  let cause = first;
  while (cause.state !== 'vacant' && cause.state !== 'tenant_permitted') {
    rest = relieved(rest, cause);
    cause = firstMatch(rest);
    if (cause.state === 'unrentable') also.push('unrentable');
    if (cause.state === 'tenant_denied' && cause.reason !== null) also.push(cause.reason);
  }
  return { ...first, also };
}

/** How many units and fields a resolution must touch: one for each cause, and one for each debtor of a blanket. */
export function naiveCures(input: DecisionInput): number | null {
  if (!input.unit.facts.occupied) return null;
  const { state, reason, also } = naiveDecision(input);
  if (state === 'tenant_permitted') return 0;
  const blanketed = reason === 'blanket_delinquency' || also.includes('blanket_delinquency');
  return 1 + also.length + (blanketed ? debtors(input).length - 1 : 0);
}

/** Whether access is permitted once all of these changes are made, each on the unit that it names. */
export function permitsAfter(input: DecisionInput, cures: readonly Cure[]): boolean {
  const cured = (unit: SubjectUnit): SubjectUnit => {
    const own = cures.filter(({ unit_id }) => unit_id === unit.unit_id);
    const changes = Object.fromEntries(own.map(({ field, to }) => [field, to]));
    const { override = unit.override, ...facts } = changes as Partial<UnitFacts & SubjectUnit>;
    return { ...unit, override, facts: { ...unit.facts, ...facts } };
  };
  const siblings = input.siblings.map(cured);
  return firstMatch({ ...input, unit: cured(input.unit), siblings }).state === 'tenant_permitted';
}
