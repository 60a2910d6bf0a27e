import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '../companies/index.js';
import { StreamWriter } from '../writing/stream-writer.js';
import { UNIT } from './unit.aggregate.js';
import { UnitProjection } from './unit.projection.js';
import { type UnitOutcome, WriteUnits } from './write-units.command.js';

@CommandHandler(WriteUnits)
export class WriteUnitsHandler implements ICommandHandler<WriteUnits> {
  constructor(
    private readonly writer: StreamWriter,
    private readonly projection: UnitProjection,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({ company_id, parts, context, loaded, dryRun }: WriteUnits): Promise<UnitOutcome[]> {
    const writing = { aggregate: UNIT, projection: this.projection, clock: await this.clocks.of(company_id) };
    return dryRun
      ? this.writer.preview(writing, parts, context, loaded)
      : this.writer.write(writing, parts, context, loaded);
  }
}
