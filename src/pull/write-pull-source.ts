import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import type { Outcome } from '#eventsourcing/writing/command-run.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { PullSourceCommand } from './core/pull-source.decide.js';
import { pullSourceStream } from './core/pull-source.events.js';
import { PULL_SOURCE, type PullSourceKind } from './pull-source.aggregate.js';
import type { PullSourceRecord } from './pull-sources.js';

/** A command on one pull source. */
export class WritePullSource extends Command<Outcome<PullSourceKind>> {
  constructor(
    readonly source: Pick<PullSourceRecord, '_id' | 'company_id'>,
    readonly command: PullSourceCommand,
    readonly context: WriteContext,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(WritePullSource)
export class WritePullSourceHandler implements ICommandHandler<WritePullSource> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({ source, command, context }: WritePullSource): Promise<Outcome<PullSourceKind>> {
    const { _id: pull_source_id, company_id } = source;
    const clock = await this.clocks.findClock(company_id);
    const stream = pullSourceStream(pull_source_id);
    return this.runner.write({ aggregate: PULL_SOURCE }, stream, command, clock, context);
  }
}
