import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EmbeddedDatabase } from '../database/embedded-database.js';
import type {
  AppendOutcome,
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  StreamAppend,
  Subscription,
  SubscriptionHandler,
} from '#eventsourcing/log/event-store.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
import { TURNS } from '#kernel/turns.js';
import { EventLog, prepareAppend } from './event-log.js';

/** The event store port on an embedded database. The database closes together with its last store. */
export class EmbeddedEventStore implements EventStore {
  readonly #log: EventLog;
  readonly #subscriptions = new Set<LogSubscription>();
  #closed: Promise<void> | undefined;

  constructor(private readonly database: EmbeddedDatabase) {
    database.retain();
    this.#log = new EventLog(database);
  }

  async append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    assertSoundAppends(appends);
    this.#assertOpen();
    if (appends.length === 0) return [];
    const prepared = appends.map(prepareAppend);
    return this.database.enqueue((group) => {
      group.afterCommit(this.#wakeSubscriptions);
      return prepared.map((append) => this.#log.append(group, append));
    });
  }

  /** In parts, between which the event loop may turn: a stream only grows at its end. */
  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    const { limit = Infinity, backwards = false } = options;
    const events: RecordedEvent[] = [];
    for (let { from } = options; events.length < limit;) {
      const pause = pauseBeforePart(events.length);
      if (pause !== undefined) await pause;
      this.#assertOpen();
      const most = Math.min(limit - events.length, partEvents);
      const part = this.#log.readStream(stream, { from, backwards, limit: most });
      for (const event of part) events.push(event);
      if (part.length < most) break;
      from = part.at(-1)!.revision + (backwards ? -1 : 1);
      if (from < 0) break;
    }
    return firstOf(events, limit);
  }

  async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    const { after = 0n, limit, backwards, scan } = options;
    const most = Math.min(limit, scan?.atMost ?? Infinity);
    const events = await this.#readParts(options, most);
    const end = backwards === true && events.length < most ? after : events.at(-1)?.position;
    if (end !== undefined) scan?.upTo(end);
    return events;
  }

  async #readParts(options: ReadAllOptions, most: number): Promise<RecordedEvent[]> {
    const events: RecordedEvent[] = [];
    for (let isWhole = true; isWhole && events.length < most;) {
      await TURNS.pauseIfLong();
      this.#assertOpen();
      const size = Math.min(most - events.length, partEvents);
      const part = this.#readPart(options, events.at(-1)?.position, size);
      for (const event of part) events.push(event);
      isWhole = part.length >= size;
    }
    return firstOf(events, most);
  }

  #readPart(options: ReadAllOptions, last: bigint | undefined, size: number): RecordedEvent[] {
    const { after = 0n, backwards, before } = options;
    return backwards === true
      ? this.#log.readBackTo(Number(after), size, last ?? before)
      : this.#log.readAfter(Number(last ?? after), size);
  }

  // Async so that a throw becomes a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async head(): Promise<bigint | undefined> {
    this.#assertOpen();
    const head = this.#log.head();
    return head === 0 ? undefined : BigInt(head);
  }

  /** Not in a read-only process: only appends of this process wake a subscription. */
  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    this.#assertOpen();
    const subscription = new LogSubscription(this.#log, Number(after ?? 0n), handler);
    this.#subscriptions.add(subscription);
    void subscription.ended.finally(() => this.#subscriptions.delete(subscription));
    return subscription;
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async ping(): Promise<void> {
    this.#assertOpen();
    this.database.ping();
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeOnce();
    return this.#closed;
  }

  async #closeOnce(): Promise<void> {
    await Promise.all([...this.#subscriptions].map((subscription) => subscription.stop()));
    await this.database.release();
  }

  readonly #wakeSubscriptions = (): void => {
    for (const subscription of this.#subscriptions) subscription.wake();
  };

  #assertOpen(): void {
    if (this.#closed !== undefined)
      throw new StoreUnavailableError('The embedded event store is closed.', false);
  }
}

function assertSoundAppends(appends: readonly StreamAppend[]): void {
  const streams = new Set<string>();
  for (const { stream, events } of appends) {
    if (stream === '') throw new TypeError('A stream needs a name.');
    if (events.length === 0) throw new TypeError(`The append to stream ${stream} has no events.`);
    if (streams.has(stream)) throw new TypeError(`Stream ${stream} is named twice in one call.`);
    streams.add(stream);
  }
}

/** Events that are read without a pause. */
const partEvents = 100;
const batchEvents = 500;
/** Bounds the memory of a batch of large events. */
const batchCharacters = 4_194_304;

/**
 * Reads the log after the last handled event, again after each commit. Commits only wake it; it always reads the events
 * from the file. So there is no gap and no repetition, and no events pile up in memory before a slow handler.
 */
class LogSubscription implements Subscription {
  /** Resolves after the last call of the handler. */
  readonly ended: Promise<void>;
  readonly #storedAtStart: number;
  #hasReportedCaughtUp = false;
  #isStopped = false;
  #isWoken = false;
  #whenWoken: (() => void) | undefined;

  constructor(
    private readonly log: EventLog,
    private position: number,
    private readonly handler: SubscriptionHandler,
  ) {
    this.#storedAtStart = log.head();
    this.ended = this.#run();
  }

  /** Called after each commit. */
  wake(): void {
    this.#isWoken = true;
    this.#whenWoken?.();
  }

  stop(): Promise<void> {
    this.#isStopped = true;
    this.wake();
    return this.ended;
  }

  async #run(): Promise<void> {
    try {
      while (!this.#isStopped) {
        // A handler without IO would otherwise block the event loop during a long catch-up.
        await nextTurn();
        await this.#deliver();
      }
    } catch (error) {
      if (!this.#isStopped) this.handler.failed?.(error);
      this.#isStopped = true;
    }
  }

  async #deliver(): Promise<void> {
    if (this.#isStopped) return;
    this.#isWoken = false;
    const events = firstOf(this.log.readAfter(this.position, batchEvents, batchCharacters), batchEvents);
    const last = events.at(-1);
    if (last !== undefined) {
      await this.handler.handle(events);
      this.position = Number(last.position);
    }
    if (this.#isStopped) return;
    this.#reportCaughtUp();
    if (last === undefined && !this.#isWoken) {
      await new Promise<void>((resolve) => (this.#whenWoken = resolve));
      this.#whenWoken = undefined;
    }
  }

  #reportCaughtUp(): void {
    if (this.#hasReportedCaughtUp || this.position < this.#storedAtStart) return;
    this.#hasReportedCaughtUp = true;
    this.handler.caughtUp?.();
  }
}

/** The last append of a read may go beyond its limit. */
function firstOf(events: RecordedEvent[], limit: number): RecordedEvent[] {
  return events.length > limit ? events.slice(0, limit) : events;
}

/** Most streams are short, so the first part waits less. */
function pauseBeforePart(eventsRead: number): Promise<void> | undefined {
  return eventsRead === 0 ? TURNS.pauseBriefly() : TURNS.pauseIfLong();
}
