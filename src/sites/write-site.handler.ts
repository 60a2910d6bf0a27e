import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { STREAM_WRITER } from '../writing/stream-writer.js';
import type { Decide, StreamWriter } from '../writing/stream-writer.js';
import type { SiteRefusal, SiteResults } from './core/site.commands.js';
import { decideSite } from './core/site.decide.js';
import { siteStream } from './core/site.events.js';
import type { SiteEvent } from './core/site.events.js';
import type { SiteState } from './core/site.state.js';
import { SiteStreams } from './site.streams.js';
import { WriteSiteCommand } from './write-site.command.js';
import type { SiteOutcome } from './write-site.command.js';

type AnyResult = SiteResults[keyof SiteResults];

/** Takes a site command to the one way to write. */
@CommandHandler(WriteSiteCommand)
export class WriteSiteHandler implements ICommandHandler<WriteSiteCommand, SiteOutcome<AnyResult>> {
  constructor(
    @Inject(STREAM_WRITER) private readonly writer: StreamWriter,
    private readonly streams: SiteStreams,
  ) {}

  async execute({ company_id, command, context }: WriteSiteCommand): Promise<SiteOutcome<AnyResult>> {
    const decide: Decide<SiteState, SiteEvent, AnyResult, SiteRefusal> = (snapshot, now) =>
      decideSite(snapshot?.state, command, now);
    const stream = siteStream(company_id);
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
