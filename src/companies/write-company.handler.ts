import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { STREAM_WRITER } from '../writing/stream-writer.js';
import type { Decide, StreamWriter } from '../writing/stream-writer.js';
import { CompanyStreams } from './company.streams.js';
import type { CompanyRefusal, CompanyResults } from './core/company.commands.js';
import { decideCompany } from './core/company.decide.js';
import type { CompanyEvent } from './core/company.events.js';
import { companyStream } from './core/company.events.js';
import type { CompanyState } from './core/company.state.js';
import { WriteCompanyCommand } from './write-company.command.js';
import type { CompanyOutcome } from './write-company.command.js';

type AnyResult = CompanyResults[keyof CompanyResults];

/** Takes a command on a company to the one way to write. */
@CommandHandler(WriteCompanyCommand)
export class WriteCompanyHandler implements ICommandHandler<WriteCompanyCommand, CompanyOutcome<AnyResult>> {
  constructor(
    @Inject(STREAM_WRITER) private readonly writer: StreamWriter,
    private readonly streams: CompanyStreams,
  ) {}

  async execute({ company_id, command, context }: WriteCompanyCommand): Promise<CompanyOutcome<AnyResult>> {
    const decide: Decide<CompanyState, CompanyEvent, AnyResult, CompanyRefusal> = (snapshot, now) =>
      decideCompany(snapshot?.state, command, now);
    const stream = companyStream(company_id);
    const [outcome] = await this.writer.write(
      this.streams,
      [stream],
      () => Promise.resolve([decide]),
      context,
    );
    if (outcome === undefined) throw new Error('The stream writer answered no outcome for a stream.');
    return outcome;
  }
}
