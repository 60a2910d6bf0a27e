import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isPossibleId } from '#kernel/possible-id.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { Outcome } from '#eventsourcing/writing/command-run.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { Kind } from '#eventsourcing/writing/aggregate.js';
import { COMPANY } from './company.aggregate.js';
import { CompanyProjector } from './company.projector.js';
import type { CompanyCommand, CompanyRefusal, CompanyResults } from './core/company.commands.js';
import { type CompanyEvent, companyStream } from './core/company.events.js';
import type { CompanyState } from './core/company.state.js';

/** The outcome of a command on a company. All views show it already. */
export type CompanyOutcome<Result> = Outcome<
  Kind<CompanyState, CompanyEvent, CompanyCommand, Result, CompanyRefusal>
>;

/** A command on one company. The answer comes after the views show the change. */
export class WriteCompany<One extends CompanyCommand = CompanyCommand> extends Command<
  CompanyOutcome<CompanyResults[One['type']]>
> {
  constructor(
    readonly company_id: string,
    readonly command: One,
    readonly context: WriteContext,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(WriteCompany)
export class WriteCompanyHandler implements ICommandHandler<WriteCompany> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: CompanyProjector,
  ) {}

  async execute({
    company_id,
    command,
    context,
  }: WriteCompany): Promise<CompanyOutcome<CompanyResults[CompanyCommand['type']]>> {
    if (!isPossibleId(company_id)) return { kind: 'rejected', refusal: { code: 'company_not_found' } };
    const { projector } = this;
    const kind = { aggregate: COMPANY, states: projector.states, projector };
    return this.runner.write(kind, companyStream(company_id), command, 'world', context);
  }
}
