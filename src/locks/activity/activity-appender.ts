import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '../../config/injection-tokens.js';
import type { EventStore } from '../../log/event-store.js';
import { headOf } from '../../writing/stored-stream.js';
import type { StreamKind, WriteContext } from '../../writing/stream-kind.js';
import type { Prepare, StreamWriter } from '../../writing/stream-writer.js';
import { STREAM_WRITER } from '../../writing/stream-writer.js';
import type { ActivityReported, ActivityState } from '../core/activity.events.js';
import { streamOf } from '../core/activity.events.js';
import { EntryPointActivityKind, LockActivityKind } from './activity.kinds.js';

const PAGE = 50;

/** Appends reported activity to its stream, an event that others may append as well only once. */
@Injectable()
export class ActivityAppender {
  constructor(
    @Inject(STREAM_WRITER) private readonly writer: StreamWriter,
    @Inject(EVENT_STORE) private readonly events: EventStore,
    private readonly locks: LockActivityKind,
    private readonly entryPoints: EntryPointActivityKind,
  ) {}

  /**
   * A revision that the event's stream has, -1 for none: the newest that the views know of.
   * @throws StoreUnavailableError
   */
  async knownHead(event: ActivityReported): Promise<number> {
    const kind = event.type === 'LockActivityReported' ? this.locks : this.entryPoints;
    const [snapshot] = await kind.load([streamOf(event)]);
    return headOf(snapshot).revision;
  }

  /**
   * @param head a revision that the stream had when the event was reserved; undefined for one that nobody else can append.
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError
   */
  async append(event: ActivityReported, head: number | undefined, context: WriteContext): Promise<void> {
    if (event.type === 'LockActivityReported') await this.#write(this.locks, event, head, context);
    else await this.#write(this.entryPoints, event, head, context);
  }

  async #write<E extends ActivityReported>(
    kind: StreamKind<ActivityState, E>,
    event: E,
    head: number | undefined,
    context: WriteContext,
  ): Promise<void> {
    const stream = streamOf(event);
    let seen = head;
    // Asked again after each conflict: whoever else appends the same reserved event moves the stream on.
    const prepare: Prepare<ActivityState, E, undefined, never> = async ([snapshot]) => {
      const last = headOf(snapshot).revision;
      const isLogged = seen !== undefined && (await this.#isLogged(stream, event.data.log_id, seen, last));
      if (seen !== undefined) seen = Math.max(seen, last);
      return [() => ({ events: isLogged ? [] : [event], result: undefined })];
    };
    await this.writer.write(kind, [stream], prepare, context);
  }

  /**
   * Whether the stream holds the log entry behind revision `after`, up to and with revision `last`. What is behind that
   * must be met as a conflict: only then do the views show it before it is answered.
   */
  async #isLogged(stream: string, log_id: string, after: number, last: number): Promise<boolean> {
    for (let from = after + 1; from <= last; from += PAGE) {
      const page = await this.events.readStream(stream, { from, limit: Math.min(PAGE, last + 1 - from) });
      if (page.some((event) => event.data['log_id'] === log_id)) return true;
    }
    return false;
  }
}
