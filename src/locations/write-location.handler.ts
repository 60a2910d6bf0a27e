import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '../companies/index.js';
import { StreamWriter } from '../writing/stream-writer.js';
import { locationStream } from './core/location.events.js';
import { LocationDirectory } from './location.directory.js';
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
    private readonly directory: LocationDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({
    location_id,
    command,
    context,
  }: WriteLocationCommand): Promise<LocationOutcome<LocationResult>> {
    const company_id = await this.#companyOf(location_id, command);
    const clock = company_id === undefined ? ('world' as const) : await this.clocks.of(company_id);
    const writing = { aggregate: LOCATION, projection: this.projection, clock };
    const part = { stream: locationStream(location_id), command };
    const [outcome] = await this.writer.write(writing, [part], context);
    return outcome!;
  }

  /** It stays with one company for good, so whatever is known of it will do. */
  async #companyOf(
    location_id: string,
    command: WriteLocationCommand['command'],
  ): Promise<string | undefined> {
    if (command.type === 'OpenLocation') return command.company_id;
    const [location] = await this.directory.known([location_id]);
    return location?.company_id;
  }
}
