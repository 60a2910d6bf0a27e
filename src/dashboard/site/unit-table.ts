import type { AccessReason, AccessState } from '#domain/access/index.js';
import { matcherOf, searchForms } from '#kernel/core/search.js';
import { sortInTurns } from '#kernel/sort-in-turns.js';
import type { Yielder } from '#kernel/yielder.js';
import { byText, comparing, inOrder, LAST, type Order } from '../parts/sorting.js';

export interface TableUnit {
  readonly unit_id: string;
  readonly unit_name: string;
  readonly crm_unit_id: string;
  /** The forms of both. */
  readonly search_names: readonly string[];
  readonly source_type: string;
  readonly state: AccessState;
  readonly reason: AccessReason | null;
  readonly round_the_clock: boolean;
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

type Compare = (one: TableUnit, other: TableUnit) => number;

const byName = byText(({ unit_name }: TableUnit) => unit_name);
const COMPARES: Readonly<Record<Sort, Compare>> = {
  unit: byName,
  tenant: byText(({ tenant }) => tenant),
  state: (one, other) => compare(stateKey(one), stateKey(other)),
  balance: (one, other) => one.balance_due - other.balance_due,
  paid: (one, other) => compare(one.paid_through_date ?? LAST, other.paid_through_date ?? LAST),
  since: (one, other) => sinceOrder(one) - sinceOrder(other),
};

/** Sorts the units of one site; equal ones by name. */
export function sorted<Unit extends TableUnit>(units: readonly Unit[], order: Order<Sort>): Unit[] {
  return inOrder(units, order, COMPARES, byName);
}

/** The same of several sites: there may be tens of thousands. @throws GivenUpError */
export function sortUnits<Unit extends TableUnit>(
  units: readonly Unit[],
  order: Order<Sort>,
  yielder: Yielder,
): Promise<Unit[]> {
  return sortInTurns<Unit>(units, comparing(order, COMPARES, byName), yielder);
}

/** The units that a text finds by their names, their identifiers or their tenants' names. */
export function unitsFound<Unit extends TableUnit>(units: readonly Unit[], text: string): readonly Unit[] {
  const matches = matcherOf(text);
  return units.filter(({ search_names, tenant }) => matches([...search_names, ...searchForms(tenant ?? '')]));
}

/** Units that are not locked out count as locked out last. */
function sinceOrder({ locked_out_since }: TableUnit): number {
  return locked_out_since === undefined ? Number.MAX_VALUE : (locked_out_since ?? 0);
}

function stateKey({ state, reason }: TableUnit): string {
  return `${state} ${reason ?? ''}`;
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
