import { Query } from '@nestjs/cqrs';
import type { Deadline } from '../config/breath.js';
import type { UnitDocument } from '../units/index.js';
import type { WholeUnitAtInstant } from './whole-unit-as-of.js';

/** A unit with all that hung on it at an instant ({@link WholeUnitAsOf}); undefined before it existed. @throws StoreUnavailableError, GivenUpError */
export class ReadWholeUnitAsOf extends Query<WholeUnitAtInstant | undefined> {
  constructor(
    readonly unit: UnitDocument,
    /** Milliseconds. */
    readonly at: number,
    readonly deadline?: Deadline,
  ) {
    super();
  }
}
