import { Command } from '@nestjs/cqrs';
import type { WriteContext } from '../writing/stream-kind.js';
import type { StreamOutcome } from '../writing/stream-writer.js';
import type { SiteCommand, SiteRefusal, SiteResults } from './core/site.commands.js';
import type { SiteState } from './core/site.state.js';

/** What became of a command on a company's sites; after it, every view shows it. */
export type SiteOutcome<Result> = StreamOutcome<SiteState, Result, SiteRefusal>;

/** The bus's envelope of a site command. */
export class WriteSiteCommand<One extends SiteCommand = SiteCommand> extends Command<
  SiteOutcome<SiteResults[One['type']]>
> {
  constructor(
    readonly company_id: string,
    readonly command: One,
    readonly context: WriteContext,
  ) {
    super();
  }
}
