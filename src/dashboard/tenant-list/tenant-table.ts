import { daysLate } from '#api/operator/index.js';
import { type AccessState, isLockedOut } from '#domain/access/index.js';
import { sortInTurns } from '#kernel/sort-in-turns.js';
import type { Yielder } from '#kernel/yielder.js';
import { byText, comparing, type Order } from '../parts/sorting.js';
import { type ListedTenant, nameOf } from '../parts/tenant-links.js';

export interface TenantSite {
  readonly location_id: string;
  readonly name: string;
  readonly timezone: string;
  readonly currency: string;
}

type Owing = Parameters<typeof daysLate>[0];

/** What units owe together as a decimal amount, and the days of the one that is late longest. @param today at their site */
export function sumsOf(units: readonly Owing[], today: string) {
  const cents = units.reduce((sum, { balance_due }) => sum + Math.max(Math.round(balance_due * 100), 0), 0);
  const late = units.flatMap((unit) => daysLate(unit, today) ?? []);
  return { owed: cents / 100, days_late: late.length === 0 ? null : Math.max(...late) };
}

interface RentedUnit {
  readonly state: AccessState;
  readonly reason: string | null;
  /** Days since the paid-through date; null if nothing is late. */
  readonly days_late: number | null;
}

/** A tenant with what the units that the tenant rents add up to. */
export interface TableTenant extends ListedTenant {
  readonly site: TenantSite;
  /** True for a person with whom units are shared, and whom no PMS knows. */
  readonly isGuest: boolean;
  /** True for an account of the service's own: a guest's, or one that holds passes. */
  readonly isOwn: boolean;
  readonly rented: readonly RentedUnit[];
  /** A decimal amount. */
  readonly owed: number;
  /** Of the unit that is late longest. */
  readonly days_late: number | null;
}

/** What a list of tenants is filtered by. A tenant may have several. */
export type TenantFilter =
  'renting' | 'locked_out' | 'late' | 'let_in' | 'auction' | 'no_phone' | 'no_unit' | 'guest' | 'pass_holder';

const LOCKED_OUT = ({ rented }: TableTenant) => rented.some(isLockedOut);

/** Whoever is listed rents, has no unit, is a guest or holds a pass. */
const TESTS: Readonly<Record<TenantFilter, (tenant: TableTenant) => boolean>> = {
  renting: ({ rented }) => rented.length > 0,
  locked_out: LOCKED_OUT,
  late: (tenant) => !LOCKED_OUT(tenant) && tenant.rented.some(isLateYetOpen),
  let_in: ({ rented }) => rented.some(({ reason }) => reason === 'system_exempt'),
  auction: ({ rented }) => rented.some(({ state }) => state === 'auction'),
  no_phone: ({ phone, rented }) => phone === null && rented.length > 0,
  no_unit: ({ rented, isOwn }) => rented.length === 0 && !isOwn,
  guest: ({ isGuest }) => isGuest,
  pass_holder: ({ isOwn, isGuest }) => isOwn && !isGuest,
};

/** In the order of their chips. */
export const TENANT_FILTERS = Object.keys(TESTS) as TenantFilter[];

/** An exempt unit never locks, however late it is. */
function isLateYetOpen({ state, reason, days_late }: RentedUnit): boolean {
  return days_late !== null && state === 'tenant_permitted' && reason === 'active';
}

export function isOfFilter(tenant: TableTenant, filter: TenantFilter | undefined): boolean {
  return filter === undefined || TESTS[filter](tenant);
}

export type TenantCounts = ReadonlyMap<TenantFilter, number>;

export function countTenants(tenants: readonly TableTenant[]): TenantCounts {
  return new Map(TENANT_FILTERS.map((filter) => [filter, tenants.filter(TESTS[filter]).length]));
}

export const TENANT_SORTS = ['owed', 'late', 'name', 'site'] as const;
export type TenantSort = (typeof TENANT_SORTS)[number];

const byName = byText<TableTenant>(nameOf);

const COMPARES: Readonly<Record<TenantSort, (one: TableTenant, other: TableTenant) => number>> = {
  owed: (one, other) => one.owed - other.owed,
  late: (one, other) => (one.days_late ?? 0) - (other.days_late ?? 0),
  name: byName,
  site: byText(({ site }) => site.name),
};

/** Sorts tenants, who may be tens of thousands; equal ones by name. @throws GivenUpError */
export function sortTenants(
  tenants: readonly TableTenant[],
  order: Order<TenantSort>,
  yielder: Yielder,
): Promise<readonly TableTenant[]> {
  return sortInTurns(tenants, comparing(order, COMPARES, byName), yielder);
}
