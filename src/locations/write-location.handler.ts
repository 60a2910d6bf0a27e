import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { STREAM_WRITER } from '../writing/stream-writer.js';
import type { Decide, StreamWriter } from '../writing/stream-writer.js';
import type { LocationRefusal, LocationResults } from './core/location.commands.js';
import { decideLocation } from './core/location.decide.js';
import { locationStream } from './core/location.events.js';
import type { LocationEvent } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import { LocationStreams } from './location.streams.js';
import { WriteLocationCommand } from './write-location.command.js';
import type { LocationOutcome } from './write-location.command.js';

type AnyResult = LocationResults[keyof LocationResults];

/** Takes a command on a location to the one way to write. */
@CommandHandler(WriteLocationCommand)
export class WriteLocationHandler implements ICommandHandler<
  WriteLocationCommand,
  LocationOutcome<AnyResult>
> {
  constructor(
    @Inject(STREAM_WRITER) private readonly writer: StreamWriter,
    private readonly streams: LocationStreams,
  ) {}

  async execute({
    location_id,
    command,
    context,
  }: WriteLocationCommand): Promise<LocationOutcome<AnyResult>> {
    const decide: Decide<LocationState, LocationEvent, AnyResult, LocationRefusal> = (snapshot) =>
      decideLocation(snapshot?.state, command);
    const stream = locationStream(location_id);
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
