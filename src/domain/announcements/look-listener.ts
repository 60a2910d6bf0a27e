import type { LocationDocument } from '#domain/locations/index.js';
import type { UnitDocument } from '#domain/units/index.js';

/** A unit that was looked at, as the views showed it then. */
export interface LookedAtUnit {
  readonly unit: UnitDocument;
  readonly location: LocationDocument;
}

/** Learns of units whose access may have changed, or the instant of its next change. Optional. app.module.ts binds it. */
export abstract class LookListener {
  /**
   * What is to be announced about the units stands in the log already. Repeated after a crash or a failure.
   * @throws StoreUnavailableError
   */
  abstract unitsLookedAt(looked: readonly LookedAtUnit[]): Promise<void>;
}
