import type { EmbeddedDatabase } from '../../storage/embedded-database.js';
import type {
  AppendOutcome,
  EventStore,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
  StreamAppend,
  Subscription,
  SubscriptionHandler,
} from '../event-store.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
import { encodeEvents } from './event-encoding.js';
import { EventLog, type PreparedAppend } from './event-log.js';
import { LogSubscription } from './log-subscription.js';

/** How often a reader beside a running writer looks for what the other process has appended. */
const pollMilliseconds = 200;

/** The event store port on an embedded database, which closes when the last store upon it does. */
export class EmbeddedEventStore implements EventStore {
  private readonly log: EventLog;
  private readonly subscriptions = new Set<LogSubscription>();
  private cancelPoll: (() => void) | undefined;
  private closed: Promise<void> | undefined;

  constructor(private readonly database: EmbeddedDatabase) {
    database.retain();
    this.log = new EventLog(database);
  }

  async append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    demandSoundAppends(appends);
    this.demandOpen();
    if (appends.length === 0) return [];
    const prepared: PreparedAppend[] = appends.map((append) => ({ append, encoded: encodeEvents(append) }));
    return this.database.enqueue((group) => {
      group.afterCommit(this.wakeSubscriptions);
      return prepared.map((append) => this.log.append(group, append));
    });
  }

  // The methods are async so that a throw is a rejection, as the port promises.
  // eslint-disable-next-line @typescript-eslint/require-await
  async readStream(stream: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    this.demandOpen();
    return options.limit === 0 ? [] : this.log.readStream(stream, options);
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    this.demandOpen();
    const { after, limit, backwards, look } = { after: 0n, backwards: false, ...options };
    if (limit === 0) return [];
    const most = Math.min(limit, look?.atMost ?? Infinity);
    const events = backwards
      ? this.log.readBackTo(Number(after), most, options.before)
      : this.log.readAfter(Number(after), most);
    const end = backwards && events.length < most ? after : events.at(-1)?.position;
    if (end !== undefined) look?.upTo(end);
    return events;
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async head(): Promise<bigint | undefined> {
    this.demandOpen();
    const head = this.log.head();
    return head === 0 ? undefined : BigInt(head);
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    this.demandOpen();
    const subscription = new LogSubscription(this.log, Number(after ?? 0n), handler);
    this.subscriptions.add(subscription);
    if (this.database.readOnly && this.cancelPoll === undefined) this.poll();
    void subscription.ended.finally(() => this.subscriptions.delete(subscription));
    return subscription;
  }

  // eslint-disable-next-line @typescript-eslint/require-await
  async ping(): Promise<void> {
    this.demandOpen();
    this.database.ping();
  }

  close(): Promise<void> {
    this.closed ??= this.closeOnce();
    return this.closed;
  }

  private async closeOnce(): Promise<void> {
    this.cancelPoll?.();
    await Promise.all([...this.subscriptions].map((subscription) => subscription.stop()));
    await this.database.release();
  }

  private readonly wakeSubscriptions = (): void => {
    for (const subscription of this.subscriptions) subscription.wake();
  };

  private poll(): void {
    this.cancelPoll = this.database.clock.after(pollMilliseconds, () => {
      this.wakeSubscriptions();
      this.poll();
    });
  }

  private demandOpen(): void {
    if (this.closed !== undefined)
      throw new StoreUnavailableError('The embedded event store is closed.', false);
  }
}

function demandSoundAppends(appends: readonly StreamAppend[]): void {
  const streams = new Set<string>();
  for (const { stream, events } of appends) {
    if (stream === '') throw new TypeError('A stream needs a name.');
    if (events.length === 0) throw new TypeError(`The append to stream ${stream} has no events.`);
    if (streams.has(stream)) throw new TypeError(`Stream ${stream} is named twice in one call.`);
    streams.add(stream);
  }
}
