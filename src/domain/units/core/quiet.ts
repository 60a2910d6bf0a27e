import type { UnitFacts } from './fact-catalogue.js';
import type { AccessOverride } from './override-catalogue.js';

const DAY_MS = 24 * 60 * 60_000;

/**
 * From when on nothing in the unit denies its tenant, under any policy and while nothing is written (milliseconds). Its tenant's
 * other units still may, by blanket delinquency. Infinity: something denies the tenant, or may.
 */
export function quietFrom(facts: UnitFacts, override: AccessOverride | null): number {
  const { occupied, move_in_date, paid_through_date } = facts;
  if (!occupied) return -Infinity;
  if (override?.override === 'lockout') return Infinity;
  const mayOwe = facts.balance_due > 0 && paid_through_date !== null;
  if (!facts.pms_lock_exempt && (facts.pms_lockout || mayOwe)) return Infinity;
  // A day begins within 24 hours of its beginning in UTC, wherever the location is.
  return move_in_date === null ? -Infinity : startOfDayUtc(move_in_date) + DAY_MS;
}

function startOfDayUtc(date: string): number {
  // eslint-disable-next-line no-restricted-globals -- parses a text, reads no clock
  return Date.parse(date);
}
