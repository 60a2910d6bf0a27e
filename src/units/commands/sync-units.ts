import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { UnitOutcome } from '../unit.aggregate.js';
import { UnitCommandRunner } from '../unit-command-runner.js';
import type { UnitWrite, Writer, UnitWriteOptions } from '../unit-write.js';

/** The full state of a unit: its tenant and its facts. */
export type UnitSync = Omit<UnitWrite, 'kind'>;

/** Sets the full state of distinct units, each independently (specification §4.1, bulk). Answers in the order of `units`. */
export class SyncUnits extends Command<readonly UnitOutcome[]> {
  constructor(
    readonly writer: Writer,
    readonly units: readonly UnitSync[],
    readonly options: UnitWriteOptions,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError, EventTooLargeError */
@CommandHandler(SyncUnits)
export class SyncUnitsHandler implements ICommandHandler<SyncUnits> {
  constructor(private readonly runner: UnitCommandRunner) {}

  execute({ writer, units, options }: SyncUnits): Promise<readonly UnitOutcome[]> {
    const writes = units.map((unit): UnitWrite => ({ kind: 'sync', ...unit }));
    return this.runner.run(writer, writes, options);
  }
}
