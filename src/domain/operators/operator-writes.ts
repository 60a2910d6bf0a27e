import { Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import type { HeldLease } from '#eventsourcing/documents/take-lease.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { OperatorCommand } from './core/operator.decide.js';
import { type OperatorRecord, Operators } from './operators.js';
import { WriteOperator } from './write-operator.js';

/** A change of an operator: the event, and the record that follows from it. */
export interface OperatorChange {
  readonly before: OperatorRecord;
  readonly after: OperatorRecord;
  readonly command: OperatorCommand;
}

/** Every method throws StoreUnavailableError and WriteContendedError. */
@Injectable()
export class OperatorWrites {
  constructor(
    private readonly operators: Operators,
    private readonly commands: CommandBus,
  ) {}

  /** Stores the event, then the record. */
  async write(
    { before, after, command }: OperatorChange,
    lease: HeldLease,
    context: WriteContext,
  ): Promise<OperatorRecord> {
    await lease.demand();
    await this.note(before._id, command, context);
    const outcome = await lease.write({
      write: () => this.operators.replace(before, after),
      undo: () => this.operators.replace({ ...after, version: before.version + 1 }, before),
    });
    if (outcome !== 'written') throw changedElsewhere();
    return after;
  }

  /** Stores the event of a command that changes no record. */
  async note(operator_id: string, command: OperatorCommand, context: WriteContext): Promise<void> {
    await this.commands.execute(new WriteOperator(operator_id, command, context));
  }
}

export function changedElsewhere(): StoreUnavailableError {
  return new StoreUnavailableError('The operator is being changed by another process.', true);
}
