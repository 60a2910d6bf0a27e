import type { Facts, Override, Share, Unit } from './world.js';
import { VACANT } from './world.js';

/** A tenant who moves in, as a push states it. */
export interface Arrival {
  readonly pms_tenant_id: string;
  readonly move_in_date: string;
  readonly ledger_id?: string | null | undefined;
}

export type Changeable = Partial<
  Pick<
    Facts,
    | 'balance_due'
    | 'paid_through_date'
    | 'pms_lockout'
    | 'pms_lock_exempt'
    | 'pms_auction'
    | 'pms_unrentable'
    | 'pms_status_raw'
  >
>;

export const CHANGEABLE = [
  'balance_due',
  'paid_through_date',
  'pms_lockout',
  'pms_lock_exempt',
  'pms_auction',
  'pms_unrentable',
  'pms_status_raw',
] as const;

/** @param named what the same write says of the unit. @returns warnings */
export function moveIn(unit: Unit, arrival: Arrival, named: Changeable): string[] {
  const { pms_tenant_id, move_in_date, ledger_id } = arrival;
  const stays = unit.facts.occupied && unit.facts.pms_tenant_id === pms_tenant_id;
  const standing = stays ? unit.facts.ledger_id : null;
  const ledger = ledger_id === undefined ? standing : ledger_id;
  const next = { ...unit.facts, occupied: true, pms_tenant_id, move_in_date, ledger_id: ledger };
  if (JSON.stringify(next) === JSON.stringify(unit.facts)) return [];
  const replaces = unit.facts.occupied && !stays;
  if (replaces) endStay(unit);
  const warnings = [...(replaces ? ['tenant_replaced'] : []), ...(stays ? [] : carriedOver(unit, named))];
  unit.facts = next;
  unit.events += 1;
  hold(unit, pms_tenant_id);
  return warnings;
}

function carriedOver(
  { facts: { balance_due, pms_lock_exempt, pms_lockout } }: Unit,
  named: Changeable,
): string[] {
  return [
    ...(balance_due > 0 && named.balance_due === undefined ? ['balance_carried_over'] : []),
    ...(pms_lock_exempt && named.pms_lock_exempt === undefined ? ['exemption_carried_over'] : []),
    ...(pms_lockout && named.pms_lockout === undefined ? ['lockout_carried_over'] : []),
  ];
}

/** A vacant unit has nothing to move out. */
export function moveOut(unit: Unit): string[] {
  if (!unit.facts.occupied) return [];
  const warnings = unit.facts.pms_unrentable ? ['unrentable_cleared'] : [];
  leave(unit);
  return warnings;
}

/** What concerns the tenant goes along. @param now by the company's clock */
export function transfer(from: Unit, to: Unit, now: number): void {
  const { pms_tenant_id, ledger_id, move_in_date } = from.facts;
  const { balance_due, paid_through_date, pms_lockout, pms_lock_exempt, pms_unrentable } = from.facts;
  to.facts = { ...to.facts, occupied: true, pms_tenant_id, ledger_id, move_in_date };
  to.events += 2;
  hold(to, pms_tenant_id!);
  changeFacts(to, { balance_due, paid_through_date, pms_lockout, pms_lock_exempt });
  for (const other of sharesNow(from, now)) {
    share(to, other, now);
    if (from.given.includes(other.pms_tenant_id)) to.given = [...to.given, other.pms_tenant_id];
  }
  const ends = from.override?.expires_at ?? Infinity;
  if (from.override !== null && now < ends) setOverride(to, from.override);
  leave(from);
  from.events += 1;
  changeFacts(from, { pms_unrentable });
}

/** The full state of a unit without a tenant: all is reset, whatever it was before, and then what is named applies. */
export function empty(unit: Unit, named: Changeable): string[] {
  const { occupied, pms_unrentable, pms_auction, pms_lockout } = unit.facts;
  const cleared = [
    ...(pms_unrentable && named.pms_unrentable === undefined ? ['unrentable_cleared'] : []),
    ...(!occupied && pms_auction && named.pms_auction === undefined ? ['auction_cleared'] : []),
    ...(!occupied && pms_lockout && named.pms_lockout === undefined ? ['lockout_cleared'] : []),
  ];
  if (occupied) leave(unit);
  changeFacts(unit, { ...VACANT, pms_status_raw: unit.facts.pms_status_raw, ...named });
  return cleared;
}

function leave(unit: Unit): void {
  endStay(unit);
  unit.facts = { ...VACANT, pms_status_raw: unit.facts.pms_status_raw };
  unit.events += 1;
}

export function changeFacts(unit: Unit, changes: Changeable): void {
  const next = { ...unit.facts, ...changes };
  if (JSON.stringify(next) === JSON.stringify(unit.facts)) return;
  unit.facts = next;
  unit.events += 1;
}

export function setOverride(unit: Unit, override: Override): void {
  if (JSON.stringify(unit.override) === JSON.stringify(override)) return;
  unit.override = override;
  unit.events += 1;
}

export function clearOverride(unit: Unit): void {
  if (unit.override === null) return;
  unit.override = null;
  unit.events += 1;
}

export function sharesNow({ shares }: Unit, now: number): Share[] {
  return shares.filter(({ until }) => until === null || now < until);
}

/** Another end replaces that of a share, in its place. */
export function share(unit: Unit, given: Share, now: number): void {
  const { pms_tenant_id } = given;
  const isGiven = unit.given.includes(pms_tenant_id);
  const isOver = !sharesNow(unit, now).some((one) => one.pms_tenant_id === pms_tenant_id);
  const isSame = unit.shares.some((one) => one.pms_tenant_id === pms_tenant_id && one.until === given.until);
  // A new one of staff begins, and does not prolong the tenant's.
  if (isGiven && isOver && !isSame) endShare(unit, pms_tenant_id);
  const place = unit.shares.findIndex(({ pms_tenant_id }) => pms_tenant_id === given.pms_tenant_id);
  if (place !== -1 && unit.shares[place]!.until === given.until) return;
  unit.shares = place === -1 ? [...unit.shares, given] : unit.shares.with(place, given);
  unit.events += 1;
  hold(unit, given.pms_tenant_id);
}

/** Nothing opens yet. */
export function offerShare(unit: Unit): void {
  unit.events += 1;
}

export function refuseCode(unit: Unit): void {
  unit.events += 1;
}

/** Also one that is there already: it has another end then. */
export function acceptShare(unit: Unit, given: Share): void {
  const { pms_tenant_id } = given;
  const place = unit.shares.findIndex((one) => one.pms_tenant_id === pms_tenant_id);
  unit.shares = place === -1 ? [...unit.shares, given] : unit.shares.with(place, given);
  unit.given = [...new Set([...unit.given, pms_tenant_id])];
  unit.events += 1;
  hold(unit, pms_tenant_id);
}

export function endShare(unit: Unit, pms_tenant_id: string): void {
  const others = unit.shares.filter((other) => other.pms_tenant_id !== pms_tenant_id);
  if (others.length === unit.shares.length) return;
  unit.given = unit.given.filter((other) => other !== pms_tenant_id);
  unit.shares = others;
  unit.events += 1;
}

export function retire(unit: Unit): void {
  if (unit.retired) return;
  unit.retired = true;
  unit.events += 1;
}

/** @returns warnings of a write that brings the unit back */
export function revive(unit: Unit): string[] {
  if (!unit.retired) return [];
  unit.retired = false;
  unit.events += 1;
  return ['unit_revived'];
}

export function rename(unit: Unit, name: string): void {
  if (unit.name === name) return;
  unit.name = name;
  unit.events += 1;
}

/** With a tenant go the shares that they gave and the operator's override. */
function endStay(unit: Unit): void {
  for (const { pms_tenant_id } of unit.shares) endShare(unit, pms_tenant_id);
  clearOverride(unit);
}

function hold(unit: Unit, pms_tenant_id: string): void {
  if (!unit.held.includes(pms_tenant_id)) unit.held = [...unit.held, pms_tenant_id];
}
