import { Inject } from '@nestjs/common';
import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '#domain/companies/index.js';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import type { Outcome } from '#eventsourcing/writing/command-run.js';
import { CommandRunner } from '#eventsourcing/writing/command-runner.js';
import type { WriteContext } from '#eventsourcing/writing/write-context.js';
import { type ActivityCommand, type ActivityReported, streamOf } from '../core/activity.events.js';
import { type ActivityKind, ActivityProjectors } from './activity.projector.js';

const PAGE_SIZE = 50;

type StatedActivityCommand = Omit<ActivityCommand, 'isLogged'> & {
  /** The event may be in the log already, after this revision. undefined: it is certainly not. */
  readonly head: number | undefined;
};

/** A command on the activity of one lock or entry point. */
export class WriteActivity extends Command<Outcome<ActivityKind>> {
  constructor(
    readonly command: StatedActivityCommand,
    readonly context: WriteContext,
  ) {
    super();
  }
}

/** @throws StoreUnavailableError, EventTooLargeError, WriteContendedError */
@CommandHandler(WriteActivity)
export class WriteActivityHandler implements ICommandHandler<WriteActivity> {
  constructor(
    private readonly runner: CommandRunner,
    private readonly projectors: ActivityProjectors,
    private readonly clocks: CompanyClocks,
    @Inject(EVENT_STORE) private readonly events: EventStore,
  ) {}

  async execute({ command, context }: WriteActivity): Promise<Outcome<ActivityKind>> {
    const { head, ...stated } = command;
    const { event } = stated;
    const clock = await this.clocks.findClock(event.data.company_id);
    const projector = this.projectors.projectorOf(event);
    let searchedUpTo = head;
    const [outcome] = await this.runner.run(
      {
        aggregate: projector.fold,
        states: projector.states,
        projector,
        streams: [streamOf(event)],
        prepare: async ([open]) => {
          const last = (open?.state?.reported ?? 0) - 1;
          const isLogged = searchedUpTo !== undefined && (await this.#isLogged(event, searchedUpTo, last));
          if (searchedUpTo !== undefined) searchedUpTo = Math.max(searchedUpTo, last);
          return { clock, commands: [{ command: { ...stated, isLogged } }] };
        },
      },
      context,
    );
    return outcome!;
  }

  /** Whether the stream contains the report after revision `after`, up to revision `last`. */
  async #isLogged(event: ActivityReported, after: number, last: number): Promise<boolean> {
    for (let from = after + 1; from <= last; from += PAGE_SIZE) {
      const limit = Math.min(PAGE_SIZE, last + 1 - from);
      const page = await this.events.readStream(streamOf(event), { from, limit });
      if (page.some(({ data }) => data['log_id'] === event.data.log_id)) return true;
    }
    return false;
  }
}
