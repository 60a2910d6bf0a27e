import { randomUUID } from 'node:crypto';
import type { RecordedEvent } from '#eventsourcing/log/event-store.js';
import { EventStoreDbEventStore } from '#stores/eventstoredb/index.js';
import { EventStoreDbDouble } from '../../support/eventstoredb-double/index.js';

/** More than a test writes. */
const MOST_EVENTS = 100_000;

/** An event store's address: that of `TEST_EVENTSTORE_URL`, else of a wire-level double of its own. */
export interface EventServer {
  readonly url: string;
  /** A prefix of streams that no other test has. */
  readonly streamPrefix: string;
  /** Named servers are shared, and what was written stays. */
  readonly isNamed: boolean;
  close(): Promise<void>;
}

/** An event store for a test: the named one, which is shared, or a double that nobody else uses. */
export async function eventServer(): Promise<EventServer> {
  const streamPrefix = `test_${randomUUID().slice(0, 8)}.`;
  const url = process.env['TEST_EVENTSTORE_URL'];
  if (url !== undefined && url !== '')
    return { url, streamPrefix, isNamed: true, close: () => Promise.resolve() };
  const double = await EventStoreDbDouble.start();
  return { url: double.url(), streamPrefix, isNamed: false, close: () => double.close() };
}

/** Reads what a test wrote under its prefix, over the wire, from where the log ended when the reader was opened. */
export class LogReader {
  private constructor(
    private readonly store: EventStoreDbEventStore,
    private readonly streamPrefix: string,
    private readonly start: bigint,
  ) {}

  static async open({ url, streamPrefix }: EventServer): Promise<LogReader> {
    // The client may wait for ever for the end of reads that have ended.
    const timings = { disposeDeadline: 200 };
    const store = new EventStoreDbEventStore({ url, streamPrefix, timings });
    return new LogReader(store, streamPrefix, (await store.head())!);
  }

  async events(): Promise<RecordedEvent[]> {
    const found = await this.store.readAll({ after: this.start, limit: MOST_EVENTS });
    return found.filter(({ stream }) => stream.startsWith(this.streamPrefix));
  }

  /** Resolves at once when the server has so many events, because a copy takes less time than a poll. */
  async untilThereAre(count: number): Promise<void> {
    let seen = 0;
    await new Promise<void>((resolve, reject) => {
      const subscription = this.store.subscribe(this.start, {
        handle: (events) => {
          seen += events.filter(({ stream }) => stream.startsWith(this.streamPrefix)).length;
          if (seen < count) return Promise.resolve();
          resolve();
          void subscription.stop();
          return Promise.resolve();
        },
        failed: reject,
      });
    });
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
