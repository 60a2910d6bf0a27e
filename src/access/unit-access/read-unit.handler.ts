import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { UnitDirectory } from '../../units/index.js';
import { ReadUnit } from './read-unit.query.js';
import { type DescribedUnit, UnitAccess } from './unit-access.js';

@QueryHandler(ReadUnit)
export class ReadUnitHandler implements IQueryHandler<ReadUnit> {
  constructor(
    private readonly units: UnitDirectory,
    private readonly access: UnitAccess,
  ) {}

  async execute({ company_id, key }: ReadUnit): Promise<DescribedUnit | undefined> {
    const unit = await this.units.byPathKey(company_id, key);
    if (unit === undefined) return undefined;
    const [described] = await this.access.describe([unit]);
    return described;
  }
}
