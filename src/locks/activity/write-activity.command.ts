import { Command, CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { CompanyClocks } from '../../companies/index.js';
import { StreamWriter } from '../../writing/stream-writer.js';
import type { WriteContext } from '../../writing/write-context.js';
import type { WriteOutcome } from '../../writing/write-outcome.js';
import {
  type ActivityRefusal,
  type ActivityState,
  type AppendActivity,
  streamOf,
} from '../core/activity.events.js';
import { ActivityProjections } from './activity.projection.js';

export type ActivityOutcome = WriteOutcome<ActivityState, undefined, ActivityRefusal>;

/** The bus's envelope of a report that is to be stored. */
export class WriteActivity extends Command<ActivityOutcome> {
  constructor(
    readonly command: AppendActivity,
    readonly context: WriteContext,
  ) {
    super();
  }
}

/** Takes a report to the one way to write. */
@CommandHandler(WriteActivity)
export class WriteActivityHandler implements ICommandHandler<WriteActivity> {
  constructor(
    private readonly writer: StreamWriter,
    private readonly projections: ActivityProjections,
    private readonly clocks: CompanyClocks,
  ) {}

  async execute({ command, context }: WriteActivity): Promise<ActivityOutcome> {
    const projection = this.projections.of(command.event);
    const clock = await this.clocks.of(command.event.data.company_id);
    const writing = { aggregate: projection.fold, projection, clock };
    const part = { stream: streamOf(command.event), command };
    const [outcome] = await this.writer.write(writing, [part], context);
    return outcome!;
  }
}
