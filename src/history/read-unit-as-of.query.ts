import { Query } from '@nestjs/cqrs';
import type { UnitAtInstant } from './history.presenter.js';
import type { UnitDocument } from '../units/index.js';

/** A unit as it stood at an instant ({@link UnitHistory.asOf}); undefined before it existed. @throws StoreUnavailableError */
export class ReadUnitAsOf extends Query<UnitAtInstant | undefined> {
  constructor(
    readonly unit: UnitDocument,
    /** Milliseconds. */
    readonly at: number,
    readonly reader: 'integrator' | 'operator',
  ) {
    super();
  }
}
