import { isLockedOut } from '#domain/access/index.js';
import { amountText, instantText } from '../parts/words.js';
import {
  again,
  debtsAhead,
  type Denial,
  NEEDS,
  needsAhead,
  opening,
  otherBalance,
  type SentenceUnit,
  sumText,
} from './sentence.js';

/** A tenant knows neither a PMS nor an override. */
const NEEDS_FOR_TENANT: Partial<typeof NEEDS> = {
  pms_lockout: () => 'we lift the lockout',
  system_lockout: ({ override, location: { timezone } }) =>
    override?.expires_at
      ? `the lockout ends on ${instantText(override.expires_at, timezone)}`
      : 'we lift the lockout',
};

/**
 * A text for the tenant of a unit that is locked, not open yet or due to lock, or that staff let in, or of one in auction or
 * not for rent that owes. Null for other units.
 */
export function messageOf(
  unit: SentenceUnit & { readonly unit_name: string },
  tenant: string | null,
): string | null {
  const news = newsOf(unit);
  if (news === null) return null;
  const greeting = tenant === null ? '' : `Hello ${tenant}. `;
  return `${greeting}Unit ${unit.unit_name} at ${unit.location.name ?? 'our facility'} is ${news}`;
}

function newsOfDenied(unit: SentenceUnit, reason: Denial): string {
  const opens = opening(unit, reason, { ...NEEDS, ...NEEDS_FOR_TENANT });
  const pay = again(unit).replace(/[AP]/, (first) => `Please ${first.toLowerCase()}`);
  const other = isLockedOut(unit.access) ? otherBalance(unit) : 0;
  const owes = other > 0 ? ` You owe ${amountText(other, unit.location.currency)}.` : '';
  return `${reason === 'future_move_in' ? 'not open yet' : 'locked'}. It opens ${opens}.${pay}${owes}`;
}

function newsOf(unit: SentenceUnit): string | null {
  const { state, reason, valid_until } = unit.access;
  if (state === 'tenant_denied') return newsOfDenied(unit, reason as Denial);
  if (reason === 'system_exempt') return newsOfLetIn(unit);
  if (state === 'auction' || state === 'unrentable') return newsOfIdle(unit, state);
  const needs = reason === 'active' ? needsAhead(unit) : '';
  if (needs === '' || valid_until === null) return null;
  return `open. It locks on ${instantText(valid_until, unit.location.timezone, 'day')} unless ${needs}.`;
}

/** Null if nothing is owed: then there is nothing to ask for. */
function newsOfIdle(
  { facts: { balance_due }, location: { currency } }: SentenceUnit,
  state: 'auction' | 'unrentable',
): string | null {
  if (balance_due <= 0) return null;
  const owes = amountText(balance_due, currency);
  return `${state === 'auction' ? 'in auction' : 'out of use'}. You owe ${owes}. Please call us.`;
}

function newsOfLetIn(unit: SentenceUnit): string {
  const { override, facts, location } = unit;
  const until = override?.expires_at ? ` until ${instantText(override.expires_at, location.timezone)}` : '';
  const by = until === '' ? '' : ' by then';
  const own = facts.balance_due > 0 ? [amountText(facts.balance_due, location.currency)] : [];
  const sums = debtsAhead(unit)?.debts.map((one) => sumText(one, unit)) ?? own;
  const pay = sums.length > 0 ? ` Please pay ${sums.join(' and ')}${by}.` : '';
  return `open${until}.${pay}`;
}
