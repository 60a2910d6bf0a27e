import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '../../companies/index.js';
import { CommandRunner } from '../../writing/command-runner.js';
import type { WriteContext } from '../../writing/write-context.js';
import type { OperatorUnitCommand } from '../core/unit.commands.js';
import { UNIT, type UnitOutcome } from '../unit.aggregate.js';
import { UnitProjector } from '../unit.projector.js';

/** An operator's command on a unit of any source (decisions §6). */
export class OperateUnit extends Command<UnitOutcome> {
  constructor(
    readonly company_id: string,
    /** The unit's stream (`unitStream`). */
    readonly stream: string,
    readonly command: OperatorUnitCommand,
    readonly context: WriteContext,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(OperateUnit)
export class OperateUnitHandler implements ICommandHandler<OperateUnit> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: UnitProjector,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({ company_id, stream, command, context }: OperateUnit): Promise<UnitOutcome> {
    const { projector } = this;
    const clock = await this.clocks.of(company_id);
    const kind = { aggregate: UNIT, states: projector.states, projector };
    return this.runner.write(kind, stream, command, clock, context);
  }
}
