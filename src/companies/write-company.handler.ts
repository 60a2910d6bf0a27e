import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CommandRunner } from '../writing/command-runner.js';
import { companyStream } from './core/company.events.js';
import { COMPANY, type CompanyResult } from './company.aggregate.js';
import { CompanyProjector } from './company.projector.js';
import { WriteCompanyCommand } from './write-company.command.js';
import type { CompanyOutcome } from './write-company.command.js';

/** Takes a command on a company to the one way to write. */
@CommandHandler(WriteCompanyCommand)
export class WriteCompanyHandler implements ICommandHandler<
  WriteCompanyCommand,
  CompanyOutcome<CompanyResult>
> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: CompanyProjector,
  ) {}

  execute({ company_id, command, context }: WriteCompanyCommand): Promise<CompanyOutcome<CompanyResult>> {
    const { projector } = this;
    const kind = { aggregate: COMPANY, states: projector.states, projector };
    return this.runner.write(kind, companyStream(company_id), command, 'world', context);
  }
}
