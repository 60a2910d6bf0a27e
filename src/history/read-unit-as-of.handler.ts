import type { UnitAtInstant } from './history.presenter.js';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadUnitAsOf } from './read-unit-as-of.query.js';
import { UnitHistory } from './unit-history.js';

@QueryHandler(ReadUnitAsOf)
export class ReadUnitAsOfHandler implements IQueryHandler<ReadUnitAsOf> {
  constructor(private readonly units: UnitHistory) {}

  execute({ unit, at, reader }: ReadUnitAsOf): Promise<UnitAtInstant | undefined> {
    return this.units.asOf(unit, at, reader);
  }
}
