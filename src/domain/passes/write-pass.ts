import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Outcome } from '#eventsourcing/writing/command-run.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { PassCommand } from './core/pass.decide.js';
import { passStream } from './core/pass.events.js';
import { PASS, type PassKind } from './pass.aggregate.js';
import { PassProjector } from './pass.projector.js';

/** A command on one pass of a company. */
export class WritePass extends Command<Outcome<PassKind>> {
  constructor(
    readonly company_id: string,
    readonly pass_id: string,
    readonly command: PassCommand,
    readonly context: WriteContext,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError, HistoryDamagedError */
@CommandHandler(WritePass)
export class WritePassHandler implements ICommandHandler<WritePass> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clocks: CompanyClocks,
    private readonly projector: PassProjector,
  ) {}

  async execute({ company_id, pass_id, command, context }: WritePass): Promise<Outcome<PassKind>> {
    const { projector } = this;
    const kind = { aggregate: PASS, states: projector.states, projector };
    const clock = await this.clocks.findClock(company_id);
    return this.runner.write(kind, passStream(pass_id), command, clock, context);
  }
}
