import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '../companies/index.js';
import { CommandRunner } from '../writing/command-runner.js';
import { locationStream } from './core/location.events.js';
import { LocationDirectory } from './location.directory.js';
import { LOCATION, type LocationResult } from './location.aggregate.js';
import { LocationProjector } from './location.projector.js';
import { WriteLocationCommand } from './write-location.command.js';
import type { LocationOutcome } from './write-location.command.js';

/** Takes a command on a location to the one way to write. */
@CommandHandler(WriteLocationCommand)
export class WriteLocationHandler implements ICommandHandler<
  WriteLocationCommand,
  LocationOutcome<LocationResult>
> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projector: LocationProjector,
    private readonly directory: LocationDirectory,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({
    location_id,
    command,
    context,
    dryRun,
  }: WriteLocationCommand): Promise<LocationOutcome<LocationResult>> {
    const company_id = await this.#companyOf(location_id, command);
    const clock = company_id === undefined ? ('world' as const) : await this.clocks.of(company_id);
    const { projector } = this;
    const kind = { aggregate: LOCATION, states: projector.states, projector };
    const prepare = () => ({ clock, commands: [{ command }] });
    const run = { ...kind, streams: [locationStream(location_id)], prepare };
    const [outcome] = await this.runner.run(run, context, dryRun);
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
