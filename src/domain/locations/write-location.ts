import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { Outcome, WriteClock } from '#eventsourcing/writing/command-run.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import type { Kind } from '#eventsourcing/writing/aggregate.js';
import type { LocationCommand, LocationRefusal, LocationResults } from './core/location.commands.js';
import { type LocationEvent, locationStream } from './core/location.events.js';
import type { LocationState } from './core/location.state.js';
import { LOCATION } from './location.aggregate.js';
import { LocationDirectory } from './location.directory.js';
import { LocationPreparation } from './location-preparation.js';
import { LocationProjector } from './location.projector.js';
import type { StatedLocationCommand } from './stated-location-commands.js';

/** The outcome of a command on a location. All views show it already. */
export type LocationOutcome<Result> = Outcome<
  Kind<LocationState, LocationEvent, LocationCommand, Result, LocationRefusal>
>;

/**
 * A command on one location, or on its zones, entry points and locks. The answer comes after the views show the change:
 * after a change of policy, when all units of the location were decided again.
 */
export class WriteLocation<One extends StatedLocationCommand = StatedLocationCommand> extends Command<
  LocationOutcome<LocationResults[One['type']]>
> {
  constructor(
    readonly command: One,
    readonly context: WriteContext,
    /** `dryRun`: decides and answers, but stores nothing. */
    readonly options: { readonly dryRun?: boolean } = {},
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, WriteContendedError */
@CommandHandler(WriteLocation)
export class WriteLocationHandler implements ICommandHandler<WriteLocation> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly preparation: LocationPreparation,
    private readonly projector: LocationProjector,
    private readonly clocks: CompanyClocks,
    private readonly directory: LocationDirectory,
  ) {}

  async execute({
    command: stated,
    context,
    options,
  }: WriteLocation): Promise<LocationOutcome<LocationResults[LocationCommand['type']]>> {
    const prepared = await this.preparation.prepare(stated, context.command_id);
    if (prepared.kind === 'rejected') return prepared;
    const { location_id, command } = prepared;
    const clock = await this.#findClock(location_id, command);
    const { projector } = this;
    const kind = { aggregate: LOCATION, states: projector.states, projector };
    const prepare = () => ({ clock, commands: [{ command }] });
    const run = { ...kind, streams: [locationStream(location_id)], prepare };
    const [outcome] = await this.runner.run(run, context, options.dryRun);
    return outcome!;
  }

  /** A location never changes its company, so a cached document is good enough. */
  async #findClock(location_id: string, command: LocationCommand): Promise<WriteClock | 'world'> {
    if (command.type === 'OpenLocation') return this.clocks.findClock(command.company_id);
    const [location] = await this.directory.cachedLocations([location_id]);
    return location === undefined ? 'world' : this.clocks.findClock(location.company_id);
  }
}
