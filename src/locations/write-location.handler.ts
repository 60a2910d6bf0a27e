import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { StreamWriter } from '../writing/stream-writer.js';
import { locationStream } from './core/location.events.js';
import { LOCATION, type LocationResult } from './location.aggregate.js';
import { LocationProjection } from './location.projection.js';
import { WriteLocationCommand } from './write-location.command.js';
import type { LocationOutcome } from './write-location.command.js';

/** Takes a command on a location to the one way to write. */
@CommandHandler(WriteLocationCommand)
export class WriteLocationHandler implements ICommandHandler<
  WriteLocationCommand,
  LocationOutcome<LocationResult>
> {
  constructor(
    private readonly writer: StreamWriter,
    private readonly projection: LocationProjection,
  ) {}

  async execute({
    location_id,
    command,
    context,
  }: WriteLocationCommand): Promise<LocationOutcome<LocationResult>> {
    const writing = { aggregate: LOCATION, projection: this.projection };
    const part = { stream: locationStream(location_id), command };
    const [outcome] = await this.writer.write(writing, [part], context);
    return outcome!;
  }
}
