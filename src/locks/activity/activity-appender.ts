import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { EVENT_STORE } from '../../config/injection-tokens.js';
import type { EventStore } from '../../log/event-store.js';
import { headOf } from '../../writing/stored-stream.js';
import type { WriteContext } from '../../writing/write-context.js';
import type { ActivityReported } from '../core/activity.events.js';
import { streamOf } from '../core/activity.events.js';
import { ActivityProjections } from './activity.projection.js';
import { WriteActivity } from './write-activity.command.js';

const PAGE = 50;

/** Appends reported activity to its stream, an event that others may append as well only once. */
@Injectable()
export class ActivityAppender {
  constructor(
    private readonly commandBus: CommandBus,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly projections: ActivityProjections,
  ) {}

  /**
   * A revision that the event's stream has, -1 for none: the newest that the views know of.
   * @throws StoreUnavailableError
   */
  async knownHead(event: ActivityReported): Promise<number> {
    const [snapshot] = await this.projections.of(event).load([streamOf(event)]);
    return headOf(snapshot).revision;
  }

  /**
   * @param head a revision that the stream had when the event was reserved; undefined for one that nobody else can append.
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError
   */
  async append(event: ActivityReported, head: number | undefined, context: WriteContext): Promise<void> {
    // Looked through again as often as others have gone on: each round has the views show as much.
    for (let soughtUpTo = head; ;) {
      const outcome = await this.commandBus.execute(new WriteActivity({ event, soughtUpTo }, context));
      if (outcome.kind === 'done') return;
      const { upTo } = outcome.refusal;
      if (await this.#isLogged(event, soughtUpTo!, upTo)) return;
      soughtUpTo = upTo;
    }
  }

  /** Whether the event's stream holds its log entry behind revision `after`, up to and with revision `last`. */
  async #isLogged(event: ActivityReported, after: number, last: number): Promise<boolean> {
    for (let from = after + 1; from <= last; from += PAGE) {
      const limit = Math.min(PAGE, last + 1 - from);
      const page = await this.events.readStream(streamOf(event), { from, limit });
      if (page.some(({ data }) => data['log_id'] === event.data.log_id)) return true;
    }
    return false;
  }
}
