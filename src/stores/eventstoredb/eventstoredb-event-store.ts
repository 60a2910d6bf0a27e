import { setMaxListeners } from 'node:events';
import { systemClock, type Clock } from '#kernel/clock.js';
import { ServerPresence, type StorePresence } from '#kernel/server-presence.js';
import { StoreUnavailableError } from '#kernel/errors/store.errors.js';
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
import { AllSubscription } from './all-subscription.js';
import { AppendQueue } from './append-queue.js';
import { BatchClient } from './batch-client.js';
import { ClientAppends } from './client-appends.js';
import { ClientReads } from './client-reads.js';
import { type Connection, readConnection } from './connection.js';
import { checkAppends } from './event-format.js';
import { grantReading } from './grant-reading.js';
import { DEFAULT_TIMINGS, type EventStoreDbTimings } from './timings.js';
import { within } from '#kernel/within.js';

/** Appends in flight at once. One caller may use half of them, so that a bulk of 500 units leaves in one round trip. */
const MOST_IN_FLIGHT = 1_024;

export interface EventStoreDbOptions {
  /** Connection string, `esdb://…` or `esdb+discover://…`. */
  readonly url: string;
  /** Reads of the whole log and subscriptions give only events of streams whose names begin with it. Absent: all but the server's own. */
  readonly streamPrefix?: string;
  /** Gets one line about each interruption. */
  readonly log?: (line: string) => void;
  readonly clock?: Clock;
  /** Allows connections to another host without TLS. */
  readonly allowInsecure?: boolean;
  readonly timings?: Partial<EventStoreDbTimings>;
  /** Appends in flight at once, 1,024 if absent. One call of `append` may use half of them. */
  readonly concurrency?: number;
}

/**
 * The event store on EventStoreDB 24.2 or KurrentDB. A process must have only one of it: clients share state inside their
 * package, and one that loses its server breaks the appends of the other. The client connects again by itself; this class
 * finds the outcome of every call that was interrupted.
 */
export class EventStoreDbEventStore implements EventStore, StorePresence {
  /** The checked connection string. */
  readonly connection: Connection;
  readonly #client: BatchClient;
  readonly #presence: ServerPresence;
  readonly #clock: Clock;
  readonly #timings: EventStoreDbTimings;
  readonly #reads: ClientReads;
  readonly #appends: ClientAppends;
  readonly #queue: AppendQueue;
  readonly #subscriptions = new Set<Subscription>();
  readonly #running = new Set<RunningCall>();
  /** Aborted when calls that still run are let go. */
  readonly #lettingGo = new AbortController();
  #closing: Promise<void> | undefined;

  /** Does not connect before the first call. @throws ConnectionRefusedError */
  constructor(private readonly options: EventStoreDbOptions) {
    const { url, allowInsecure, clock = systemClock, timings, concurrency = MOST_IN_FLIGHT } = options;
    const { streamPrefix } = options;
    // During an outage every call in flight waits on this signal. Node warns of more than 10.
    setMaxListeners(0, this.#lettingGo.signal);
    this.#clock = clock;
    this.#timings = { ...DEFAULT_TIMINGS, ...timings };
    this.#presence = new ServerPresence(clock);
    this.connection = readConnection(url, allowInsecure);
    const { settings, channel, credentials } = this.connection;
    this.#client = new BatchClient(settings, channel, credentials);
    this.#reads = new ClientReads(
      this.#client,
      clock,
      this.#timings,
      this.connection,
      this.#presence,
      streamPrefix,
      this.#lettingGo.signal,
    );
    this.#appends = new ClientAppends(
      this.#client,
      this.#reads,
      clock,
      this.#timings,
      this.#presence,
      this.#lettingGo.signal,
    );
    // One `append` belongs to one request. So a bulk uses at most half of the queue, and requests start appends by turns.
    this.#queue = new AppendQueue(concurrency, Math.ceil(concurrency / 2));
  }

  awaySince(): number | undefined {
    return this.#presence.awaySince();
  }

  async append(appends: readonly StreamAppend[]): Promise<AppendOutcome[]> {
    const checked = checkAppends(appends);
    const run = this.#queue.caller();
    return this.#tracked(async () => {
      const settled = await Promise.allSettled(
        checked.map((append) => run(append.stream, () => this.#appends.append(append))),
      );
      return outcomesOf(settled);
    });
  }

  readStream(stream: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    return this.#tracked(() => this.#reads.stream(stream, options));
  }

  readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    return this.#tracked(() => this.#reads.all(options));
  }

  head(): Promise<bigint | undefined> {
    return this.#tracked(() => this.#reads.head());
  }

  subscribe(after: bigint | undefined, handler: SubscriptionHandler): Subscription {
    if (this.#closing) throw closedError();
    const client = this.#client;
    const reads = this.#reads;
    const clock = this.#clock;
    const timings = this.#timings;
    const { log = () => undefined, streamPrefix } = this.options;
    const context = { client, reads, clock, timings, log, streamPrefix };
    const subscription = new AllSubscription(context, after, handler);
    this.#subscriptions.add(subscription);
    void subscription.ended.then(() => this.#subscriptions.delete(subscription));
    return subscription;
  }

  ping(): Promise<void> {
    return this.#tracked(() => this.#reads.ping());
  }

  /** Calls {@link grantReading}. The connection string must name an administrator. */
  grantReading(user: string): Promise<boolean> {
    return this.#tracked(() => grantReading(this.#client, user));
  }

  close(): Promise<void> {
    this.#closing ??= this.#finish();
    return this.#closing;
  }

  /** Ends soon even if the server does not answer. Requests have had their answers by then, so nobody waits for a call. */
  async #finish(): Promise<void> {
    const clock = this.#clock;
    const timings = this.#timings;
    const now = clock.now();
    const left = timings.closeDeadline - (now - (this.#presence.awaySince() ?? now));
    const ends = [
      ...[...this.#running].map(({ ended }) => ended),
      ...[...this.#subscriptions].map((subscription) => subscription.stop()),
    ];
    await within(clock, Math.max(0, left), Promise.allSettled(ends)).catch(() => undefined);
    this.#lettingGo.abort();
    for (const { letGo } of this.#running) letGo();
    // A client that is not disposed keeps the process alive.
    await within(clock, timings.disposeDeadline, this.#client.dispose()).catch(() => undefined);
  }

  async #tracked<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#closing) throw closedError();
    let letGo: () => void = () => undefined;
    const ended = new Promise<Result>((resolve, reject) => {
      letGo = () => reject(letGoError());
      task().then(resolve, reject);
    });
    const call = { ended, letGo };
    this.#running.add(call);
    try {
      return await ended;
    } finally {
      this.#running.delete(call);
    }
  }
}

interface RunningCall {
  readonly ended: Promise<unknown>;
  /** Rejects the call now. */
  readonly letGo: () => void;
}

/** All outcomes, or throws the most serious error. If another stream's events were stored, its outcome is unknown. */
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

/** The events of an append may be stored all the same. */
function letGoError(): StoreUnavailableError {
  return new StoreUnavailableError('The event store was closed before it answered.', true);
}
