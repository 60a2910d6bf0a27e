import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '../../config/ports.js';
import type { EventStore } from '../../eventing/event-store.js';
import { headOf } from '../../eventing/stored-stream.js';
import type { Snapshot, WriteContext } from '../../eventing/stream-kind.js';
import type { StreamWriter } from '../../eventing/stream-writer.js';
import { STREAM_WRITER } from '../../eventing/stream-writer.js';
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
    const stream = streamOf(event);
    // Asked again after each conflict: whoever else appends the same reserved event moves the stream on.
    const prepare =
      <E extends ActivityReported>(own: E) =>
      async ([snapshot]: readonly (Snapshot<ActivityState> | undefined)[]) => {
        const last = headOf(snapshot).revision;
        const isLogged = head !== undefined && (await this.#isLogged(stream, own.data.log_id, head, last));
        return [() => ({ events: isLogged ? [] : [own], result: undefined })];
      };
    if (event.type === 'LockActivityReported') {
      await this.writer.write(this.locks, [stream], prepare(event), context);
    } else {
      await this.writer.write(this.entryPoints, [stream], prepare(event), context);
    }
  }

  /** Whether the stream holds the log entry behind revision `after`, up to and with revision `last`. */
  async #isLogged(stream: string, log_id: string, after: number, last: number): Promise<boolean> {
    for (let from = after + 1; from <= last; from += PAGE) {
      const page = await this.events.readStream(stream, { from, limit: Math.min(PAGE, last + 1 - from) });
      if (page.some((event) => event.data['log_id'] === log_id)) return true;
    }
    return false;
  }
}
