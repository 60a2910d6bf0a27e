import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { Outcome } from '#eventsourcing/writing/command-run.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { OperatorCommand } from './core/operator.decide.js';
import { operatorStream } from './core/operator.events.js';
import { OPERATOR, type OperatorKind } from './operator.aggregate.js';

/** A command on one operator. */
export class WriteOperator extends Command<Outcome<OperatorKind>> {
  constructor(
    readonly operator_id: string,
    readonly command: OperatorCommand,
    readonly context: WriteContext,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(WriteOperator)
export class WriteOperatorHandler implements ICommandHandler<WriteOperator> {
  constructor(private readonly runner: CommandRunner) {}

  execute({ operator_id, command, context }: WriteOperator): Promise<Outcome<OperatorKind>> {
    return this.runner.write({ aggregate: OPERATOR }, operatorStream(operator_id), command, 'world', context);
  }
}
