import { daysLater, firstInstantOf, localDate } from './calendar.js';
import type { Policy, Unit } from './world.js';

/** A decision as the naive model makes it. */
export interface Verdict {
  readonly state: string;
  readonly reason: string | null;
  readonly also: readonly string[];
  /** What removes each cause, `field of unit`, in no order; null where nobody rents the unit. */
  readonly cures: readonly string[] | null;
  readonly valid_until: number | null;
}

interface Input {
  readonly unit: Unit;
  /** The other units of the same tenant at the place. */
  readonly siblings: readonly Unit[];
  readonly policy: Policy;
}

/** Decides as the table of decisions §1 says, line by line. */
export function judge(input: Input, now: number): Verdict {
  const standing = judgeAt(input, now);
  const turns = turningPoints(input).filter((instant) => instant > now);
  const end = turns
    .sort((one, other) => one - other)
    .find((instant) => differs(standing, judgeAt(input, instant)));
  return { ...standing, valid_until: end ?? null };
}

type Judgement = Omit<Verdict, 'valid_until'>;

function judgeAt(input: Input, now: number): Judgement {
  const relieved = new Set<string>();
  const first = firstMatch(input, now, relieved);
  const also: string[] = [];
  let next = first;
  while (next.state !== 'vacant' && next.state !== 'tenant_permitted') {
    relieved.add(next.reason ?? next.state);
    next = firstMatch(input, now, relieved);
    if (next.state === 'unrentable' || next.state === 'tenant_denied') also.push(next.reason ?? next.state);
  }
  const cures = [...relieved].flatMap((cause) => curesOf(cause, input, now));
  return { ...first, also, cures: input.unit.facts.occupied ? cures : null };
}

const CURED_FIELDS: Readonly<Record<string, string>> = {
  auction: 'pms_auction',
  unrentable: 'pms_unrentable',
  system_lockout: 'override',
  future_move_in: 'move_in_date',
  pms_lockout: 'pms_lockout',
  delinquent: 'balance_due',
};

function curesOf(cause: string, input: Input, now: number): string[] {
  if (cause !== 'blanket_delinquency') return [`${CURED_FIELDS[cause]} of ${input.unit.crm_unit_id}`];
  return debtors(input, now).map(({ crm_unit_id }) => `balance_due of ${crm_unit_id}`);
}

function firstMatch(
  input: Input,
  now: number,
  relieved: ReadonlySet<string>,
): { state: string; reason: string | null } {
  const { facts } = input.unit;
  if (facts.pms_auction && !relieved.has('auction')) return { state: 'auction', reason: null };
  if (facts.pms_unrentable && !relieved.has('unrentable')) return { state: 'unrentable', reason: null };
  if (!facts.occupied) return { state: 'vacant', reason: null };
  const override = overrideOf(input.unit, now);
  if (override === 'lockout' && !relieved.has('system_lockout')) return denied('system_lockout');
  if (override === 'exempt') return { state: 'tenant_permitted', reason: 'system_exempt' };
  return withoutOverride(input, now, relieved);
}

function withoutOverride(input: Input, now: number, relieved: ReadonlySet<string>) {
  if (isFuture(input, now) && !relieved.has('future_move_in')) return denied('future_move_in');
  if (input.unit.facts.pms_lock_exempt) return { state: 'tenant_permitted', reason: 'pms_exempt' };
  return withoutExemption(input, now, relieved);
}

function withoutExemption(input: Input, now: number, relieved: ReadonlySet<string>) {
  if (input.unit.facts.pms_lockout && !relieved.has('pms_lockout')) return denied('pms_lockout');
  if (isPastDue(input.unit, input.policy, now) && !relieved.has('delinquent')) return denied('delinquent');
  if (debtors(input, now).length > 0 && !relieved.has('blanket_delinquency'))
    return denied('blanket_delinquency');
  return { state: 'tenant_permitted', reason: 'active' };
}

function denied(reason: string) {
  return { state: 'tenant_denied', reason };
}

export function overrideOf({ override }: Unit, now: number): string | null {
  if (override === null) return null;
  if (override.expires_at !== null && override.expires_at <= now) return null;
  return override.override;
}

function isFuture({ unit, policy }: Input, now: number): boolean {
  const date = unit.facts.move_in_date;
  return date !== null && date > localDate(now, policy.timezone);
}

function isPastDue({ facts }: Unit, policy: Policy, now: number): boolean {
  if (policy.delinquency_mode === 'pms_flag_only') return false;
  if (facts.balance_due <= policy.balance_threshold) return false;
  if (facts.paid_through_date === null) return false;
  return localDate(now, policy.timezone) > daysLater(facts.paid_through_date, policy.grace_period_days);
}

function debtors({ siblings, policy }: Input, now: number): Unit[] {
  if (!policy.blanket_delinquency) return [];
  return siblings.filter((sibling) => {
    if (!sibling.facts.occupied || sibling.facts.pms_lock_exempt) return false;
    return overrideOf(sibling, now) !== 'exempt' && isPastDue(sibling, policy, now);
  });
}

/** Every instant at which time alone could change anything. */
function turningPoints({ unit, siblings, policy }: Input): number[] {
  const points: number[] = [];
  for (const { facts, override } of [unit, ...siblings]) {
    if (override !== null && override.expires_at !== null) points.push(override.expires_at);
    if (facts.move_in_date !== null) points.push(firstInstantOf(facts.move_in_date, policy.timezone));
    if (facts.paid_through_date !== null) {
      const date = daysLater(facts.paid_through_date, policy.grace_period_days + 1);
      points.push(firstInstantOf(date, policy.timezone));
    }
  }
  return points;
}

function differs(one: Judgement, other: Judgement): boolean {
  return (
    one.state !== other.state ||
    one.reason !== other.reason ||
    JSON.stringify(one.cures) !== JSON.stringify(other.cures) ||
    one.also.join() !== other.also.join()
  );
}
