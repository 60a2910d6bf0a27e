import { systemClock, type Clock } from '../../config/clock.js';
import { ServerPresence, type StorePresence } from '../../storage/server-presence.js';
import { StoreUnavailableError } from '../../storage/store.errors.js';
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
import { AllSubscription } from './all-subscription.js';
import { AppendQueue } from './append-queue.js';
import { BatchClient } from './batch-client.js';
import { ClientAppends } from './client-appends.js';
import { ClientReads } from './client-reads.js';
import { type Connection, readConnection } from './connection.js';
import { checkAppends } from './event-format.js';
import { grantReading } from './grant-reading.js';
import { DEFAULT_TIMINGS, type EventStoreDbTimings } from './timings.js';
import { within } from '../../base/within.js';

/** Appends in flight at once. */
const MOST_IN_FLIGHT = 512;

export interface EventStoreDbOptions {
  /** Connection string, `esdb://…` or `esdb+discover://…`. */
  readonly url: string;
  /** Only events of streams whose names begin with it are asked for by subscriptions; all but the system's when absent. */
  readonly streamPrefix?: string;
  /** One line about an interruption that is being healed. */
  readonly log?: (line: string) => void;
  readonly clock?: Clock;
  /** Whether another host may be asked without TLS; false when absent. */
  readonly allowInsecure?: boolean;
  readonly timings?: Partial<EventStoreDbTimings>;
  /** Appends in flight at once, 512 when absent; half of them for one call of `append`. */
  readonly concurrency?: number;
}

/**
 * The event store on EventStoreDB (24.2 and its kin). One for the life of the process and never a second beside it:
 * clients share state inside their package, and one that loses its server takes the other's appends with it. The
 * client heals its own connection; this class settles every call that the interruption left undecided.
 */
export class EventStoreDbEventStore implements EventStore, StorePresence {
  /** The connection string, as it was read. */
  readonly connection: Connection;
  private readonly client: BatchClient;
  private readonly presence: ServerPresence;
  private readonly clock: Clock;
  private readonly timings: EventStoreDbTimings;
  private readonly reads: ClientReads;
  private readonly appends: ClientAppends;
  private readonly queue: AppendQueue;
  private readonly subscriptions = new Set<Subscription>();
  private readonly running = new Set<Promise<unknown>>();
  private closing: Promise<void> | undefined;

  /** Connects with the first call, not before. @throws ConnectionRefusedError */
  constructor(private readonly options: EventStoreDbOptions) {
    const { url, allowInsecure, clock = systemClock, timings, concurrency = MOST_IN_FLIGHT } = options;
    this.clock = clock;
    this.timings = { ...DEFAULT_TIMINGS, ...timings };
    this.presence = new ServerPresence(clock);
    this.connection = readConnection(url, allowInsecure);
    const { settings, channel, credentials } = this.connection;
    this.client = new BatchClient(settings, channel, credentials);
    this.reads = new ClientReads(this.client, clock, this.timings, this.connection, this.presence);
    this.appends = new ClientAppends(this.client, this.reads, clock, this.timings, this.presence);
    // One call is one request, so no bulk takes more than half, and requests of several companies take turns.
    this.queue = new AppendQueue(concurrency, Math.ceil(concurrency / 2));
  }

  awaySince(): number | undefined {
    return this.presence.awaySince();
  }

  async append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    const checked = checkAppends(appends);
    const run = this.queue.caller();
    return this.tracked(async () => {
      const settled = await Promise.allSettled(
        checked.map((append) => run(append.stream, () => this.appends.append(append))),
      );
      return outcomesOf(settled);
    });
  }

  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    return this.tracked(() => this.reads.stream(stream, options));
  }

  readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.tracked(() => this.reads.all(options));
  }

  head(): Promise<bigint | undefined> {
    return this.tracked(() => this.reads.head());
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    if (this.closing) throw closedError();
    const { client, reads, clock, timings } = this;
    const { log = () => undefined, streamPrefix } = this.options;
    const context = { client, reads, clock, timings, log, streamPrefix };
    const inner = new AllSubscription(context, after, handler);
    const subscription: Subscription = {
      stop: async () => {
        await inner.stop();
        this.subscriptions.delete(subscription);
      },
    };
    this.subscriptions.add(subscription);
    return subscription;
  }

  ping(): Promise<void> {
    return this.tracked(() => this.reads.ping());
  }

  /** {@link grantReading}, by an administrator whom the connection string names. */
  grantReading(user: string): Promise<boolean> {
    return this.tracked(() => grantReading(this.client, user));
  }

  close(): Promise<void> {
    this.closing ??= this.finish();
    return this.closing;
  }

  /** Everything accepted is bounded by its own deadline, so this ends even when the server is silent. */
  private async finish(): Promise<void> {
    await Promise.allSettled([
      ...this.running,
      ...[...this.subscriptions].map((subscription) => subscription.stop()),
    ]);
    // A client that is never disposed keeps the process alive for ever.
    await within(this.clock, this.timings.disposeDeadline, this.client.dispose()).catch(() => undefined);
  }

  private async tracked<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.closing) throw closedError();
    const promise = task();
    this.running.add(promise);
    try {
      return await promise;
    } finally {
      this.running.delete(promise);
    }
  }
}

/** All outcomes, or the most serious error; what other streams stored decides whether it may say that nothing was. */
function outcomesOf(settled: readonly PromiseSettledResult<AppendOutcome>[]): AppendOutcome[] {
  const errors = settled.flatMap((result) =>
    result.status === 'rejected' ? [result.reason as unknown] : [],
  );
  if (errors.length === 0)
    return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const other = errors.find((error) => !(error instanceof StoreUnavailableError));
  if (other !== undefined) throw other as Error;
  const unavailable = errors as StoreUnavailableError[];
  const worst = unavailable.find((error) => error.outcomeUnknown) ?? unavailable[0]!;
  const someStored = settled.some(
    (result) => result.status === 'fulfilled' && result.value.kind === 'appended',
  );
  throw new StoreUnavailableError(worst.message, worst.outcomeUnknown || someStored);
}

function closedError(): StoreUnavailableError {
  return new StoreUnavailableError('The event store has been closed.', false);
}
