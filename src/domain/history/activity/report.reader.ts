import { Inject, Injectable } from '@nestjs/common';
import { EVENT_STORE } from '#kernel/injection-tokens.js';
import { ACTIVITY_EVENT_TYPES, type ActivityReported } from '#domain/locks/index.js';
import type { EventStore } from '#eventsourcing/log/event-store.js';
import type { Logged } from '../core/unit-record.js';
import { instantOf, logged } from '../logged.js';

/** The length of the first read. Each further read is twice as long. */
const FIRST_REPORTS = 10;

/** Milliseconds by which `occurred_at` may be later than `recorded_at`, because the clocks of apps and processes differ. */
export const CLOCK_TOLERANCE_MS = 15 * 60_000;

/** Reads the reports of a lock or an entry point from the log, newest first. All methods throw StoreUnavailableError. */
@Injectable()
export class ReportReader {
  constructor(@Inject(EVENT_STORE) private readonly events: EventStore) {}

  /**
   * @param newest the revision to begin with; -1 for none
   * @param first the length of the first read
   */
  async *backwards(
    stream: string,
    newest: number,
    first = FIRST_REPORTS,
  ): AsyncGenerator<Logged<ActivityReported>> {
    let from = newest;
    for (let limit = first; from >= 0; limit *= 2) {
      const page = await this.events.readStream(stream, { backwards: true, from, limit });
      yield* page.map((one) => logged<ActivityReported>(ACTIVITY_EVENT_TYPES, one));
      from = page.length < limit ? -1 : page.at(-1)!.revision - 1;
    }
  }

  /** The revision of a stream's newest event at an instant; -1 for none. Time never goes back within a stream. */
  async newestBy(stream: string, at: number): Promise<number> {
    const [head] = await this.events.readStream(stream, { backwards: true, limit: 1 });
    if (head === undefined) return -1;
    if (instantOf(head) <= at) return head.revision;
    let newest = -1;
    for (let later = head.revision; later - newest > 1;) {
      const middle = Math.floor((newest + later) / 2);
      const [event] = await this.events.readStream(stream, { from: middle, limit: 1 });
      if (instantOf(event!) <= at) newest = middle;
      else later = middle;
    }
    return newest;
  }
}
