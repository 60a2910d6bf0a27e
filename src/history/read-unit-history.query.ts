import { Query } from '@nestjs/cqrs';
import type { UnitDocument } from '../units/index.js';
import type { HistoryPage, HistoryRange } from './unit-history.js';

/** A page of a unit's history ({@link UnitHistory.page}). @throws InvalidCursorError, StoreUnavailableError */
export class ReadUnitHistory extends Query<HistoryPage> {
  constructor(
    readonly unit: UnitDocument,
    readonly range: HistoryRange,
  ) {
    super();
  }
}
