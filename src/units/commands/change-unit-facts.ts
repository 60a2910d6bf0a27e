import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import type { ChangeableFacts } from '../core/fact-catalogue.js';
import type { UnitOutcome } from '../unit.aggregate.js';
import { UnitCommandRunner } from '../unit-command-runner.js';
import type { Writer, UnitWriteOptions } from '../unit-write.js';

/** Sets facts of a unit. Absent facts do not change (specification §4.1). */
export class ChangeUnitFacts extends Command<UnitOutcome> {
  constructor(
    readonly writer: Writer,
    readonly crm_unit_id: string,
    /** Amounts in cents. */
    readonly facts: Partial<ChangeableFacts>,
    readonly options: UnitWriteOptions,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(ChangeUnitFacts)
export class ChangeUnitFactsHandler implements ICommandHandler<ChangeUnitFacts> {
  constructor(private readonly units: UnitCommandRunner) {}

  execute({ writer, crm_unit_id, facts, options }: ChangeUnitFacts): Promise<UnitOutcome> {
    return this.units.runOne(writer, { kind: 'change_facts', crm_unit_id, facts }, options);
  }
}
