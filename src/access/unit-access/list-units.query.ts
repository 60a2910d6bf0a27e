import { Query } from '@nestjs/cqrs';
import type { AccessReason, AccessState, Decision } from '../core/decision.js';
import type { DescribedUnit } from './unit-access.js';

/** Which units, of all companies, of some or of one, a page at a time. */
export interface UnitListFilter {
  readonly company_id?: string | undefined;
  /** Without a `company_id`: only these. Pages and cursors show nothing of other companies. */
  readonly companies?: readonly string[] | undefined;
  readonly location_id?: string | undefined;
  readonly state?: AccessState | undefined;
  /** Only units that are in their state for this reason. Without a `state`: the state that the reason belongs to. */
  readonly reason?: AccessReason | undefined;
  /** True: only retired units. Otherwise only units that are not retired. */
  readonly retired?: boolean | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
}

/** Whether a decision is of the state and for the reason that are asked for. */
export function isAskedFor(
  { state, reason }: Pick<Decision, 'state' | 'reason'>,
  wanted: Pick<UnitListFilter, 'state' | 'reason'>,
): boolean {
  return state === (wanted.state ?? state) && reason === (wanted.reason ?? reason);
}

export interface UnitPage {
  readonly units: DescribedUnit[];
  /** null where nothing follows. */
  readonly next_cursor: string | null;
}

/**
 * A page of at most `limit` units as they are at this instant. A page that would read more than 100 parts of locations or 5,000
 * documents is short, although more follow. Without a state units come by location, in the order they were created.
 * @throws InvalidCursorError for a cursor of another list. @throws StoreUnavailableError
 */
export class ListUnits extends Query<UnitPage> {
  constructor(readonly filter: UnitListFilter) {
    super();
  }
}
