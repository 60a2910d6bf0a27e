import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { StreamWriter } from '../writing/stream-writer.js';
import { companyStream } from './core/company.events.js';
import { COMPANY, type CompanyResult } from './company.aggregate.js';
import { CompanyProjection } from './company.projection.js';
import { WriteCompanyCommand } from './write-company.command.js';
import type { CompanyOutcome } from './write-company.command.js';

/** Takes a command on a company to the one way to write. */
@CommandHandler(WriteCompanyCommand)
export class WriteCompanyHandler implements ICommandHandler<
  WriteCompanyCommand,
  CompanyOutcome<CompanyResult>
> {
  constructor(
    private readonly writer: StreamWriter,
    private readonly projection: CompanyProjection,
  ) {}

  async execute({
    company_id,
    command,
    context,
  }: WriteCompanyCommand): Promise<CompanyOutcome<CompanyResult>> {
    const writing = { aggregate: COMPANY, projection: this.projection, clock: 'world' as const };
    const part = { stream: companyStream(company_id), command };
    const [outcome] = await this.writer.write(writing, [part], context);
    return outcome!;
  }
}
