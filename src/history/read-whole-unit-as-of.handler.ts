import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { ReadWholeUnitAsOf } from './read-whole-unit-as-of.query.js';
import { WholeUnitAsOf, type WholeUnitAtInstant } from './whole-unit-as-of.js';

@QueryHandler(ReadWholeUnitAsOf)
export class ReadWholeUnitAsOfHandler implements IQueryHandler<ReadWholeUnitAsOf> {
  constructor(private readonly units: WholeUnitAsOf) {}

  execute({ unit, at, deadline }: ReadWholeUnitAsOf): Promise<WholeUnitAtInstant | undefined> {
    return this.units.of(unit, at, deadline);
  }
}
