import { Command } from '@nestjs/cqrs';
import type { WriteContext } from '../writing/stream-kind.js';
import type { StreamOutcome } from '../writing/stream-writer.js';
import type { LocationCommand, LocationRefusal, LocationResults } from './core/location.commands.js';
import type { LocationState } from './core/location.state.js';

/** What became of a command on a location; after it, every view shows it. */
export type LocationOutcome<Result> = StreamOutcome<LocationState, Result, LocationRefusal>;

/** The bus's envelope of a command on a location. */
export class WriteLocationCommand<One extends LocationCommand = LocationCommand> extends Command<
  LocationOutcome<LocationResults[One['type']]>
> {
  constructor(
    readonly location_id: string,
    readonly command: One,
    readonly context: WriteContext,
  ) {
    super();
  }
}
