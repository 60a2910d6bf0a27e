import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '../../config/ports.js';
import type { EventStore } from '../../eventing/event-store.js';
import type { EventMetadata, WriteContext } from '../../eventing/stream-kind.js';
import type { StreamWriter } from '../../eventing/stream-writer.js';
import { STREAM_WRITER } from '../../eventing/stream-writer.js';
import type { ActivityReported } from '../core/activity.events.js';
import { streamOf } from '../core/activity.events.js';
import { EntryPointActivityKind, LockActivityKind } from './activity.kinds.js';

/** How far the clocks of two processes may stand apart. */
const CLOCK_SKEW = 10 * 60_000;
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
   * @param since when the event was reserved; undefined for one that nobody else can append.
   * @throws StoreUnavailableError, EventTooLargeError, WriteContendedError
   */
  async append(event: ActivityReported, since: number | undefined, context: WriteContext): Promise<void> {
    const stream = streamOf(event);
    // Asked again after each conflict: whoever else appends the same reserved event moves the stream on.
    const decide = async <E extends ActivityReported>(own: E) => {
      const logged = since !== undefined && (await this.isLogged(stream, own.data.log_id, since));
      return [() => ({ events: logged ? [] : [own], result: undefined })];
    };
    if (event.type === 'LockActivityReported') {
      await this.writer.write(this.locks, [stream], () => decide(event), context);
    } else {
      await this.writer.write(this.entryPoints, [stream], () => decide(event), context);
    }
  }

  /** Whether the stream holds the log entry; looks back no further than to when it was reserved. */
  private async isLogged(stream: string, log_id: string, since: number): Promise<boolean> {
    let from: number | undefined;
    for (;;) {
      const page = await this.events.readStream(stream, {
        backwards: true,
        limit: PAGE,
        ...(from === undefined ? {} : { from }),
      });
      if (page.some((event) => event.data['log_id'] === log_id)) return true;
      const oldest = page.at(-1);
      if (oldest === undefined || oldest.revision === 0) return false;
      const { occurred_at } = oldest.metadata as unknown as EventMetadata;
      if (Date.parse(occurred_at) < since - CLOCK_SKEW) return false;
      from = oldest.revision - 1;
    }
  }
}
