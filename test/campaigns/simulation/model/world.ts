import { daysLater, firstInstantOf, localDate } from './calendar.js';

/** The simulation's belief about the service: plain data, no events, no views. */

export interface Policy {
  readonly timezone: string;
  readonly grace_period_days: number;
  readonly balance_threshold: number;
  readonly blanket_delinquency: boolean;
  readonly delinquency_mode: 'automatic' | 'pms_flag_only';
}

/** The texts that tenants of a place get. */
export interface Notices {
  readonly welcome: boolean;
  readonly closes_in_days: number | null;
  readonly closed: boolean;
  readonly opened: boolean;
}

export const NO_NOTICES: Notices = { welcome: false, closes_in_days: null, closed: false, opened: false };

export interface Lock {
  readonly lock_id: string;
  readonly name: string;
  /** Key of the unit that it is on. */
  unit: string | null;
  /** An instant at which it certainly was there, or off, already. */
  since: number;
  /** Reports that the log must hold. */
  reports: number;
}

export interface Gate {
  readonly entry_point_id: string;
  readonly zones: readonly string[];
  in_service: boolean;
}

export interface Place {
  readonly company: number;
  readonly code: string;
  readonly location_id: string;
  name: string;
  policy: Policy;
  notices: Notices;
  /** By the world's clock: an instant at which each certainly was not on any more, or not yet. Null: it is off. */
  notices_since: Readonly<Record<keyof Notices, number | null>>;
  readonly locks: Lock[];
  readonly zones: readonly string[];
  readonly gates: Gate[];
}

export interface Company {
  readonly company_id: string;
  readonly name: string;
  readonly token: string;
  readonly places: Place[];
  /** Milliseconds that its clock is ahead of the world's; null of a company that is no sandbox. */
  ahead: number | null;
}

export interface Facts {
  occupied: boolean;
  pms_tenant_id: string | null;
  ledger_id: string | null;
  move_in_date: string | null;
  balance_due: number;
  paid_through_date: string | null;
  pms_lockout: boolean;
  pms_lock_exempt: boolean;
  pms_auction: boolean;
  pms_unrentable: boolean;
  pms_status_raw: string | null;
}

export interface Override {
  readonly override: 'lockout' | 'exempt';
  readonly reason: string;
  readonly expires_at: number | null;
}

export interface Share {
  readonly pms_tenant_id: string;
  /** Null: it has no end. */
  readonly until: number | null;
}

export interface Unit {
  readonly company: number;
  readonly crm_unit_id: string;
  readonly place: string;
  readonly source: 'push' | 'standalone';
  name: string;
  /** Learned from the service. */
  unit_id: string | null;
  /** How many events its stream holds. */
  events: number;
  facts: Facts;
  override: Override | null;
  /** Some may have ended by themselves. */
  shares: Share[];
  /** PMS ids of those among them whom the tenant let in, and not staff. */
  given: string[];
  /** PMS ids of all who ever rented or shared it. */
  held: string[];
  zones: string[];
  last_accessed_at: number | null;
  /** Made by mistake: out of lists, and for integrators not there. */
  retired: boolean;
}

/** A tenant's account at a place. */
export interface Account {
  readonly company: number;
  readonly place: string;
  readonly pms_tenant_id: string;
  tenant_id: string | null;
  name: string;
  email: string | null;
  phone: string | null;
  /** A write that carried the person was not answered: it may have been recorded, or not. */
  unsure: boolean;
  /** No PMS gives it a person any more; an operator does. */
  erased: boolean;
}

/** A pass of somebody who rents nothing. */
export interface Pass {
  readonly company: number;
  readonly place: string;
  /** Whose number it is for, among those of the company. */
  readonly holder: number;
  readonly pass_id: string;
  readonly tenant_id: string;
  readonly entry_point_id: string;
  /** By the company's clock, as `ended_at`. */
  until: number;
  ended_at: number | null;
  readonly units: readonly NamedUnit[];
}

interface NamedUnit {
  readonly key: string;
  /** How many events its stream held when the pass named it. */
  readonly events: number;
  /** It was let since, or so it was told. */
  lost: boolean;
}

export interface Session {
  readonly token: string;
  readonly account: string;
  /** By the company's clock. */
  readonly until: number;
}

/** A command that was answered under an Idempotency-Key. */
export interface Keyed {
  readonly key: string;
  readonly company: number;
  readonly op: string;
  readonly args: unknown;
  readonly status: number;
  readonly text: string;
  readonly since: number;
}

/** A unit as a read showed it at an instant. */
export interface Remembered {
  readonly unit: string;
  /** By the company's clock. */
  readonly at: number;
  readonly shown: unknown;
  readonly retired: boolean;
  /** In force then. */
  readonly shares: readonly Share[];
}

export class World {
  readonly companies: Company[] = [];
  /** By `unitKey`. */
  readonly units = new Map<string, Unit>();
  /** By `accountKey`. */
  readonly accounts = new Map<string, Account>();
  readonly sessions: Session[] = [];
  readonly passes: Pass[] = [];
  /** By `keyedName`. */
  readonly keyed = new Map<string, Keyed>();
  readonly remembered: Remembered[] = [];
  /** The newest code that was sent to a phone. */
  readonly codes = new Map<string, string>();
  operatorToken = '';
  /** By the world's clock. */
  now = 0;

  /** The time of a company. */
  nowOf(company: number): number {
    return this.now + this.aheadOf(company);
  }

  /** Milliseconds that a company's clock is ahead of the world's. */
  aheadOf(company: number): number {
    return this.companies[company]!.ahead ?? 0;
  }

  /** The accounts that a real phone number signs in to: none of a sandbox. */
  openedBy(phone: string): Account[] {
    const accounts = [...this.accounts.values()].filter((one) => one.phone === phone);
    return accounts.filter(({ company }) => this.companies[company]!.ahead === null);
  }

  /** Milliseconds until a place's next day begins. */
  untilMidnight({ company, policy: { timezone } }: Place): number {
    const now = this.nowOf(company);
    return firstInstantOf(daysLater(localDate(now, timezone), 1), timezone) - now;
  }

  placeOf(unit: Pick<Unit, 'company' | 'place'>): Place {
    return this.place(unit.company, unit.place)!;
  }

  place(company: number, code: string): Place | undefined {
    return this.companies[company]!.places.find((place) => place.code === code);
  }

  places(): Place[] {
    return this.companies.flatMap(({ places }) => places);
  }

  /** The units that a tenant rents. */
  rentedBy(company: number, place: string, pms_tenant_id: string): Unit[] {
    return [...this.units.values()].filter(
      (unit) =>
        unit.company === company &&
        unit.place === place &&
        unit.facts.occupied &&
        unit.facts.pms_tenant_id === pms_tenant_id,
    );
  }

  /** The tenant's account, which the first naming makes. */
  account(company: number, place: string, pms_tenant_id: string): Account {
    const key = accountKey(company, place, pms_tenant_id);
    let account = this.accounts.get(key);
    if (account === undefined) {
      account = {
        company,
        place,
        pms_tenant_id,
        tenant_id: null,
        name: '',
        email: null,
        phone: null,
        unsure: false,
        erased: false,
      };
      this.accounts.set(key, account);
    }
    return account;
  }
}

export function unitKey(company: number, crm_unit_id: string): string {
  return `${company}/${crm_unit_id}`;
}

/** Whose unit a `unitKey` names. */
export function companyOf(key: string): number {
  return Number(key.slice(0, key.indexOf('/')));
}

/** A key is a company's own. */
export function keyedName(company: number, key: string): string {
  return `${company} ${key}`;
}

export function accountKey(company: number, place: string, pms_tenant_id: string): string {
  return `${company}/${place}/${pms_tenant_id}`;
}

export const VACANT: Facts = {
  occupied: false,
  pms_tenant_id: null,
  ledger_id: null,
  move_in_date: null,
  balance_due: 0,
  paid_through_date: null,
  pms_lockout: false,
  pms_lock_exempt: false,
  pms_auction: false,
  pms_unrentable: false,
  pms_status_raw: null,
};
