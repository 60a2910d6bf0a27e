import { type AccessReason, type AccessState, isLockedOut } from '#domain/access/index.js';
import { amountText, dateText, instantText, lastText } from '../parts/words.js';

interface SentenceAccess {
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  readonly also: readonly string[];
  readonly resolution: readonly SentenceCure[] | null;
  readonly valid_until: string | null;
}

interface SentenceCure {
  readonly crm_unit_id: string;
  /** As staff and tenant know the unit, where that is known. */
  readonly unit_name?: string | undefined;
  readonly field: string;
  /** The balance to pay, where it is known. */
  readonly amount?: number | undefined;
}

/** The fields of a unit that its sentence needs, as the operator API shows them. */
export interface SentenceUnit {
  readonly unit_id: string;
  readonly crm_unit_id: string;
  readonly source_type: string;
  readonly facts: {
    readonly balance_due: number;
    readonly paid_through_date: string | null;
    readonly move_in_date: string | null;
    /** The PMS's own words, which may give its reason of a lockout. */
    readonly pms_status_raw?: string | null;
  };
  readonly access: SentenceAccess & {
    readonly checks?: readonly {
      readonly name: string;
      readonly matched?: boolean;
      readonly looked_at: readonly { readonly name: string; readonly value: unknown }[];
    }[];
  };
  /** The decision that the calendar brings once the resolution is done, where it is known. */
  readonly next?: (SentenceAccess & { readonly from: string }) | null;
  readonly override?: {
    readonly override?: string;
    readonly reason: string;
    readonly expires_at: string | null;
  } | null;
  readonly location: { readonly timezone: string; readonly currency: string; readonly name?: string };
}

/** True if no PMS writes the unit's data. */
export function isStandalone({ source_type }: Pick<SentenceUnit, 'source_type'>): boolean {
  return source_type === 'standalone';
}

/** The decision in one sentence, with what opens the unit. */
export function sentenceOf(unit: SentenceUnit): string {
  const { state, reason } = unit.access;
  if (state === 'tenant_permitted') return permitted(unit);
  if (state === 'tenant_denied') return denied(unit, reason as Denial);
  const rest = needsAfter(unit);
  const then = rest === '' ? '' : ` Then it opens when ${rest}.`;
  return `${IDLE[state](isStandalone(unit) ? 'an operator' : PMS)}${then}`;
}

/** All that a unit in auction or not for rent needs besides the end of that. */
function needsAfter(unit: SentenceUnit): string {
  const cures = unit.access.resolution ?? [];
  const isNeeded = (reason: keyof typeof NEEDS, field: string) =>
    cures.some((cure) => cure.field === field) ? [NEEDS[reason](unit)] : [];
  const owes = debtsOf(cures).map((one) => `${sumText(one, unit)} is paid`);
  const lifted = [...isNeeded('pms_lockout', 'pms_lockout'), ...isNeeded('system_lockout', 'override')];
  return [...lifted, ...owes].join(' and ');
}

export type Denial = Exclude<AccessReason, 'active' | 'pms_exempt' | 'system_exempt'>;

type Idle = Exclude<AccessState, 'tenant_permitted' | 'tenant_denied'>;

const PMS = 'the PMS';

const IDLE: Readonly<Record<Idle, (writer: string) => string>> = {
  vacant: (writer) =>
    `Vacant: nobody rents it, so it opens for nobody.${writer === PMS ? ' The PMS moves its tenants in; here only units that staff added are let.' : ''}`,
  auction: (writer) => `In auction: it opens for nobody until ${writer} ends the auction.`,
  unrentable: (writer) => `Not for rent: it opens for nobody until ${writer} offers it again.`,
};

const WHILE: Readonly<Record<Idle, string>> = {
  vacant: 'nobody rents the unit',
  auction: 'the unit is in auction',
  unrentable: 'the unit is not for rent',
};

/** Such states come before every override. Undefined if an override decides. */
export function idleOverrideText(state: AccessState): string | undefined {
  if (state === 'tenant_permitted' || state === 'tenant_denied') return undefined;
  return `What staff set changes nothing while ${WHILE[state]}.`;
}

/** A key comes with the app, which asks for a phone. Empty if the tenant has one. */
export function noKeyText({ tenant }: { readonly tenant: { readonly phone: string | null } | null }): string {
  return tenant?.phone === null ? 'No phone, so no key: the tenant cannot sign in.' : '';
}

interface Openable {
  readonly access: { readonly state: AccessState };
  readonly locks: readonly unknown[];
  readonly zones: readonly unknown[];
}

/** A unit without a lock and a zone is open in vain. Empty for others. */
export function opensNothingText({ access, locks, zones }: Openable): string {
  if (access.state !== 'tenant_permitted' || locks.length > 0 || zones.length > 0) return '';
  return 'It has no lock and is in no zone, so nobody can open anything with it.';
}

interface WithKeys {
  readonly access: { readonly state: AccessState };
  readonly locks: readonly {
    readonly keys_outstanding: readonly { readonly expires_at: string | null }[];
  }[];
  readonly location: { readonly timezone: string };
}

/** A lock without a network does not learn that the unit was locked. Empty for a unit that is open, and where no key works. */
export function keysStillOpenText({ access, locks, location }: WithKeys): string {
  const ends = locks.flatMap((lock) => lock.keys_outstanding.map(({ expires_at }) => expires_at));
  if (access.state === 'tenant_permitted' || ends.length === 0) return '';
  const known = ends.filter((end) => end !== null);
  if (known.length < ends.length) return 'A key given out before may still open it.';
  const last = new Date(Math.max(...known.map((end) => Date.parse(end)))).toISOString();
  return `A key given out before opens it until ${instantText(last, location.timezone)}.`;
}

/** The debts that lock a unit if they are not paid in time, though it opens or is open before. */
export interface DebtsAhead {
  readonly debts: readonly SentenceCure[];
  /** The last day or minute to pay: `Nov 27, 2026`. */
  readonly by: string;
}

/** Null if no such debt is known. */
export function debtsAhead({ next, location }: SentenceUnit): DebtsAhead | null {
  const debts = debtsOf(next?.resolution);
  return debts.length === 0 ? null : { debts, by: lastText(next!.from, location.timezone) };
}

/** The unit's own balance if neither its cures nor the debts ahead name it; otherwise 0. */
export function otherBalance(unit: SentenceUnit): number {
  const named = [...debtsOf(unit.access.resolution), ...debtsOf(unit.next?.resolution)];
  return named.some(({ crm_unit_id }) => crm_unit_id === unit.crm_unit_id) ? 0 : unit.facts.balance_due;
}

/** `$342.75`, or `$342.75 on B-280` of another unit. */
export function sumText(cure: SentenceCure, unit: SentenceUnit): string {
  const { crm_unit_id, amount } = cure;
  if (crm_unit_id === unit.crm_unit_id) return amountText(unit.facts.balance_due, unit.location.currency);
  const name = cureName(cure);
  return amount === undefined
    ? `the balance of ${name}`
    : `${amountText(amount, unit.location.currency)} on ${name}`;
}

/** The name of the unit of a cure. */
export function cureName({ unit_name, crm_unit_id }: SentenceCure): string {
  return unit_name ?? crm_unit_id;
}

/** `Pay $342.75 by Nov 27, 2026, or it locks again`; empty if no such debt is known. */
export function payAheadText(unit: SentenceUnit): string {
  const ahead = debtsAhead(unit);
  if (ahead === null) return '';
  const isLocked = isLockedOut(unit.access);
  const sums = ahead.debts.map((one) => sumText(one, unit)).join(' and ');
  return `${isLocked ? 'Also pay' : 'Pay'} ${sums} by ${ahead.by}, or it locks${isLocked ? ' again' : ''}`;
}

function permitted(unit: SentenceUnit): string {
  const { access, override, location } = unit;
  const { reason, valid_until } = access;
  const { timezone } = location;
  if (reason === 'pms_exempt')
    return isStandalone(unit)
      ? 'Open: its facts exempt it from every lockout.'
      : 'Open: the PMS exempts it from every lockout.';
  if (reason === 'system_exempt')
    return `Open: let in by staff${saying(override)}${ending(override, timezone)}.${unless(unit)}`;
  const debt = harmlessDebt(unit);
  if (valid_until === null) return `Open.${debt}`;
  const day = instantText(valid_until, timezone, 'day');
  const needs = needsAhead(unit);
  if (needs !== '') return `Open. Locks on ${day} unless ${needs}.`;
  return `Open. This may change on ${day}.${debt}`;
}

/** Why a balance locks nothing, by the policy that the check looked at: ` It owes $45.50, which …`. Empty for other balances. */
function harmlessDebt(unit: SentenceUnit): string {
  const { balance_due, paid_through_date } = unit.facts;
  if (balance_due <= 0) return '';
  const why = whyHarmless(unit, policySeen(unit), paid_through_date);
  return why === '' ? '' : ` It owes ${amountText(balance_due, unit.location.currency)}, ${why}.`;
}

function whyHarmless(
  unit: SentenceUnit,
  { delinquency_mode, balance_threshold }: Readonly<Record<string, unknown>>,
  paid_through_date: string | null,
): string {
  if (delinquency_mode === 'pms_flag_only') return 'which does not lock it: here only the PMS locks units';
  if (typeof balance_threshold === 'number' && unit.facts.balance_due <= balance_threshold)
    return `which does not lock it: up to ${amountText(balance_threshold, unit.location.currency)} is ignored here`;
  if (delinquency_mode !== 'automatic' || paid_through_date !== null) return '';
  const writer = isStandalone(unit) ? 'staff sets one' : 'the PMS sends one';
  return `which never locks it without a paid-through date. Days late are counted once ${writer}`;
}

/** ` Locks then unless $342.75 is paid.`; empty if it stays open. */
function unless(unit: SentenceUnit): string {
  const needs = needsAhead(unit);
  return needs === '' ? '' : ` Locks then unless ${needs}.`;
}

/** The acts without which an open unit locks when its present decision ends; empty if that is not known. */
export function needsAhead({ next, ...unit }: SentenceUnit): string {
  if (next?.state !== 'tenant_denied') return '';
  return needsOf({ ...unit, access: next }, next.reason as Denial);
}

/** The reason of a denial, with everything that must happen before the unit opens. */
function denied(unit: SentenceUnit, reason: Denial): string {
  const others = unit.access.also.filter(isDenial);
  const besides = others.length === 0 ? '' : ` Also: ${others.map((one) => ALSO[one](unit)).join('; ')}.`;
  return `${DENIED[reason](unit)}.${besides} Opens ${opening(unit, reason)}.${again(unit)}`;
}

export function again(unit: SentenceUnit): string {
  const pay = payAheadText(unit);
  return pay === '' ? '' : ` ${pay}.`;
}

function isDenial(reason: string): reason is Denial {
  return reason in DENIED;
}

/** When a unit opens: `on Feb 1, 2026`, `when $319.00 is paid`. */
export function opening(unit: SentenceUnit, reason: Denial, needs = NEEDS): string {
  const acts = needsOf(unit, reason, needs);
  const isEarly = [reason, ...unit.access.also].includes('future_move_in');
  const begins = isEarly ? dateText(unit.facts.move_in_date ?? '') : '';
  if (acts === '') return `on ${begins}`;
  return `when ${acts}${begins === '' ? '' : `, not before ${begins}`}`;
}

/** All that somebody must do before a unit opens, each once. */
function needsOf(unit: SentenceUnit, reason: Denial, needs = NEEDS): string {
  const all = [reason, ...unit.access.also.filter(isDenial)];
  return [...new Set(all.flatMap((one) => (one === 'future_move_in' ? [] : needs[one](unit))))].join(' and ');
}

const DENIED: Readonly<Record<Denial, (unit: SentenceUnit) => string>> = {
  delinquent: (unit) => {
    const { balance_due, paid_through_date } = unit.facts;
    // The paid-through day itself is paid.
    const since =
      paid_through_date === null ? '' : ` since ${dateText(paid_through_date, 1)}${graceOf(unit)}`;
    return `Locked out: ${amountText(balance_due, unit.location.currency)} due${since}`;
  },
  blanket_delinquency: (unit) => `Locked out: the tenant is past due on ${debtorNames(unit)}`,
  pms_lockout: (unit) =>
    isStandalone(unit) ? 'Locked out by its facts' : `Locked out by the PMS${statusOf(unit)}`,
  system_lockout: ({ override, location: { timezone } }) =>
    `Locked out by staff${saying(override)}${ending(override, timezone)}`,
  future_move_in: () => 'Not moved in yet',
};

export const NEEDS: Readonly<Record<Exclude<Denial, 'future_move_in'>, (unit: SentenceUnit) => string>> = {
  delinquent: ({ facts, location }) => `${amountText(facts.balance_due, location.currency)} is paid`,
  blanket_delinquency: debtText,
  pms_lockout: (unit) =>
    isStandalone(unit) ? 'staff lifts the lockout in its facts' : 'the PMS lifts its lockout',
  system_lockout: ({ override }) =>
    override?.expires_at ? 'the lockout ends or staff lifts it' : 'staff lifts its lockout',
};

const ALSO: Readonly<Record<Denial, (unit: SentenceUnit) => string>> = {
  delinquent: () => 'its balance is past due',
  blanket_delinquency: () => 'the tenant is past due on another unit',
  pms_lockout: (unit) => `the PMS locks it out${statusOf(unit)}`,
  system_lockout: () => 'staff has locked it out',
  future_move_in: () => 'the lease has not begun',
};

/** The other units of the tenant that owe. */
function debtorsOf({ crm_unit_id, access: { resolution } }: SentenceUnit): readonly SentenceCure[] {
  return debtsOf(resolution).filter((one) => one.crm_unit_id !== crm_unit_id);
}

function debtsOf(resolution: SentenceAccess['resolution'] | undefined): readonly SentenceCure[] {
  return (resolution ?? []).filter(({ field }) => field === 'balance_due');
}

function debtorNames(unit: SentenceUnit): string {
  const names = debtorsOf(unit).map(cureName);
  return names.join(', ') || 'another unit';
}

function debtText(unit: SentenceUnit): string {
  const debtors = debtorsOf(unit);
  if (debtors.length === 0) return 'the balance of another unit is paid';
  const debts = debtors.map((one) => sumText(one, unit));
  return `${debts.join(' and ')} ${debts.length === 1 ? 'is' : 'are'} paid`;
}

/** The values at which the check of the unit's own debt looked, by name. Empty where the checks are not known. */
function policySeen({ access: { checks = [] } }: SentenceUnit): Readonly<Record<string, unknown>> {
  const seen = checks.find(({ name }) => name === 'delinquent')?.looked_at ?? [];
  return Object.fromEntries(seen.map(({ name, value }) => [name, value]));
}

/** `, grace ended on Nov 6, 2026`, by the policy that the check looked at. */
function graceOf(unit: SentenceUnit): string {
  const { paid_through_date } = unit.facts;
  const { grace_period_days: days } = policySeen(unit);
  if (typeof days !== 'number' || paid_through_date === null) return '';
  return `, grace ended on ${dateText(paid_through_date, days)}`;
}

/** ` (“LOCKED - bad check”)`, by the PMS. */
function statusOf({ facts: { pms_status_raw: status } }: SentenceUnit): string {
  return status ? ` (“${status}”)` : '';
}

function saying(override: SentenceUnit['override']): string {
  return override ? ` (“${override.reason}”)` : '';
}

function ending(override: SentenceUnit['override'], timezone: string): string {
  return override?.expires_at ? `, until ${instantText(override.expires_at, timezone)}` : '';
}
