import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UnitOutcome } from '../unit.aggregate.js';
import { UnitCommandRunner } from '../unit-command-runner.js';
import type { UnitWrite, Writer, UnitWriteOptions } from '../unit-write.js';

/** An operator creates a unit at a location (decisions §6). */
export class RegisterUnit extends Command<UnitOutcome> {
  constructor(
    readonly writer: Writer,
    readonly unit: Pick<UnitWrite, 'crm_unit_id' | 'unit_name'> & Required<Pick<UnitWrite, 'location_id'>>,
    readonly options: UnitWriteOptions,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(RegisterUnit)
export class RegisterUnitHandler implements ICommandHandler<RegisterUnit> {
  constructor(private readonly units: UnitCommandRunner) {}

  execute({ writer, unit, options }: RegisterUnit): Promise<UnitOutcome> {
    return this.units.runOne(writer, { kind: 'register', ...unit }, options);
  }
}
