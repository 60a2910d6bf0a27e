import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UnitOutcome } from '../unit.aggregate.js';
import { UnitCommandRunner } from '../unit-command-runner.js';
import type { Writer, UnitWriteOptions } from '../unit-write.js';

/** The tenant leaves and the facts are reset (specification §3.2). */
export class MoveTenantOut extends Command<UnitOutcome> {
  constructor(
    readonly writer: Writer,
    readonly crm_unit_id: string,
    readonly options: UnitWriteOptions,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(MoveTenantOut)
export class MoveTenantOutHandler implements ICommandHandler<MoveTenantOut> {
  constructor(private readonly units: UnitCommandRunner) {}

  execute({ writer, crm_unit_id, options }: MoveTenantOut): Promise<UnitOutcome> {
    return this.units.runOne(writer, { kind: 'move_out', crm_unit_id }, options);
  }
}
