import { Query } from '@nestjs/cqrs';
import type { UnitDocument } from '../units/index.js';

/** A unit as it stood at an instant ({@link UnitHistory.asOf}); undefined before it existed. @throws StoreUnavailableError */
export class ReadUnitAsOf extends Query<Record<string, unknown> | undefined> {
  constructor(
    readonly unit: UnitDocument,
    /** Milliseconds. */
    readonly at: number,
  ) {
    super();
  }
}
