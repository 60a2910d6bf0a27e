import { Query } from '@nestjs/cqrs';
import type { AccessReason, AccessState, Decision } from '../core/decision.js';
import type { DescribedUnit } from './unit-access.js';

/** Which units, of all companies, of some or of one, a page at a time. */
export interface UnitListFilter {
  readonly company_id?: string | undefined;
  /** Where no one company is named, only these; of them all a page reads nothing of others, nor does its cursor name any. */
  readonly companies?: readonly string[] | undefined;
  readonly location_id?: string | undefined;
  readonly state?: AccessState | undefined;
  /** Those only that are in their state for this reason. */
  readonly reason?: AccessReason | undefined;
  /** Those only that are retired; where it is not said, those only that are not. */
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
 * A page of at most `limit` units as they are at this instant, which may be short or empty although more follow. Without a
 * state units come by location and in the order they were created.
 * @throws InvalidCursorError for a cursor of another list. @throws StoreUnavailableError
 */
export class ListUnits extends Query<UnitPage> {
  constructor(readonly filter: UnitListFilter) {
    super();
  }
}
