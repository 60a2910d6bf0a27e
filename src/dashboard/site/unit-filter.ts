import { ACCESS_STATES, type AccessReason } from '#domain/access/index.js';
import { validQuery } from '#web/validation/read-query.js';
import { type ListedUnits, UnitSearchQuery } from '#api/operator/index.js';
import type { ShownState } from '../parts/states.js';

/** The reason of a unit that is denied, but not locked out: its lease has not begun. */
export const NOT_YET: AccessReason = 'future_move_in';

/** What lists of units are filtered by, in the order of their tabs. */
export const UNIT_FILTERS: readonly ShownState[] = ACCESS_STATES.flatMap((state): ShownState[] =>
  state === 'tenant_denied' ? [state, 'early'] : [state],
);

/** The filter in an address. @throws ApiError 422 for one that does not exist */
export function filterIn(state: string | undefined): ShownState | undefined {
  return state === 'early' ? state : validQuery(UnitSearchQuery, { state }).state;
}

/** The same as a search. @param reason narrows it further */
export function searchOf(filter: ShownState | undefined, reason?: AccessReason): Partial<ListedUnits> {
  if (filter === 'early') return { state: 'tenant_denied', reason: NOT_YET };
  const isWide = filter === 'tenant_denied' && reason === undefined;
  return { state: filter, reason, ...(isWide && { locked_out: true }) };
}
