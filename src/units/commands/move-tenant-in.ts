import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UnitOutcome } from '../unit.aggregate.js';
import { UnitCommandRunner } from '../unit-command-runner.js';
import type { UnitWrite, Writer, UnitWriteOptions } from '../unit-write.js';

/** A tenant takes a unit. Creates a unit that does not exist (specification §4.1). */
export class MoveTenantIn extends Command<UnitOutcome> {
  constructor(
    readonly writer: Writer,
    readonly moveIn: Pick<UnitWrite, 'crm_unit_id' | 'unit_name' | 'pms_location_code'> &
      Required<Pick<UnitWrite, 'arrival'>>,
    readonly options: UnitWriteOptions,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(MoveTenantIn)
export class MoveTenantInHandler implements ICommandHandler<MoveTenantIn> {
  constructor(private readonly units: UnitCommandRunner) {}

  execute({ writer, moveIn, options }: MoveTenantIn): Promise<UnitOutcome> {
    return this.units.runOne(writer, { kind: 'move_in', ...moveIn }, options);
  }
}
