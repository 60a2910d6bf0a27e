import { searchName } from '../../base/core/search-name.js';
import type { AccessReason, AccessState } from '../../access/index.js';

export interface TableUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly crm_unit_id: string;
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  readonly tenant_id: string | null;
  readonly pms_tenant_id: string | null;
  /** Null where nobody rents it. */
  readonly tenant: string | null;
  /** Absent before the tenants are read. */
  readonly phone?: string | null;
  /** A decimal amount. */
  readonly balance_due: number;
  readonly paid_through_date: string | null;
  /** Milliseconds; null if before the counted days, undefined if the unit is not locked out or not counted yet. */
  readonly locked_out_since: number | null | undefined;
}

/** The sort orders of the table. */
export const SORTS = ['unit', 'tenant', 'state', 'balance', 'paid', 'since'] as const;
export type Sort = (typeof SORTS)[number];

const COLLATOR = new Intl.Collator('en', { numeric: true });
/** Behind every name and date. */
const NONE = '\u{10FFFF}';

type Compare = (one: TableUnit, other: TableUnit) => number;

const byName: Compare = (one, other) => COLLATOR.compare(one.unit_name, other.unit_name);
const COMPARES: Readonly<Record<Sort, Compare>> = {
  unit: byName,
  tenant: (one, other) => COLLATOR.compare(one.tenant ?? NONE, other.tenant ?? NONE),
  state: (one, other) => compare(stateKey(one), stateKey(other)),
  balance: (one, other) => one.balance_due - other.balance_due,
  paid: (one, other) => compare(one.paid_through_date ?? NONE, other.paid_through_date ?? NONE),
  since: (one, other) => sinceOrder(one) - sinceOrder(other),
};

/** Sorts units; equal ones by name. */
export function sorted(units: readonly TableUnit[], sort: Sort, isDescending: boolean): TableUnit[] {
  const sign = isDescending ? -1 : 1;
  return [...units].sort((one, other) => sign * COMPARES[sort](one, other) || byName(one, other));
}

/** The words of a search, as {@link matches} takes them. */
export function wordsOf(text: string): string[] {
  return text
    .split(/[\s,]+/)
    .map(searchName)
    .filter((word) => word !== '');
}

/** Whether each word is in a unit's name, its identifier or its tenant's name. */
export function matches({ unit_name, crm_unit_id, tenant }: TableUnit, words: readonly string[]): boolean {
  const names = [unit_name, crm_unit_id, tenant ?? ''].map(searchName);
  return words.every((word) => names.some((name) => name.includes(word)));
}

/** Units that are not locked out come last. */
function sinceOrder({ locked_out_since }: TableUnit): number {
  return locked_out_since === undefined ? Number.MAX_VALUE : (locked_out_since ?? 0);
}

function stateKey({ state, reason }: TableUnit): string {
  return `${state} ${reason ?? ''}`;
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
