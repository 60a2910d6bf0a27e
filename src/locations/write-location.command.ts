import { Command } from '@nestjs/cqrs';
import type { WriteContext } from '../writing/write-context.js';
import type { Outcome } from '../writing/outcome.js';
import type { LocationCommand, LocationRefusal, LocationResults } from './core/location.commands.js';
import type { LocationState } from './core/location.state.js';

/** The outcome of a command on a location. Every view shows it by then. */
export type LocationOutcome<Result> = Outcome<LocationState, Result, LocationRefusal>;

/** The bus's envelope of a command on a location. */
export class WriteLocationCommand<One extends LocationCommand = LocationCommand> extends Command<
  LocationOutcome<LocationResults[One['type']]>
> {
  constructor(
    readonly location_id: string,
    readonly command: One,
    readonly context: WriteContext,
    /** Decides, and stores nothing. */
    readonly dryRun = false,
  ) {
    super();
  }
}
