import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UnitOutcome } from '../unit.aggregate.js';
import { UnitCommandRunner } from '../unit-command-runner.js';
import type { UnitWrite, Writer, UnitWriteOptions } from '../unit-write.js';

type NewUnit = Pick<UnitWrite, 'crm_unit_id' | 'unit_name'> & Required<Pick<UnitWrite, 'location_id'>>;

/** An operator creates distinct units, each independently (decisions §6). Answers in the order of `units`. */
export class RegisterUnits extends Command<readonly UnitOutcome[]> {
  constructor(
    readonly writer: Writer,
    readonly units: readonly NewUnit[],
    readonly options: UnitWriteOptions,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(RegisterUnits)
export class RegisterUnitsHandler implements ICommandHandler<RegisterUnits> {
  constructor(private readonly runner: UnitCommandRunner) {}

  execute({ writer, units, options }: RegisterUnits): Promise<readonly UnitOutcome[]> {
    const writes = units.map((unit): UnitWrite => ({ kind: 'register', ...unit }));
    return this.runner.run(writer, writes, options);
  }
}
