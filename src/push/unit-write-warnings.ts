import { Injectable } from '@nestjs/common';
import { standingWarnings, WARNING_MESSAGES, type WarningCode } from '../access/index.js';
import { type LocationDocument, LocationDirectory } from '../locations/index.js';
import { type StatedWrite, touchedFacts, type UnitOutcome, type UnitWarning } from '../units/index.js';

/** What an accepted write should make its sender think (decisions on warnings). */
export interface WriteWarning {
  readonly code: UnitWarning | WarningCode;
  readonly message: string;
}

export const UNIT_WARNING_MESSAGES: Readonly<Record<UnitWarning, string>> = {
  balance_carried_over:
    'Another tenant moved in on a unit that owes a balance. The balance stays: send balance_due if it is not the new tenant’s.',
  exemption_carried_over:
    'Another tenant moved in on a unit that is exempt from lockout. The exemption stays: send pms_lock_exempt false if it is not the new tenant’s.',
  lockout_carried_over:
    'Another tenant moved in on a unit that is locked out. The lockout stays: send pms_lockout false if it is not the new tenant’s.',
  unrentable_cleared:
    'The reset put pms_unrentable to false. Send it again if the unit is still not for rent.',
  auction_cleared: 'The reset took a vacant unit out of auction. Send pms_auction again if it still holds.',
  lockout_cleared: 'The reset of a vacant unit cleared pms_lockout. Send it again if it still holds.',
  personal_data_suppressed:
    'The tenant’s personal details were erased and stay so; the given ones were not recorded. The operator can record them again.',
  location_ignored: 'The unit exists and keeps its location; the given one was ignored.',
  unit_revived: 'The unit had been retired as made by mistake. This write has brought it back.',
  unit_name_ignored:
    'The unit exists and keeps its name; the given one was ignored. The operator can rename it.',
};

/** The warnings of writes. All methods throw StoreUnavailableError. */
@Injectable()
export class UnitWriteWarnings {
  constructor(private readonly locations: LocationDirectory) {}

  /** To be taken before the writes, so that a location which they have read is not read again. */
  get mark(): number {
    return this.locations.mark;
  }

  /** In the order of `writes`; none for a write that was refused. */
  async of(
    writes: readonly StatedWrite[],
    outcomes: readonly UnitOutcome[],
    mark: number,
  ): Promise<WriteWarning[][]> {
    const locations = await this.#locations(writes, outcomes, mark);
    return outcomes.map((outcome, place) => {
      if (outcome.kind === 'rejected') return [];
      const told = outcome.result.warnings.map((code) => ({ code, message: UNIT_WARNING_MESSAGES[code] }));
      return [...told, ...this.#standing(writes[place]!, outcome, locations)];
    });
  }

  #standing(
    write: StatedWrite,
    { after, applied_at }: UnitOutcome & { kind: 'done' },
    locations: ReadonlyMap<string, LocationDocument>,
  ): WriteWarning[] {
    const touched = touchedFacts(write);
    const unit = after!.state;
    const location = locations.get(unit.location_id);
    if (touched.size === 0 || location === undefined) return [];
    const codes = standingWarnings(unit.facts, unit.override, location.policy, applied_at, touched);
    return codes.map((code) => ({ code, message: WARNING_MESSAGES[code] }));
  }

  async #locations(
    writes: readonly StatedWrite[],
    outcomes: readonly UnitOutcome[],
    mark: number,
  ): Promise<ReadonlyMap<string, LocationDocument>> {
    const ids = outcomes.flatMap((outcome, place) =>
      outcome.kind === 'done' && touchedFacts(writes[place]!).size > 0
        ? [outcome.after!.state.location_id]
        : [],
    );
    return this.locations.readSince(mark, [...new Set(ids)]);
  }
}
