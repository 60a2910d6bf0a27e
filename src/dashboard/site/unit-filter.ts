import type { AccessReason } from '#domain/access/index.js';
import { validQuery } from '#web/validation/read-query.js';
import { type ListedUnits, UnitSearchQuery } from '#api/operator/index.js';
import { shownStateText } from '../parts/states.js';
import type { StateCounts, UnitFilter } from './site-map.js';

/** The reason of a unit that is denied, but not locked out: its lease has not begun. */
export const NOT_YET: AccessReason = 'future_move_in';

/** In the order of their chips. */
export const UNIT_FILTERS: readonly UnitFilter[] = [
  'tenant_permitted',
  'tenant_denied',
  'exempt',
  'auction',
  'early',
  'vacant',
  'unrentable',
];

export function filterText(filter: UnitFilter): string {
  return filter === 'exempt' ? 'Let in or exempt' : shownStateText(filter);
}

/** The filter in an address. @throws ApiError 422 for one that does not exist */
export function filterIn(state: string | undefined): UnitFilter | undefined {
  return state === 'early' || state === 'exempt' ? state : validQuery(UnitSearchQuery, { state }).state;
}

/** A search that finds at least the units that the filter leaves. @param reason narrows it further */
export function searchOf(filter: UnitFilter | undefined, reason?: AccessReason): Partial<ListedUnits> {
  if (filter === 'early') return { state: 'tenant_denied', reason: NOT_YET };
  if (filter === 'exempt') return { state: 'tenant_permitted', reason };
  const isWide = filter === 'tenant_denied' && reason === undefined;
  return { state: filter, reason, ...(isWide && { locked_out: true }) };
}

/** `262 of 300 rented`; undefined if there is no unit. */
export function rentedText(counts: StateCounts): string | undefined {
  const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const free = (counts.get('vacant') ?? 0) + (counts.get('unrentable') ?? 0);
  if (all === 0) return undefined;
  return `${(all - free).toLocaleString('en-US')} of ${all.toLocaleString('en-US')} rented`;
}
