import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadUnitHistory } from './read-unit-history.query.js';
import { type HistoryPage, UnitHistory } from './unit-history.js';

@QueryHandler(ReadUnitHistory)
export class ReadUnitHistoryHandler implements IQueryHandler<ReadUnitHistory> {
  constructor(private readonly units: UnitHistory) {}

  execute({ unit, range }: ReadUnitHistory): Promise<HistoryPage> {
    return this.units.page(unit, range);
  }
}
